// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Names a parameter of a node: `echo.feedback`, `tone.bands[2].gain`.
public struct ParameterPath: Hashable, Sendable {
  /// The node's name.
  public let node: String
  /// The parameter's symbol, as the node's own settings write it; bands are counted from 1.
  public let parameter: String

  /// A parameter of a node.
  package init(node: String, parameter: String) {
    self.node = node
    self.parameter = parameter
  }

  /// Reads `node.parameter`.
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
  /// As it is read: `echo.feedback`.
  public var description: String { "\(node).\(parameter)" }
}

extension ParameterPath: Codable, CodingKeyRepresentable {
  /// The path as a key of a dictionary.
  public var codingKey: any CodingKey { NameKey(description) }

  /// Reads the path from a key.
  public init?(codingKey: some CodingKey) { try? self.init(codingKey.stringValue) }

  /// Reads the path's text.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.singleValueContainer()
    do { try self.init(box.decode(String.self)) } catch let error as AutomationError {
      throw DecodingError.dataCorruptedError(in: box, debugDescription: "\(error)")
    }
  }

  /// Writes the path's text.
  public func encode(to encoder: any Encoder) throws {
    var box = encoder.singleValueContainer()
    try box.encode(description)
  }
}
