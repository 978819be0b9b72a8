// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The value of a plugin's property, in the type that the plugin expects.
package enum PropertyValue: Sendable, Equatable {
  /// An absolute path.
  case path(String)
  case text(String)
  case uri(String)
  case bool(Bool)
  case int(Int32)
  case long(Int64)
  case float(Float)
  case double(Double)
  /// Numbers, all of the same type as the first.
  case vector([PropertyValue])

  /// The value as a number; nil for text and vectors.
  package var number: Double? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .int(let value): Double(value)
    case .long(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .path, .text, .uri, .vector: nil
    }
  }

  /// The value as text.
  package var written: String {
    switch self {
    case .path(let text), .text(let text), .uri(let text): text
    case .bool(let value): value ? "true" : "false"
    case .int(let value): "\(value)"
    case .long(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .vector(let values): values.map(\.written).joined(separator: ", ")
    }
  }
}
