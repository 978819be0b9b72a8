// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A JSON value for output. Keys keep their order.
package indirect enum JSONValue: Sendable {
  case null
  case string(String)
  case integer(Int)
  case number(Double)
  case toggle(Bool)
  case list([JSONValue])
  case object([(key: String, value: JSONValue)])

  /// Returns the value as JSON, indented by two spaces a level. A value without nested parts is one line.
  package func text(indent: Int = 0) -> String {
    switch self {
    case .null: return "null"
    case .string(let string): return Self.quoted(string, isJSON: true)
    case .integer(let number): return "\(number)"
    case .number(let number):
      // JSON has neither infinity nor NaN.
      guard number.isFinite else { return "null" }
      return number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
    case .toggle(let isOn): return isOn ? "true" : "false"
    case .list(let items):
      return Self.joined(items.map { $0.text(indent: indent + 2) }, "[", "]", isFlat: isFlat, indent)
    case .object(let entries):
      let parts = entries.map { entry in
        Self.quoted(entry.key, isJSON: true) + ": " + entry.value.text(indent: indent + 2)
      }
      return Self.joined(parts, "{", "}", isFlat: isFlat && parts.count < 4, indent)
    }
  }

  /// The value as JSON in one line.
  package var line: String {
    switch self {
    case .null, .string, .integer, .number, .toggle: text()
    case .list(let items): "[" + items.map(\.line).joined(separator: ", ") + "]"
    case .object(let entries):
      "{" + entries.map { Self.quoted($0.key, isJSON: true) + ": " + $0.value.line }.joined(separator: ", ")
        + "}"
    }
  }

  private var isFlat: Bool {
    func hasParts(_ value: JSONValue) -> Bool {
      switch value {
      case .null, .string, .integer, .number, .toggle: false
      case .list(let items): !items.isEmpty
      case .object(let entries): !entries.isEmpty
      }
    }
    switch self {
    case .null, .string, .integer, .number, .toggle: return true
    case .list(let items): return !items.contains(where: hasParts)
    case .object(let entries): return !entries.contains { hasParts($0.value) }
    }
  }

  private static func joined(
    _ parts: [String], _ open: String, _ close: String, isFlat: Bool, _ indent: Int
  ) -> String {
    let line = open + (parts.isEmpty ? "" : " " + parts.joined(separator: ", ") + " ") + close
    if isFlat, line.count <= 100 { return line }
    let blanks = String(repeating: " ", count: indent + 2)
    return open + "\n" + parts.map { blanks + $0 }.joined(separator: ",\n") + "\n"
      + String(repeating: " ", count: indent) + close
  }

  /// Returns a quoted string that is valid in both JSON and YAML.
  ///
  /// - Parameter isJSON: Whether all invisible characters are escaped, those above U+FFFF as surrogate pairs, which
  ///   YAML does not read. If false, only the characters that YAML forbids are escaped.
  static func quoted(_ string: String, isJSON: Bool = false) -> String {
    var result = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      default:
        // Controls, line separators, the byte order mark and noncharacters.
        let isAllowed =
          scalar.value >= 0x20 && !(0x7F...0xA0).contains(scalar.value)
          && ![0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF].contains(scalar.value)
        if isAllowed && (!isJSON || PrintableText.isVisible(scalar)) {
          result.unicodeScalars.append(scalar)
          continue
        }
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16, uppercase: true)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return result + "\""
  }
}
