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

  /// How often it draws, in times a second, on a terminal and elsewhere.
  static let rate = 20.0, plainRate = 1.0

  /// A display on standard error, silent where nothing but errors is asked for.
  init(_ console: Console) {
    self.console = console
    canRedraw = console.style.canRedraw
  }

  /// Whether it is time to draw again. Asking costs nothing, so what is shown
  /// need not be put together in vain.
  func isDue(at time: Double) -> Bool {
    console.volume > .quiet && time - lastDrawing >= 1 / (canRedraw ? Self.rate : Self.plainRate) - 0.001
  }

  /// Draws: on a terminal `screen`, which is handed its columns and rows; elsewhere `line`.
  mutating func draw(at time: Double, screen: (Int, Int) -> [String], line: () -> String) {
    lastDrawing = time
    guard canRedraw else {
      console.note(line())
      return
    }
    let (columns, rows) = Self.size
    // Room for the cursor below the last line, or the terminal scrolls.
    let lines = Array(screen(columns, rows).prefix(max(rows - 1, 1)))
    lastText = lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J"
    put(home + lastText)
    drawn = lines.map(Style.width)
  }

  /// Leaves what was drawn where it is, and draws below it from now on: others have written since.
  mutating func forget() { drawn = [] }

  /// Makes the next drawing due at once: a key was pressed.
  mutating func expire() { lastDrawing = -.infinity }

  /// Says something above the lines that are drawn over.
  mutating func interrupt(_ say: (Console) -> Void) {
    if !drawn.isEmpty { put(home + "\u{1B}[J") }
    say(console)
    if !drawn.isEmpty { put(lastText) }
  }

  /// Removes the lines, so that what is said next stands in their place.
  mutating func clear() {
    if !drawn.isEmpty { put(home + "\u{1B}[J") }
    drawn = []
  }

  private var home: String {
    let rows = Self.rows(of: drawn, columns: Self.size.columns)
    return rows > 0 ? "\u{1B}[\(rows)A\r" : ""
  }

  /// How many rows lines of these widths take: a terminal that has become narrower has wrapped them.
  static func rows(of widths: [Int], columns: Int) -> Int {
    widths.reduce(0) { $0 + max(($1 + columns - 1) / max(columns, 1), 1) }
  }

  private func put(_ text: String) { try? Results(descriptor: 2).write(text) }

  /// The terminal's columns and rows; 80 by 24 where it does not say.
  private static var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
    return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
  }
}
