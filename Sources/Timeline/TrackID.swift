// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The identity of a track in a composition: its name.
public struct TrackID: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name, unique in the composition.
  public let name: String

  /// Creates the identity of the track with this name.
  public init(_ name: String) { self.name = name }

  /// Creates an identity from a string literal.
  public init(stringLiteral name: String) { self.name = name }
}

extension TrackID: Comparable, CustomStringConvertible {
  public static func < (a: TrackID, b: TrackID) -> Bool { a.name < b.name }

  public var description: String { name }
}

extension TrackID: Codable, CodingKeyRepresentable {
  /// The name as a key of a dictionary.
  public var codingKey: any CodingKey { NameKey(name) }

  /// Creates an identity from a key.
  public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }

  /// Decodes the name.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the name.
  public func encode(to encoder: any Encoder) throws {
    var box = encoder.singleValueContainer()
    try box.encode(name)
  }
}

/// A name as a coding key.
struct NameKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}
