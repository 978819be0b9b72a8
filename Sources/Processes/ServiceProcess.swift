// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Dispatch
internal import Glibc
internal import SwiftletThreads
internal import Synchronization

/// A service program, such as a JACK server, that writes messages line by line.
///
/// The program has a process group of its own, so that ^C reaches only this process. It ends with ``end()``, and the
/// kernel or a ``ProcessGuard`` sends it SIGTERM when this process ends, however it ends. Any thread.
package final class ServiceProcess: Sendable {
  /// The program's process ID.
  package let identifier: Int32
  let processGuard: ProcessGuard?
  private let output = Mutex("")
  private let state = Mutex(State.running)
  private let hasEnded = DispatchSemaphore(value: 0), hasBeenRead = DispatchSemaphore(value: 0)

  private enum State: Equatable {
    case running
    /// The status from `waitpid`.
    case ended(Int32)
  }

  /// Starts the program at `path`, an absolute path.
  ///
  /// - Parameters:
  ///   - descriptor: An open file that the program inherits as descriptor 3; nil for none.
  ///   - log: Receives each line that the program writes, on a thread of its own.
  /// - Throws: ``StartError``.
  package init(
    _ path: String, _ arguments: [String], keepingOpen descriptor: Int32? = nil,
    log: @escaping @Sendable (String) -> Void
  ) throws(StartError) {
    var ends: [Int32] = [-1, -1]
    // Sockets instead of pipes: they are close-on-exec from the start.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw StartError(number: errno) }
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { [nothing, ends[1]].forEach { _ = close($0) } }
    do throws(StartError) {
      guard nothing >= 0 else { throw StartError(number: errno) }
      let descriptors = [nothing, ends[1], ends[1]] + (descriptor.map { [$0] } ?? [])
      // SIGTERM, so that a server can remove its shared memory.
      let started = try ProcessStarter.start(
        .init(path: path, arguments: arguments, descriptors: descriptors, deathSignal: SIGTERM))
      (identifier, processGuard) = (started.identifier, started.processGuard)
    } catch {
      _ = close(ends[0])
      throw error
    }
    let source = ends[0]
    startThread("swiftlet-output") { [self] in readOutput(from: source, log) }
    startThread("swiftlet-reaper") { [self] in reap() }
  }

  /// Whether the program still runs.
  package var isRunning: Bool { state.withLock { $0 == .running } }

  /// The signal that ended the program; nil if the program runs or exited by itself.
  package var endSignal: Int32? {
    guard case .ended(let status) = state.withLock({ $0 }), status & 0x7F != 0 else { return nil }
    return status & 0x7F
  }

  /// Returns the last four lines that the program wrote, joined into one, without lines that contain one of
  /// `greetings`.
  package func lastOutput(without greetings: [String] = []) -> String {
    // The last output of an ended program may still be in transit, and a descendant may keep the output open forever.
    if !isRunning, hasBeenRead.wait(timeout: .now() + 0.2) == .success { hasBeenRead.signal() }
    return output.withLock { output in
      output.split(separator: "\n").filter { line in !greetings.contains { line.contains($0) } }
        .suffix(4).joined(separator: "; ")
    }
  }

  /// Sends SIGTERM, after three seconds SIGKILL, and waits until the program has ended.
  package func end() {
    signal(SIGTERM)
    if hasEnded.wait(timeout: .now() + 3) == .timedOut {
      signal(SIGKILL)
      // The kernel ends the program when it leaves its current system call.
      _ = hasEnded.wait(timeout: .now() + 5)
    }
    // Signals again for other waiting threads.
    hasEnded.signal()
  }

  /// Sends a signal to the program's process group, unless the program has been reaped and its ID may have been
  /// reused.
  private func signal(_ number: Int32) {
    state.withLock { if $0 == .running { _ = kill(-identifier, number) } }
  }

  /// Waits until the program has ended. The end of its output does not show that: a descendant may hold the output
  /// open, or the program may close it early.
  private func reap() {
    var facts = siginfo_t()
    // Waits without reaping, so that the ID is not reused before the state is `.ended`.
    while waitid(P_PID, id_t(identifier), &facts, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    if let processGuard {
      processGuard.dismiss()
      // Ends processes that a script has started.
      _ = kill(-identifier, SIGTERM)
    }
    state.withLock { state in
      var status: Int32 = 0
      while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
      state = .ended(status)
    }
    hasEnded.signal()
  }

  /// Reads the program's output until no process has it open.
  private func readOutput(from file: Int32, _ log: @Sendable (String) -> Void) {
    var rest: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(file, &bytes, bytes.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      rest += bytes[..<count]
      while let end = rest.firstIndex(of: 10) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeSubrange(...end)
        output.withLock { $0 = String(($0 + line + "\n").suffix(2000)) }
        if !line.isEmpty { log(line) }
      }
      if rest.count > 65_536 { rest = [] }
    }
    _ = close(file)
    hasBeenRead.signal()
  }
}
