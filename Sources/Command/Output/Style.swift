// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import Glibc

/// When words are coloured.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
  case auto, always, never

  /// The choice in a command line that cannot be read otherwise.
  static func scanned(from arguments: [String]) -> ColorChoice {
    for (place, argument) in arguments.enumerated() {
      if argument.hasPrefix("--color=") {
        return ColorChoice(rawValue: String(argument.dropFirst(8))) ?? .auto
      }
      if argument == "--color", place + 1 < arguments.count {
        return ColorChoice(rawValue: arguments[place + 1]) ?? .auto
      }
    }
    return .auto
  }
}

/// What the place where words go can show.
struct Style: Sendable, Equatable {
  /// Standard output or standard error.
  enum Stream: Sendable {
    case output, error

    /// Its number.
    var descriptor: Int32 { self == .output ? StandardStreams.output : StandardStreams.error }
  }

  /// A colour or weight, as the number that terminals know it by.
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
  /// Whether signs beyond ASCII are used for bars and marks.
  var isUnicode: Bool
  /// Whether what was written can be written over: a terminal that is not dumb.
  var canRedraw: Bool

  /// A style with everything said.
  init(isColored: Bool = false, isUnicode: Bool = false, canRedraw: Bool = false) {
    self.isColored = isColored
    self.isUnicode = isUnicode
    self.canRedraw = canRedraw
  }

  /// What a stream can show, and may by the user's wish.
  init(_ stream: Stream, _ choice: ColorChoice) {
    let isTerminal = isatty(stream.descriptor) == 1
    let terminal = Environment["TERM"] ?? ""
    canRedraw = isTerminal && terminal != "dumb" && !terminal.isEmpty
    isColored =
      switch choice {
      case .always: true
      case .never: false
      // The rule of no-color.org: set and not empty.
      case .auto: canRedraw && (Environment["NO_COLOR"] ?? "").isEmpty
      }
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { Environment[$0] }.first { !$0.isEmpty } ?? ""
    isUnicode = locale.lowercased().contains("utf-8") || locale.lowercased().contains("utf8")
  }

  /// The text in a colour, where colours are used.
  func paint(_ text: String, _ paint: Paint) -> StyledText { self.paint(StyledText(text), paint) }

  /// The text in a colour, where colours are used.
  func paint(_ text: StyledText, _ paint: Paint) -> StyledText { isColored ? StyledText(text, paint) : text }

  /// How many characters of a text are seen; colours take no room.
  static func width(_ text: String) -> Int {
    var seen = 0, isCode = false
    for character in text {
      if character == "\u{1B}" { isCode = true }
      if !isCode { seen += 1 }
      if isCode, character.isLetter { isCode = false }
    }
    return seen
  }

  /// The first so many characters that are seen; colours take no room, and end where the text does.
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
