// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Dispatch
internal import Glibc
internal import SwiftletThreads
internal import Synchronization

/// What libraries and plugins print to the descriptors 1 and 2.
///
/// It goes into a pipe that a thread reads. With `-v` each line is printed as a detail, escaped like all text from
/// outside; without it no line is printed. ``CrashReport`` keeps the last of it: the words of a runtime or a library
/// that ends the program arrive here, too.
enum LibraryOutput {
  /// What the reading thread, the display and the main thread share.
  private struct State {
    /// Prints the lines; nil where they are not printed.
    var console: Console?
    /// The lines that a display is to print above itself; nil without such a display.
    var held: [String]?
    /// The line that has not ended yet.
    var line: [UInt8] = []
  }

  private static let state = Mutex(State())
  private static let writeEnd = Atomic<Int32>(-1)
  private static let drained = DispatchSemaphore(value: 0)
  /// Whether ``finish()`` waits for its mark: a library may print such a byte, too.
  private static let isFinishing = Atomic<Bool>(false)
  /// The most bytes of a line; a longer one is broken.
  private static let longestLine = 1000

  /// Redirects the descriptors 1 and 2 until the program ends.
  ///
  /// - Parameter console: prints the lines; nil to print none.
  static func redirect(to console: Console?) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A library that prints faster than the thread reads loses lines. It does not wait: it may be a plugin on the
    // audio thread.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    StandardStreams.separate(from: ends[1])
    writeEnd.store(ends[1], ordering: .releasing)
    state.withLock { $0.console = console }
    CrashReport.prepare()
    let readEnd = ends[0]
    startThread("swiftlet-libout") { read(from: readEnd) }
  }

  /// Makes a display print the lines: it asks for them with ``takeHeld()``.
  static func hold() { state.withLock { $0.held = $0.held ?? [] } }

  /// The lines since the last call, for the display that holds them.
  static func takeHeld() -> [String] {
    state.withLock { state in
      defer { if state.held != nil { state.held = [] } }
      return state.held ?? []
    }
  }

  /// Prints what has been written so far. The last call before the program ends.
  static func finish() {
    CrashReport.programEnds()
    guard let console = state.withLock({ $0.console }) else { return }
    fflush(nil)
    isFinishing.store(true, ordering: .releasing)
    var pipe = pollfd(fd: writeEnd.load(ordering: .acquiring), events: Int16(POLLOUT), revents: 0)
    poll(&pipe, 1, 500)
    // The thread signals when it reads this mark.
    if write(pipe.fd, [0], 1) == 1 { _ = drained.wait(timeout: .now() + 0.5) }
    for line in takeHeld() { tell(line, console) }
  }

  /// Prints a line.
  static func tell(_ line: String, _ console: Console) { console.detail("library output: \(line)") }

  private static func read(from descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      for byte in bytes[..<count] {
        if byte != 0 { CrashReport.remember(byte) }
        take(byte)
      }
    }
  }

  /// Adds a byte to the line. Prints it, or holds it for the display, when it ends.
  private static func take(_ byte: UInt8) {
    let isEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == 0
    let ended = state.withLock { state -> (line: String, console: Console)? in
      guard let console = state.console else { return nil }
      if !isEnd { state.line.append(byte) }
      guard isEnd || state.line.count == longestLine, !state.line.isEmpty else { return nil }
      let line = String(decoding: state.line, as: UTF8.self)
      state.line = []
      guard state.held == nil else {
        state.held?.append(line)
        return nil
      }
      return (line, console)
    }
    if let ended { tell(ended.line, ended.console) }
    if byte == 0, isFinishing.load(ordering: .acquiring) { drained.signal() }
  }
}
