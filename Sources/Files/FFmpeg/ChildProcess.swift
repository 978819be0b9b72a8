// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// A program that runs beside us and is fed or listened to, block by block.
///
/// No shell stands in between: arguments arrive as they are. It has a process group of its own, so that ^C
/// is ours to handle, and it cannot outlive us: its input ends, or nobody takes its output. One thread at a
/// time; it is always waited for, when it is let go at the latest.
final class ChildProcess {
  /// How it ended.
  struct Ending: Equatable {
    /// Its own number; 0 is well. Negative for the signal that ended it.
    var status: Int32
    /// The beginning of what it said on its error output.
    var words: String
  }

  /// 0 where it could not be started: the kernel takes that for ourselves, so it is never told it.
  private var identifier: pid_t = 0
  private var input: Int32 = -1
  private var output: Int32 = -1
  private var complaints: Int32 = -1
  private var words: [UInt8] = []
  private var ending: Ending?
  /// How long nothing may happen before it is thought to hang, in milliseconds.
  private let patience: Int32
  /// Whether nobody wants it to go on: asked ten times a second while it keeps us waiting. Then it is ended.
  var isUnwanted: (() -> Bool)?
  /// Whether it was ended for that.
  private(set) var wasUnwanted = false
  private static let mostWords = 2048

  /// Starts the program at `path`; nil, with `errno`, where that fails.
  ///
  /// - Parameters:
  ///   - isFed: whether ``write(_:_:)`` feeds it; else its input is empty.
  ///   - patience: seconds without a sign of life after which it is ended.
  init?(_ path: String, _ arguments: [String], isFed: Bool, patience: Int32 = 60) {
    self.patience = patience * 1000
    // Sockets rather than pipes: they are born closed to other children, and writing to one whose reader has
    // gone need not raise a signal.
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    var ends: [[Int32]] = []
    for _ in 0..<3 {
      var pair: [Int32] = [-1, -1]
      guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else {
        for descriptor in ends.joined() { close(descriptor) }
        return nil
      }
      ends.append(pair)
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    for (descriptor, pair) in ends.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, pair[1], Int32(descriptor))
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    posix_spawnattr_setpgroup(&attributes, 0)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var line = ([path] + arguments).map { strdup($0) } + [nil]
    var child: pid_t = 0
    let failure = posix_spawn(&child, path, &actions, &attributes, &line, environ)
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    line.forEach { free($0) }
    ends.forEach { close($0[1]) }
    guard failure == 0 else {
      ends.forEach { close($0[0]) }
      errno = failure
      return nil
    }
    identifier = child
    (input, output, complaints) = (ends[0][0], ends[1][0], ends[2][0])
    if !isFed { closeInput() }
  }

  deinit { end() }

  /// Takes up to `count` bytes of what it writes; 0 when it has closed its output.
  func read(into buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    while output >= 0 && count > 0 {
      guard wait(for: output, POLLIN) else { return 0 }
      let got = recv(output, buffer, count, Int32(MSG_DONTWAIT))
      if got > 0 { return got }
      if got < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      drop(&output)
    }
    return 0
  }

  /// Hands it bytes; false when it takes no more.
  func write(_ bytes: UnsafeRawPointer, _ count: Int) -> Bool {
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

  /// Tells it that no more comes.
  func closeInput() { drop(&input) }

  /// Waits until it has ended by itself.
  func finish() -> Ending {
    closeInput()
    var bytes = [UInt8](repeating: 0, count: 4096)
    while read(into: &bytes, bytes.count) > 0 {}
    while complaints >= 0 && wait(for: complaints, POLLIN) {}
    return reap()
  }

  /// Ends it at once.
  func end() {
    guard identifier > 0, ending == nil else { return }
    kill(identifier, SIGKILL)
    _ = reap()
  }

  /// Waits until something can be done with a descriptor, and keeps what the child says meanwhile: it must
  /// never wait for us to hear it.
  ///
  /// - Returns: whether the descriptor is ready; false where the child gives no sign of life.
  private func wait(for descriptor: Int32, _ events: Int32) -> Bool {
    var waitedFor: Int32 = 0
    while true {
      let slice = isUnwanted == nil ? patience : min(100, patience)
      var waited = [
        pollfd(fd: descriptor, events: Int16(events), revents: 0),
        pollfd(fd: complaints == descriptor ? -1 : complaints, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&waited, 2, slice)
      if count < 0 && errno == EINTR { continue }
      if count == 0, let isUnwanted {
        wasUnwanted = wasUnwanted || isUnwanted()
        waitedFor += slice
        if !wasUnwanted && waitedFor < patience { continue }
      }
      guard count > 0 else {
        kill(identifier, SIGKILL)
        if words.isEmpty { words = Array("it hangs".utf8) }
        return false
      }
      if waited[1].revents != 0 { listen() }
      guard waited[0].revents != 0 else { continue }
      if descriptor == complaints { listen() }
      return true
    }
  }

  private func listen() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let got = recv(complaints, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    if got > 0 {
      words += bytes[..<min(got, max(0, ChildProcess.mostWords - words.count))]
    } else if got == 0 || (errno != EINTR && errno != EAGAIN) {
      drop(&complaints)
    }
  }

  private func reap() -> Ending {
    if let ending { return ending }
    drop(&input)
    drop(&output)
    drop(&complaints)
    var status: Int32 = 0
    var found = waitpid(identifier, &status, 0)
    while found < 0 && errno == EINTR { found = waitpid(identifier, &status, 0) }
    let signal = status & 0x7F
    let result = Ending(
      status: found < 0 ? 0 : signal == 0 ? status >> 8 & 0xFF : -signal,
      words: String(decoding: words, as: UTF8.self))
    ending = result
    return result
  }

  private func drop(_ descriptor: inout Int32) {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }
}
