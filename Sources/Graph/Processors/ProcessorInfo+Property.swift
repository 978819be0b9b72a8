// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

extension ProcessorInfo {
  /// A parameter that a plugin receives by messages rather than by a port: `patch:writable` or `patch:readable`.
  package struct Property: Sendable, Equatable {
    /// The type of the property's values.
    package enum Kind: Sendable, Equatable {
      case path, text, uri, bool, int, long, float, double, vector
      /// A type that this host does not support, by its URI; empty for a property without a type.
      case unknown(String)

      /// Whether the values are numbers.
      package var isNumeric: Bool {
        switch self {
        case .bool, .int, .long, .float, .double: true
        case .path, .text, .uri, .vector, .unknown: false
        }
      }
    }

    /// The property's number among the plugin's parameters, higher than those of all ports.
    package var number: Int
    /// The property's URI.
    package var uri: String
    /// The name in manifests: the last part of the URI.
    package var symbol: String
    /// The display name.
    package var name: String
    /// One line that describes the property; may be empty.
    package var meaning: String
    package var kind: Kind
    /// Whether the host may set it.
    package var isWritable: Bool
    /// Whether the plugin reports changes of the property.
    package var isReadable: Bool
    /// The unit, range and named values of a numeric property; nil for other types.
    package var parameter: ParameterInfo?

    /// Describes a property.
    package init(
      number: Int, uri: String, symbol: String, name: String, meaning: String = "", kind: Kind,
      isWritable: Bool = true, isReadable: Bool = false, parameter: ParameterInfo? = nil
    ) {
      self.number = number
      self.uri = uri
      self.symbol = symbol
      self.name = name
      self.meaning = meaning
      self.kind = kind
      self.isWritable = isWritable
      self.isReadable = isReadable
      self.parameter = parameter
    }
  }

  /// The symbols of the properties that are writable and not numeric.
  package var messageSymbols: [String] {
    properties.filter { $0.isWritable && $0.parameter == nil }.map(\.symbol)
  }

  /// Returns the property with this symbol or URI, unless a port has the name.
  package func property(_ name: String) -> Property? {
    properties.first { $0.symbol == name } ?? properties.first { $0.uri == name }
  }
}

extension ProcessorInfo.Property {
  /// The reason why a text is not a valid value of a property: the end of a sentence that begins with the text found.
  package struct Misfit: Error, Equatable {
    package let reason: String
  }

  /// Parses a value from text. A path is used unchanged.
  ///
  /// A vector is a list of numbers, separated by commas or spaces, with or without brackets. Its elements are 32-bit
  /// integers if all are written without a point or an exponent, otherwise floats.
  ///
  /// - Throws: a ``Misfit``.
  package func value(of text: String) throws(Misfit) -> PropertyValue {
    switch kind {
    case .path: return .path(text)
    case .text: return .text(text)
    case .uri: return .uri(text)
    case .bool:
      switch text {
      case "true", "on": return .bool(true)
      case "false", "off": return .bool(false)
      default: throw Misfit(reason: "expected '\(symbol)' to be true or false")
      }
    case .int, .long: return try whole(text)
    case .float: return .float(Float(try number(text)))
    case .double: return .double(try number(text))
    case .vector: return try vector(text)
    case .unknown(let type):
      let what = type.isEmpty ? "no type" : "the type <\(type)>, which Swiftlet does not support"
      throw Misfit(reason: "'\(symbol)' has \(what)")
    }
  }

  private func whole(_ text: String) throws(Misfit) -> PropertyValue {
    // Parse integers directly: a `Double` holds only 53 bits.
    if let value = Int64(text), kind == .long { return .long(try inRange(value)) }
    if let value = Int32(text), kind == .int { return .int(try inRange(value)) }
    let value = try number(text)
    guard value == value.rounded(), let long = Int64(exactly: value) else {
      throw Misfit(reason: "expected '\(symbol)' to be a whole number")
    }
    if kind == .long { return .long(long) }
    guard let int = Int32(exactly: long) else {
      throw Misfit(reason: "expected '\(symbol)' to be a whole number of 32 bits")
    }
    return .int(int)
  }

  private func inRange<Number: BinaryInteger>(_ value: Number) throws(Misfit) -> Number {
    _ = try checked(Double(value))
    return value
  }

  private func number(_ text: String) throws(Misfit) -> Double {
    if let choice = parameter?.choices.first(where: { $0.name == text }) { return Double(choice.value) }
    guard let quantity = Quantity(text), let value = quantity.value(in: parameter?.unit ?? .none) else {
      let unit = parameter?.unit.written.map { " in \($0.rawValue)" } ?? ""
      throw Misfit(reason: "expected '\(symbol)' to be a number\(unit)")
    }
    return try checked(value)
  }

  private func checked(_ value: Double) throws(Misfit) -> Double {
    guard let range = parameter?.range, !(range ~= Float(value)) else { return value }
    throw Misfit(reason: "expected '\(symbol)' to be from \(range.lowerBound) to \(range.upperBound)")
  }

  private func vector(_ text: String) throws(Misfit) -> PropertyValue {
    let inner = text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text[...]
    let words = inner.split { $0 == "," || $0.isWhitespace }.map(String.init)
    let ints = words.compactMap { Int32($0) }
    if ints.count == words.count, !words.isEmpty { return .vector(ints.map { .int($0) }) }
    let floats = words.compactMap { Float($0) }
    guard floats.count == words.count, !words.isEmpty, floats.allSatisfy(\.isFinite) else {
      throw Misfit(reason: "expected '\(symbol)' to be a list of numbers")
    }
    return .vector(floats.map { .float($0) })
  }

  /// Whether values are sent exactly as written, by a message: a parameter of an engine holds only 24 bits.
  package var isSetByMessage: Bool { !isWritable || (kind != .float && kind != .bool) }

  /// A description without range and unit, for a property that is not numeric.
  package var placeholder: ParameterInfo {
    ParameterInfo(number: number, symbol: symbol, name: name, meaning: meaning, range: 0...0, initial: 0)
  }
}

extension ProcessorInfo.Property.Kind {
  /// The type of the values in words, such as `a file`.
  package var words: String {
    switch self {
    case .path: "a file"
    case .text: "a text"
    case .uri: "a URI"
    case .bool: "true or false"
    case .int, .long: "a whole number"
    case .float, .double: "a number"
    case .vector: "a list of numbers"
    case .unknown(let type): type.isEmpty ? "of no known type" : "of the type <\(type)>"
    }
  }
}
