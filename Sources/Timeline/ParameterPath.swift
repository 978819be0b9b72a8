// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The path of a node's parameter: `echo.feedback`, `tone.bands[2].gain`.
public struct ParameterPath: Hashable, Sendable {
  /// The node's name.
  public let node: String
  /// The parameter's symbol, as in the node's settings; bands are counted from 1.
  public let parameter: String

  /// Creates the path of a node's parameter.
  package init(node: String, parameter: String) {
    self.node = node
    self.parameter = parameter
  }

  /// Parses `node.parameter`.
  ///
  /// - Throws: ``AutomationError/badPath(_:)``.
  public init(_ text: String) throws(AutomationError) {
    guard let dot = text.firstIndex(of: "."), dot > text.startIndex, text.index(after: dot) < text.endIndex
    else {
      throw .badPath(text)
    }
    self.init(node: String(text[..<dot]), parameter: String(text[text.index(after: dot)...]))
  }
}

extension ParameterPath: CustomStringConvertible {
  /// The path in the notation that is parsed: `echo.feedback`.
  public var description: String { "\(node).\(parameter)" }
}

extension ParameterPath: Codable, CodingKeyRepresentable {
  /// The path as a key of a dictionary.
  public var codingKey: any CodingKey { NameKey(description) }

  /// Creates the path from a key; nil if the key is not a path.
  public init?(codingKey: some CodingKey) { try? self.init(codingKey.stringValue) }

  /// Decodes the path's text.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.singleValueContainer()
    do { try self.init(box.decode(String.self)) } catch let error as AutomationError {
      throw DecodingError.dataCorruptedError(in: box, debugDescription: "\(error)")
    }
  }

  /// Encodes the path's text.
  public func encode(to encoder: any Encoder) throws {
    var box = encoder.singleValueContainer()
    try box.encode(description)
  }
}
