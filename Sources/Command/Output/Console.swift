// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Standard error, which receives messages: errors, warnings, notes.
///
/// Each message is one line. The console escapes text from outside.
struct Console: Sendable {
  /// The level of detail.
  enum Volume: Int, Comparable, Sendable {
    case quiet, normal, verbose
    static func < (a: Volume, b: Volume) -> Bool { a.rawValue < b.rawValue }
  }

  /// The level of detail.
  let volume: Volume
  /// The colours and characters of messages.
  let style: Style

  /// Creates a console on a stream.
  init(stream: Style.Stream, volume: Volume = .normal, color: ColorChoice = .auto) {
    self.volume = volume
    style = Style(stream, color)
  }

  /// Prints an error, which ends the command.
  func error(_ text: String) { line("swiftlet: \(style.paint("error:", .red)) \(text)") }

  /// Prints a warning. The command continues.
  func warning(_ text: String) {
    if volume > .quiet { line("swiftlet: \(style.paint("warning:", .yellow)) \(text)") }
  }

  /// Prints a note.
  func note(_ text: String) {
    if volume > .quiet { line(StyledText(text)) }
  }

  /// Prints a detail, with `--verbose` only.
  func detail(_ text: String) {
    if volume == .verbose { line(style.paint(text, .dim)) }
  }

  /// Prints a message that begins with file, line and column, as compilers do.
  func placed(_ text: String) {
    for (word, color) in [("error:", Style.Paint.red), ("warning:", .yellow)] {
      guard let found = text.firstRange(of: " \(word) ") else { continue }
      if word == "warning:", volume == .quiet { return }
      let location = style.paint(String(text[..<found.lowerBound]), .bold)
      line("\(location) \(style.paint(word, color)) \(String(text[found.upperBound...]))")
      return
    }
    line(StyledText(text))
  }

  private func line(_ text: StyledText) {
    // A failure to write to standard error cannot be reported anywhere.
    try? Results(descriptor: StandardStreams.error).line(text)
  }
}
