// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Lines at the foot of standard error that are drawn over and over; elsewhere, one line a second.
struct LiveDisplay {
  /// Whether it may draw over what it drew.
  let canRedraw: Bool
  /// Where and how messages go.
  let console: Console
  private var drawn = 0
  private var lastDrawing = -Double.infinity
  private var lastText = ""

  /// How often it draws, in times a second, on a terminal and elsewhere.
  static let rate = 20.0, plainRate = 1.0

  /// A display on standard error, silent where nothing but errors is asked for.
  init(_ console: Console) {
    self.console = console
    canRedraw = console.style.canRedraw
  }

  /// Whether it is time to draw again. Asking costs nothing, so what is shown need not be put together in vain.
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
    drawn = lines.count
  }

  /// Makes the next drawing due at once: a key was pressed.
  mutating func expire() { lastDrawing = -.infinity }

  /// Says something above the lines that are drawn over.
  mutating func interrupt(_ say: (Console) -> Void) {
    if drawn > 0 { put(home + "\u{1B}[J") }
    say(console)
    if drawn > 0 { put(lastText) }
  }

  /// Removes the lines, so that what is said next stands in their place.
  mutating func clear() {
    if drawn > 0 { put(home + "\u{1B}[J") }
    drawn = 0
  }

  private var home: String { drawn > 0 ? "\u{1B}[\(drawn)A\r" : "" }

  private func put(_ text: String) { try? Results(descriptor: 2).write(text) }

  /// The terminal's columns and rows; 80 by 24 where it does not say.
  private static var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
    return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
  }
}
