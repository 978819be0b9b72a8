// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Lines at the foot of standard error that are drawn over and over; elsewhere, one line a second.
struct LiveDisplay {
  /// Whether it may draw over what it drew.
  let canRedraw: Bool
  /// Where and how messages go.
  let console: Console
  /// How wide each line is that was drawn.
  private var drawn: [Int] = []
  private var lastDrawing = -Double.infinity
  private var lastText = ""
  /// The terminal as it was drawn for.
  private var lastSize = Size(columns: 0, rows: 0)

  /// How often it draws, in times a second, on a terminal and elsewhere.
  static let rate = 20.0, plainRate = 1.0

  /// A display on standard error, silent where nothing but errors is asked for.
  init(_ console: Console) {
    self.console = console
    canRedraw = console.style.canRedraw
    if canRedraw { LibraryOutput.hold() }
  }

  /// Whether it is time to draw again. Asking costs nothing, so what is shown
  /// need not be put together in vain.
  func isDue(at time: Double) -> Bool {
    console.volume > .quiet && time - lastDrawing >= 1 / (canRedraw ? Self.rate : Self.plainRate) - 0.001
  }

  /// Draws: on a terminal `screen`, which is handed its columns and rows; elsewhere `line`.
  mutating func draw(at time: Double, screen: (Int, Int) -> [StyledText], line: () -> String) {
    lastDrawing = time
    guard canRedraw else {
      console.note(line())
      return
    }
    let printed = LibraryOutput.takeHeld()
    if !printed.isEmpty { interrupt { console in for line in printed { LibraryOutput.tell(line, console) } } }
    let size = Size.now
    // Room for the cursor below the last line, or the terminal scrolls. Where there is none, nothing is drawn.
    let lines = Array(screen(size.columns, size.rows).prefix(max(size.rows - 1, 0)))
    guard !lines.isEmpty else { return clear() }
    lastText = lines.map { $0.written + "\u{1B}[K\n" }.joined() + "\u{1B}[J"
    put(Self.home(over: rows(on: size)) + lastText)
    (drawn, lastSize) = (lines.map(\.width), size)
  }

  /// Leaves what was drawn where it is, and draws below it from now on: others have written since.
  mutating func forget() { drawn = [] }

  /// Makes the next drawing due at once: a key was pressed.
  mutating func expire() { lastDrawing = -.infinity }

  /// Says something above the lines that are drawn over.
  mutating func interrupt(_ say: (Console) -> Void) {
    guard !drawn.isEmpty else { return say(console) }
    let size = Size.now
    put(erasure(on: size))
    say(console)
    if size == lastSize { return put(lastText) }
    // What was drawn for another window would scroll in this one.
    drawn = []
    expire()
  }

  /// Removes the lines, so that what is said next stands in their place.
  mutating func clear() {
    if !drawn.isEmpty { put(erasure(on: Size.now)) }
    drawn = []
  }

  /// How many rows of a terminal what was drawn takes: what is above its first row cannot be reached any more.
  private func rows(on size: Size) -> Int {
    min(Self.rows(of: drawn, columns: size.columns), size.rows - 1)
  }

  /// Goes back to where it began to draw.
  private static func home(over rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A\r" : "" }

  /// Goes there and leaves nothing of what was drawn. Row by row: many terminals keep a copy of a window that is
  /// cleared as a whole.
  private func erasure(on size: Size) -> String {
    let rows = rows(on: size), home = Self.home(over: rows)
    return home + String(repeating: "\u{1B}[2K\n", count: max(rows, 0)) + "\u{1B}[2K" + home
  }

  /// How many rows lines of these widths take: a terminal that has become narrower has wrapped them.
  static func rows(of widths: [Int], columns: Int) -> Int {
    widths.reduce(0) { $0 + max(($1 + columns - 1) / max(columns, 1), 1) }
  }

  private func put(_ text: String) { try? Results(descriptor: StandardStreams.error).write(text) }

  /// How large a terminal is.
  private struct Size: Equatable {
    var columns: Int, rows: Int

    /// That of standard error; 80 by 24 where it does not say.
    static var now: Size {
      var size = winsize()
      guard ioctl(StandardStreams.error, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
        return Size(columns: 80, rows: 24)
      }
      return Size(columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : 24)
    }
  }
}
