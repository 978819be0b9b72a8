// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// A status display that redraws its lines at the bottom of a terminal, and prints one line a second elsewhere.
struct LiveDisplay {
  /// Whether the display can overwrite its lines.
  let canRedraw: Bool
  /// The console that prints messages.
  let console: Console
  /// The widths of the drawn lines in characters.
  private var drawn: [Int] = []
  private var lastDrawing = -Double.infinity
  private var lastText = ""
  /// The terminal's size at the last drawing.
  private var lastSize = Size(columns: 0, rows: 0)

  /// The drawing rate on a terminal and elsewhere, in times a second.
  static let rate = 20.0, plainRate = 1.0

  /// Creates a display on standard error. With `--quiet` it draws nothing.
  init(_ console: Console) {
    self.console = console
    canRedraw = console.style.canRedraw
    if canRedraw { LibraryOutput.hold() }
  }

  /// Whether the next drawing is due. Callers check this before they build what to draw.
  func isDue(at time: Double) -> Bool {
    console.volume > .quiet && time - lastDrawing >= 1 / (canRedraw ? Self.rate : Self.plainRate) - 0.001
  }

  /// Draws `screen`, called with the terminal's columns and rows, on a terminal; prints `line` elsewhere.
  mutating func draw(at time: Double, screen: (Int, Int) -> [StyledText], line: () -> String) {
    lastDrawing = time
    guard canRedraw else {
      console.note(line())
      return
    }
    let printed = LibraryOutput.takeHeld()
    if !printed.isEmpty {
      interrupt { console in for line in printed { LibraryOutput.print(line, console) } }
    }
    let size = Size.now
    // Leaves one row for the cursor below the last line, or the terminal would scroll. A terminal without a free row
    // shows nothing.
    let lines = Array(screen(size.columns, size.rows).prefix(max(size.rows - 1, 0)))
    guard !lines.isEmpty else { return clear() }
    lastText = lines.map { $0.written + "\u{1B}[K\n" }.joined() + "\u{1B}[J"
    put(Self.home(over: rows(on: size)) + lastText)
    (drawn, lastSize) = (lines.map(\.width), size)
  }

  /// Leaves the drawn lines in place and draws below them from now on, because another program has written to the
  /// terminal.
  mutating func invalidate() { drawn = [] }

  /// Makes the next drawing due at once, for example after a key.
  mutating func expire() { lastDrawing = -.infinity }

  /// Prints messages above the drawn lines.
  mutating func interrupt(_ say: (Console) -> Void) {
    guard !drawn.isEmpty else { return say(console) }
    let size = Size.now
    put(erasure(on: size))
    say(console)
    if size == lastSize { return put(lastText) }
    // Lines drawn for another window size would scroll in this one.
    drawn = []
    expire()
  }

  /// Erases the drawn lines, so that the next output replaces them.
  mutating func clear() {
    if !drawn.isEmpty { put(erasure(on: Size.now)) }
    drawn = []
  }

  /// Returns the number of terminal rows that the drawn lines occupy. Rows above the window's top cannot be reached.
  private func rows(on size: Size) -> Int {
    min(Self.rows(of: drawn, columns: size.columns), size.rows - 1)
  }

  /// Returns the escape code that moves the cursor to the first drawn row.
  private static func home(over rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A\r" : "" }

  /// Returns the escape codes that erase the drawn lines and move the cursor to the first of them. They erase row by
  /// row, because many terminals keep a copy of a window that is cleared as a whole.
  private func erasure(on size: Size) -> String {
    let rows = rows(on: size), home = Self.home(over: rows)
    return home + String(repeating: "\u{1B}[2K\n", count: max(rows, 0)) + "\u{1B}[2K" + home
  }

  /// Returns the number of rows that lines of these widths occupy. A terminal that has become narrower has wrapped
  /// them.
  static func rows(of widths: [Int], columns: Int) -> Int {
    widths.reduce(0) { $0 + max(($1 + columns - 1) / max(columns, 1), 1) }
  }

  private func put(_ text: String) { try? Results(descriptor: StandardStreams.error).write(text) }

  /// The size of a terminal in characters.
  private struct Size: Equatable {
    var columns: Int, rows: Int

    /// The size of the terminal on standard error; 80 by 24 if it is unknown.
    static var now: Size {
      var size = winsize()
      guard ioctl(StandardStreams.error, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
        return Size(columns: 80, rows: 24)
      }
      return Size(columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : 24)
    }
  }
}
