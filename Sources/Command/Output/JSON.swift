// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A JSON value whose keys keep their order, so that output is the same each time.
indirect enum JSON: Equatable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral
{
  case null
  case bool(Bool)
  case integer(Int)
  case number(Float)
  case precise(Double)
  case string(String)
  case array([JSON])
  case object([(String, JSON)])

  /// The version of what `--json` prints. It goes up when a key changes its meaning or goes.
  static let format: (String, JSON) = ("format", 1)

  init(stringLiteral value: String) { self = .string(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(integerLiteral value: Int) { self = .integer(value) }

  /// The text, or null.
  static func optional(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }

  /// The value as text, indented by two spaces a level.
  var text: String { text(at: 0) }

  private func text(at level: Int) -> String {
    switch self {
    case .null: return "null"
    case .bool(let value): return value ? "true" : "false"
    case .integer(let value): return "\(value)"
    case .number(let value): return Self.digits(Double(value), value.description)
    case .precise(let value): return Self.digits(value, value.description)
    case .string(let value): return Self.quoted(value)
    case .array(let items):
      if items.isEmpty { return "[]" }
      return Self.block("[", items.map { $0.text(at: level + 1) }, "]", level)
    case .object(let pairs):
      if pairs.isEmpty { return "{}" }
      return Self.block("{", pairs.map { "\(Self.quoted($0)): \($1.text(at: level + 1))" }, "}", level)
    }
  }

  private static func block(_ open: String, _ lines: [String], _ close: String, _ level: Int) -> String {
    let indent = String(repeating: "  ", count: level)
    return open + "\n" + lines.map { indent + "  " + $0 }.joined(separator: ",\n") + "\n" + indent + close
  }

  /// JSON has no infinity and nothing that is not a number: they become null.
  private static func digits(_ value: Double, _ text: String) -> String {
    guard value.isFinite else { return "null" }
    return value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : text
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{0}"..<" ", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  static func == (a: JSON, b: JSON) -> Bool { a.text == b.text }
}
