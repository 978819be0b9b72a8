// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Standard error, where messages go: errors, warnings, notes.
///
/// Each message is one line. Text from outside in it needs no care: it is escaped here.
struct Console: Sendable {
  /// How much is said.
  enum Volume: Int, Comparable, Sendable {
    case quiet, normal, verbose
    static func < (a: Volume, b: Volume) -> Bool { a.rawValue < b.rawValue }
  }

  /// How much is said.
  let volume: Volume
  /// How it looks.
  let style: Style

  /// Messages to a stream, as loud and colourful as asked for.
  init(stream: Style.Stream, volume: Volume = .normal, color: ColorChoice = .auto) {
    self.volume = volume
    style = Style(stream, color)
  }

  /// What stops the command.
  func error(_ text: String) { line("swiftlet: \(style.paint("error:", .red)) \(text)") }

  /// What does not stop it, but matters.
  func warning(_ text: String) {
    if volume > .quiet { line("swiftlet: \(style.paint("warning:", .yellow)) \(text)") }
  }

  /// What is good to know.
  func note(_ text: String) {
    if volume > .quiet { line(StyledText(text)) }
  }

  /// What only the curious want to know.
  func detail(_ text: String) {
    if volume == .verbose { line(style.paint(text, .dim)) }
  }

  /// A line that begins with a file's place, as compilers write it.
  func placed(_ text: String) {
    for (word, color) in [("error:", Style.Paint.red), ("warning:", .yellow)] {
      guard let found = text.firstRange(of: " \(word) ") else { continue }
      if word == "warning:", volume == .quiet { return }
      let place = style.paint(String(text[..<found.lowerBound]), .bold)
      line("\(place) \(style.paint(word, color)) \(String(text[found.upperBound...]))")
      return
    }
    line(StyledText(text))
  }

  private func line(_ text: StyledText) {
    // Nothing can be said about a standard error that cannot be written to.
    try? Results(descriptor: StandardStreams.error).line(text)
  }
}
