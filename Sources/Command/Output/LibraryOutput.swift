// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Dispatch
internal import CSwiftletRealtime
internal import Glibc
internal import SwiftletLV2
internal import SwiftletThreads
internal import Synchronization

/// The output of libraries and plugins to descriptors 1 and 2.
///
/// It goes into a pipe that a thread reads. With `-v` each line is printed as a detail, escaped like all text from
/// outside, with the node of the plugin that printed it. Without `-v` no line is printed.
///
/// The node is known if the plugin printed with C's functions, since C's streams label the output of each call; while a
/// plugin is created, restored or activated; and if no other node has a plugin in this process.
/// ``CrashReport`` keeps the last bytes, since the message of a runtime or library that ends the program arrives
/// here, too.
enum LibraryOutput {
  /// A line and its source.
  struct Line: Equatable {
    var text: String
    var source: Source
  }

  /// The source of a line, if it is known.
  enum Source: Equatable {
    /// A library, outside of calls of plugins.
    case library
    /// One of several running plugins, or a library.
    case unknown
    /// The plugin of a node.
    case plugin(node: String)
  }

  /// The state shared by the reading thread, the display and the main thread.
  private struct State {
    /// The console that prints the lines; nil to print none.
    var console: Console?
    /// The lines that the display prints above itself; nil without a display.
    var held: [Line]?
    /// The bytes of the line that is not complete yet.
    var line: [UInt8] = []
    /// The source of the incomplete line, and the source that its label gives.
    var lineSource = Source.library
    var lineLabel: Source?
    /// The source of output without a label.
    var source = Source.library
    /// The label that is being read: the name of a node.
    var label: [UInt8]?
    /// The source that the label of the next bytes gives.
    var labelled: Source?
    /// The lines of the plugin that is being created, restored or activated.
    var lines: [String] = []

    /// The source of the next byte.
    var next: Source {
      if let labelled { return labelled }
      if case .plugin = source { return source }
      guard source == .unknown, let only = PluginOutput.onlyNode else { return source }
      return .plugin(node: only)
    }

    /// Returns whether a byte is part of the text. If it is part of a label, takes it.
    mutating func isText(_ byte: UInt8) -> Bool {
      switch byte {
      case 1: label = []
      case 2 where label != nil:
        let name = String(decoding: label ?? [], as: UTF8.self)
        // A label is shortened; the source has the whole name.
        if case .plugin(let node) = source, PluginOutput.label(of: node) == name {
          labelled = source
        } else {
          labelled = .plugin(node: name)
        }
        label = nil
      case 3 where labelled != nil: labelled = nil
      default:
        // Labels are short and printable; otherwise a plugin has printed the byte 1 itself.
        if byte < 0x20 || label?.count ?? 0 == 64 { label = nil }
        guard label != nil else { return true }
        label?.append(byte)
      }
      return false
    }
  }

  private static let state = Mutex(State())
  private static let writeEnd = Atomic<Int32>(-1)
  private static let drained = DispatchSemaphore(value: 0)
  /// Whether a thread waits for the marker byte. A library may print that byte, too.
  private static let isMarked = Atomic<Bool>(false)
  /// Serializes the calls of ``waitForReader()``.
  private static let marking = Mutex(())
  /// The maximum length of a line in bytes. A longer line is split.
  private static let longestLine = 1000
  /// The maximum number of lines that are kept for one plugin.
  private static let mostLines = 100

  /// Redirects the descriptors 1 and 2 until the program ends.
  ///
  /// - Parameter console: The console that prints the lines; nil to print none.
  static func redirect(to console: Console?) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // If a library prints faster than the thread reads, lines are lost. The library must not block, since it may be a
    // plugin on the audio thread.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    StandardStreams.separate(from: ends[1])
    // Otherwise C buffers the output until the buffer is full, and loses it if the program crashes.
    swiftlet_label_output()
    writeEnd.store(ends[1], ordering: .releasing)
    state.withLock { $0.console = console }
    CrashReport.prepare()
    let readEnd = ends[0]
    startThread("swiftlet-libout") { read(from: readEnd) }
    PluginOutput.setReader(.init(begin: begin, end: end))
  }

  /// Attributes the output from now on to the plugin of a node.
  private static func begin(_ node: String) {
    waitForReader()
    state.withLock { ($0.source, $0.lines) = (.plugin(node: node), []) }
  }

  /// Ends the attribution. Returns the plugin's output.
  private static func end() -> [String] {
    waitForReader()
    return state.withLock { state in
      defer { (state.source, state.lines) = (.unknown, []) }
      return state.lines
    }
  }

  /// Holds lines for a display, which fetches them with ``takeHeld()``.
  static func hold() { state.withLock { $0.held = $0.held ?? [] } }

  /// Removes and returns the lines held since the last call.
  static func takeHeld() -> [Line] {
    state.withLock { state in
      defer { if state.held != nil { state.held = [] } }
      return state.held ?? []
    }
  }

  /// Prints all pending output. Call it last, before `exit`.
  static func finish() {
    CrashReport.noteExit()
    guard let console = state.withLock({ $0.console }) else { return }
    waitForReader()
    for line in takeHeld() { print(line, console) }
  }

  /// Waits until the thread has read all output so far, at most half a second.
  private static func waitForReader() {
    marking.withLock { _ in
      swiftlet_flush_output()
      var pipe = pollfd(fd: writeEnd.load(ordering: .acquiring), events: Int16(POLLOUT), revents: 0)
      guard pipe.fd >= 0 else { return }
      poll(&pipe, 1, 500)
      // Drops a signal that came after an earlier wait had timed out.
      while drained.wait(timeout: .now()) == .success {}
      isMarked.store(true, ordering: .releasing)
      // The thread signals when it reads this marker byte.
      if write(pipe.fd, [0], 1) == 1 { _ = drained.wait(timeout: .now() + 0.5) }
      isMarked.store(false, ordering: .releasing)
    }
  }

  /// Prints a line.
  static func print(_ line: Line, _ console: Console) {
    let source =
      switch line.source {
      case .library: "library output"
      case .unknown: "output of a plugin or library"
      case .plugin(let node): "output of the plugin '\(node)'"
      }
    console.detail("\(source): \(line.text)")
  }

  private static func read(from descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      for byte in bytes[..<count] where state.withLock({ $0.isText(byte) }) {
        if byte != 0 { CrashReport.append(byte) }
        take(byte)
      }
    }
  }

  /// Adds a byte to the line. At the line's end, prints it or holds it for the display.
  private static func take(_ byte: UInt8) {
    let isEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == 0
    let ended = state.withLock { state -> [Line] in
      let isPlugin = if case .plugin = state.source { true } else { false }
      guard state.console != nil || isPlugin else { return [] }
      var ended: [Line?] = []
      if !isEnd {
        if state.labelled != state.lineLabel { ended.append(endLine(&state)) }
        if state.line.isEmpty { (state.lineLabel, state.lineSource) = (state.labelled, state.next) }
        state.line.append(byte)
      }
      if isEnd || state.line.count == longestLine { ended.append(endLine(&state)) }
      return ended.compactMap(\.self)
    }
    if let console = state.withLock({ $0.console }) { for line in ended { print(line, console) } }
    if byte == 0, isMarked.load(ordering: .acquiring) { drained.signal() }
  }

  /// Ends the line. Returns it if it is to be printed now.
  private static func endLine(_ state: inout State) -> Line? {
    guard !state.line.isEmpty else { return nil }
    let line = Line(text: String(decoding: state.line, as: UTF8.self), source: state.lineSource)
    state.line = []
    if case .plugin = state.source, line.source == state.source, state.lines.count < mostLines {
      state.lines.append(line.text)
    }
    guard state.console != nil else { return nil }
    guard state.held != nil else { return line }
    state.held?.append(line)
    return nil
  }
}
