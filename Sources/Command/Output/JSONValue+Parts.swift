// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletManifest

extension JSONValue {
  /// What every `--json` begins with: the version of what it prints. It goes up when a
  /// key changes its meaning or goes.
  static var format: (key: String, value: JSONValue) { ("format", .integer(1)) }

  /// The text, or null.
  static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

  /// A number with the digits it has as a 32-bit float: 0.1, not 0.10000000149.
  static func float(_ value: Float) -> JSONValue { .number(Double(value.description) ?? Double(value)) }
}
