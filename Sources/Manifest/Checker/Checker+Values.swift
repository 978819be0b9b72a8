// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal

extension Checker {
  /// Returns a value in the parameter's unit; nil after reporting an error.
  mutating func value(_ written: Manifest.Value, _ parameter: ParameterInfo) -> Float? {
    switch written {
    case .bands(_, let position), .list(_, let position):
      problems.error(position, "found a list; expected \(Self.expected(parameter))")
      return nil
    case .text(let text):
      switch Self.read(text.text, as: parameter) {
      case .success(let value): return value
      case .failure(let reason):
        problems.error(text.position, reason.message)
        return nil
      }
    }
  }

  /// The reason why a value does not fit its parameter.
  struct Misfit: Error {
    let message: String
  }

  /// Parses a value according to the parameter's curve.
  static func read(_ text: String, as parameter: ParameterInfo) -> Result<Float, Misfit> {
    let found = "found '\(Document.short(text))'"
    switch parameter.curve {
    case .toggle:
      if text == "true" { return .success(1) }
      if text == "false" { return .success(0) }
      if let named = parameter.choices.first(where: { $0.name == text }) { return .success(named.value) }
      return .failure(Misfit(message: "\(found); expected \(expected(parameter))"))
    case .choice:
      return choice(text, parameter)
    case .linear, .logarithmic, .integer:
      if let named = parameter.choices.first(where: { $0.name == text }) { return .success(named.value) }
      guard let quantity = Quantity(text) else {
        return .failure(Misfit(message: "\(found); expected \(expected(parameter))"))
      }
      guard let exact = quantity.value(in: parameter.unit) else {
        let unit = parameter.unit.written.map { "in \($0.rawValue)" } ?? "without unit"
        return .failure(
          Misfit(message: "\(found), which has a wrong unit; expected '\(parameter.symbol)' \(unit)"))
      }
      let value = Float(exact)
      guard parameter.range.contains(value) else {
        return .failure(Misfit(message: "\(found), which is out of range; expected \(expected(parameter))"))
      }
      guard parameter.curve != .integer || value == value.rounded() else {
        return .failure(Misfit(message: "\(found); expected \(expected(parameter))"))
      }
      return .success(value)
    }
  }

  private static func choice(_ text: String, _ parameter: ParameterInfo) -> Result<Float, Misfit> {
    if let named = parameter.choices.first(where: { $0.name == text }) { return .success(named.value) }
    // If the names themselves are numbers, no other numbers are accepted.
    let isCounted = !parameter.choices.contains { Quantity($0.name) != nil }
    if isCounted, let quantity = Quantity(text), quantity.unit == nil,
      let numbered = parameter.choices.first(where: { $0.value == Float(quantity.number) })
    {
      return .success(numbered.value)
    }
    let names = parameter.choices.map(\.name)
    let near = isCounted ? NearestName.nearest(to: text, among: names) : nil
    let hint = near.map { "; did you mean '\($0)'?" } ?? "; expected \(NearestName.listed(names))"
    return .failure(Misfit(message: "found '\(Document.short(text))' for '\(parameter.symbol)'\(hint)"))
  }

  /// Returns the accepted values in words: `'threshold' to be a number from -70 dB to 0 dB`.
  static func expected(_ parameter: ParameterInfo) -> String {
    switch parameter.curve {
    case .toggle: return "'\(parameter.symbol)' to be true or false"
    case .choice: return "'\(parameter.symbol)' to be \(NearestName.listed(parameter.choices.map(\.name)))"
    case .linear, .logarithmic, .integer:
      let low = parameter.range.lowerBound, high = parameter.range.upperBound
      func end(_ value: Float) -> Quantity {
        Quantity(Double("\(value)") ?? Double(value), parameter.unit.written)
      }
      let isOpenBelow = low <= -Float.greatestFiniteMagnitude,
        isOpenAbove = high >= Float.greatestFiniteMagnitude
      let number = parameter.curve == .integer ? "a whole number" : "a number"
      let unit = parameter.unit.written.map { " in \($0.rawValue)" } ?? ""
      let range =
        switch (isOpenBelow, isOpenAbove) {
        case (true, true): number + unit
        case (false, true): "\(number), \(end(low)) or more"
        case (true, false): "\(number), at most \(end(high))"
        case (false, false): "\(number) from \(end(low)) to \(end(high))"
        }
      return "'\(parameter.symbol)' to be \(range)"
    }
  }
}
