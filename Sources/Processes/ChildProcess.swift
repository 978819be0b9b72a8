// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// A child process that reads or writes a stream of data.
///
/// No shell is involved: arguments are passed unchanged. The program has a process group of its own, so that ^C
/// reaches only this process, and the kernel or a ``ProcessGuard`` kills it when this process ends, however it ends.
/// One thread at a time. `deinit` ends the program and waits for it if neither ``finish()`` nor ``end()`` was called.
package final class ChildProcess {
  /// How the program ended.
  package struct Ending: Equatable {
    /// The program's exit status, 0 for success; or the negated number of the signal that ended it.
    package var status: Int32
    /// The beginning or the end of the program's standard error: see ``ChildProcess/keepsEndOfOutput``.
    package var errorOutput: String
  }

  let identifier: pid_t
  let processGuard: ProcessGuard?
  private var input: Int32
  private var output: Int32
  private var errorDescriptor: Int32
  private var errorOutput: [UInt8] = []
  private var ending: Ending?
  /// The time without any activity after which the program counts as hung, in milliseconds.
  private let timeout: Int32
  /// Returns whether the program should be ended early. Called ten times a second while this object waits for the
  /// program.
  package var isUnwanted: (() -> Bool)?
  /// Whether the program was ended because ``isUnwanted`` returned true.
  package private(set) var wasUnwanted = false
  /// Whether to keep the end of the program's standard error instead of the beginning.
  package var keepsEndOfOutput = false
  private static let mostOutput = 2048
  /// The time of the next call of ``isUnwanted``.
  private var nextLook = ContinuousClock.now

  /// Whether the program itself has ended, although processes that it started may still run. Does not reap the
  /// process.
  package var hasEnded: Bool {
    var facts = siginfo_t()
    guard ending == nil else { return true }
    return waitid(P_PID, id_t(identifier), &facts, WEXITED | WNOWAIT | WNOHANG) == 0
      && facts._sifields._kill.si_pid != 0
  }

  /// Starts the program at `path`, an absolute path.
  ///
  /// - Parameters:
  ///   - isFed: Whether ``write(_:_:)`` feeds the program; otherwise its input is empty.
  ///   - timeout: The time without any activity after which the program is ended, in seconds.
  /// - Throws: ``StartError``.
  package init(
    _ path: String, _ arguments: [String], isFed: Bool, timeout: Int32 = 60
  ) throws(StartError) {
    self.timeout = timeout * 1000
    // Sockets instead of pipes: they are close-on-exec from the start, and a write after the reader has closed need
    // not raise a signal.
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    var own: [Int32] = [], childEnds: [Int32] = []
    defer { childEnds.forEach { close($0) } }
    do throws(StartError) {
      for _ in 0..<3 {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw StartError(number: errno) }
        own.append(pair[0])
        childEnds.append(pair[1])
      }
      let started = try ProcessStarter.start(.init(path: path, arguments: arguments, descriptors: childEnds))
      (identifier, processGuard) = (started.identifier, started.processGuard)
    } catch {
      own.forEach { close($0) }
      throw error
    }
    (input, output, errorDescriptor) = (own[0], own[1], own[2])
    if !isFed { closeInput() }
  }

  deinit { end() }

  /// Reads up to `count` bytes of the program's output; returns 0 once the program has closed it.
  package func read(into buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    while output >= 0 && count > 0 {
      guard wait(for: output, POLLIN) else { return 0 }
      let got = recv(output, buffer, count, Int32(MSG_DONTWAIT))
      if got > 0 { return got }
      if got < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      drop(&output)
    }
    return 0
  }

  /// Writes bytes to the program's input; returns false if the program has closed it.
  package func write(_ bytes: UnsafeRawPointer, _ count: Int) -> Bool {
    var done = 0
    while done < count {
      guard input >= 0, wait(for: input, POLLOUT) else { return false }
      let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
      let sent = send(input, bytes + done, count - done, flags)
      if sent > 0 { done += sent }
      if sent < 0 && errno != EINTR && errno != EAGAIN {
        closeInput()
        return false
      }
    }
    return true
  }

  /// Closes the program's input.
  package func closeInput() { drop(&input) }

  /// Closes the input and waits until the program has ended.
  package func finish() -> Ending {
    closeInput()
    var bytes = [UInt8](repeating: 0, count: 4096)
    while read(into: &bytes, bytes.count) > 0 {}
    while errorDescriptor >= 0 && wait(for: errorDescriptor, POLLIN) {}
    return reap()
  }

  /// Kills the program unless it has ended, and waits for it.
  package func end() {
    guard ending == nil else { return }
    killGroup()
    _ = reap()
  }

  /// Waits until a descriptor is ready. Reads the program's standard error in the meantime, so that the program never
  /// blocks on it.
  ///
  /// - Returns: Whether the descriptor is ready; false if the program was ended because it was inactive or unwanted.
  private func wait(for descriptor: Int32, _ events: Int32) -> Bool {
    var waitedFor: Int32 = 0
    while true {
      let slice = isUnwanted == nil ? timeout : min(100, timeout)
      var waited = [
        pollfd(fd: descriptor, events: Int16(events), revents: 0),
        pollfd(fd: errorDescriptor == descriptor ? -1 : errorDescriptor, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&waited, 2, slice)
      if count < 0 && errno == EINTR { continue }
      // Asked also while the program writes continuously.
      if let isUnwanted, count == 0 || ContinuousClock.now >= nextLook {
        wasUnwanted = wasUnwanted || isUnwanted()
        nextLook = .now + .milliseconds(100)
      }
      if count == 0, isUnwanted != nil, !wasUnwanted {
        waitedFor += slice
        if waitedFor < timeout { continue }
      }
      guard count > 0, !wasUnwanted else {
        killGroup()
        if errorOutput.isEmpty { errorOutput = Array("it hangs".utf8) }
        return false
      }
      if waited[1].revents != 0 { readErrorOutput() }
      guard waited[0].revents != 0 else { continue }
      if descriptor == errorDescriptor { readErrorOutput() }
      return true
    }
  }

  private func readErrorOutput() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let got = recv(errorDescriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    if got > 0, keepsEndOfOutput {
      errorOutput = Array((errorOutput + bytes[..<got]).suffix(ChildProcess.mostOutput))
    } else if got > 0 {
      errorOutput += bytes[..<min(got, max(0, ChildProcess.mostOutput - errorOutput.count))]
    } else if got == 0 || (errno != EINTR && errno != EAGAIN) {
      drop(&errorDescriptor)
    }
  }

  /// Kills the program and its descendants in the process group.
  private func killGroup() { kill(-identifier, SIGKILL) }

  private func reap() -> Ending {
    if let ending { return ending }
    drop(&input)
    drop(&output)
    drop(&errorDescriptor)
    if let processGuard {
      var facts = siginfo_t()
      while waitid(P_PID, id_t(identifier), &facts, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
      processGuard.dismiss()
      // Kills processes that a script has started.
      killGroup()
    }
    var status: Int32 = 0
    var found = waitpid(identifier, &status, 0)
    while found < 0 && errno == EINTR { found = waitpid(identifier, &status, 0) }
    let signal = status & 0x7F
    let result = Ending(
      status: found < 0 ? 255 : signal == 0 ? status >> 8 & 0xFF : -signal,
      errorOutput: String(decoding: errorOutput, as: UTF8.self))
    ending = result
    return result
  }

  private func drop(_ descriptor: inout Int32) {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }
}
