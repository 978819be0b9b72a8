// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Names a track of a composition.
public struct TrackID: Hashable, Sendable, ExpressibleByStringLiteral {
  /// Its name, which no other track of the composition has.
  public let name: String

  /// The track of this name.
  public init(_ name: String) { self.name = name }

  /// The track that a literal names.
  public init(stringLiteral name: String) { self.name = name }
}

extension TrackID: Comparable, CustomStringConvertible {
  public static func < (a: TrackID, b: TrackID) -> Bool { a.name < b.name }

  public var description: String { name }
}

extension TrackID: Codable, CodingKeyRepresentable {
  /// The name as a key of a dictionary.
  public var codingKey: any CodingKey { NameKey(name) }

  /// Reads the name from a key.
  public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }

  /// Reads the name.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the name.
  public func encode(to encoder: any Encoder) throws {
    var box = encoder.singleValueContainer()
    try box.encode(name)
  }
}

/// A name that somebody gave, as a key.
struct NameKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}
