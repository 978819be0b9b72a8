// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import Glibc

/// The choice of when text is coloured.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
  case auto, always, never

  /// Returns the choice in a command line that the argument parser has rejected.
  static func scanned(from arguments: [String]) -> ColorChoice {
    for (index, argument) in arguments.enumerated() {
      if argument.hasPrefix("--color=") {
        return ColorChoice(rawValue: String(argument.dropFirst(8))) ?? .auto
      }
      if argument == "--color", index + 1 < arguments.count {
        return ColorChoice(rawValue: arguments[index + 1]) ?? .auto
      }
    }
    return .auto
  }
}

/// The colours and characters that a stream supports.
struct Style: Sendable, Equatable {
  /// Standard output or standard error.
  enum Stream: Sendable {
    case output, error

    /// The stream's file descriptor.
    var descriptor: Int32 { self == .output ? StandardStreams.output : StandardStreams.error }
  }

  /// A colour or weight, as the parameter of its ANSI escape code.
  enum Paint: Int, Sendable {
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33
    case cyan = 36
  }

  /// Whether colours are used.
  var isColored: Bool
  /// Whether characters outside ASCII are used for bars and marks.
  var isUnicode: Bool
  /// Whether drawn lines can be overwritten: the stream is a terminal, and not a dumb one.
  var canRedraw: Bool

  /// Creates a style from its properties.
  init(isColored: Bool = false, isUnicode: Bool = false, canRedraw: Bool = false) {
    self.isColored = isColored
    self.isUnicode = isUnicode
    self.canRedraw = canRedraw
  }

  /// Creates the style that a stream supports and the user has chosen.
  init(_ stream: Stream, _ choice: ColorChoice) {
    let isTerminal = isatty(stream.descriptor) == 1
    let terminal = Environment["TERM"] ?? ""
    canRedraw = isTerminal && terminal != "dumb" && !terminal.isEmpty
    isColored =
      switch choice {
      case .always: true
      case .never: false
      // The rule of no-color.org: `NO_COLOR` counts if it is set and not empty.
      case .auto: canRedraw && (Environment["NO_COLOR"] ?? "").isEmpty
      }
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { Environment[$0] }.first { !$0.isEmpty } ?? ""
    isUnicode = locale.lowercased().contains("utf-8") || locale.lowercased().contains("utf8")
  }

  /// Returns the text in a colour if colours are used.
  func paint(_ text: String, _ paint: Paint) -> StyledText { self.paint(StyledText(text), paint) }

  /// Returns the text in a colour if colours are used.
  func paint(_ text: StyledText, _ paint: Paint) -> StyledText { isColored ? StyledText(text, paint) : text }

  /// Returns the number of visible characters. Escape codes do not count.
  static func width(_ text: String) -> Int {
    var seen = 0, isCode = false
    for character in text {
      if character == "\u{1B}" { isCode = true }
      if !isCode { seen += 1 }
      if isCode, character.isLetter { isCode = false }
    }
    return seen
  }

  /// Returns the first `width` visible characters with their escape codes. Colours end at the cut.
  static func clipped(_ text: String, to width: Int) -> String {
    var seen = 0, isCode = false, hasCode = false
    var result = ""
    for character in text {
      if character == "\u{1B}" { (isCode, hasCode) = (true, true) }
      if !isCode {
        if seen == width { return hasCode ? result + "\u{1B}[0m" : result }
        seen += 1
      }
      result.append(character)
      if isCode, character.isLetter { isCode = false }
    }
    return result
  }
}
