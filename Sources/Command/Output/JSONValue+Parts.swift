// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletManifest

extension JSONValue {
  /// The first field of all `--json` output: the version of its format. The version increases when a key changes its
  /// meaning or is removed.
  static var format: (key: String, value: JSONValue) { ("format", .integer(1)) }

  /// Returns the text as a JSON string, or null.
  static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

  /// Returns a number with the shortest digits of a 32-bit float: 0.1, not 0.10000000149.
  static func float(_ value: Float) -> JSONValue { .number(Double(value.description) ?? Double(value)) }
}
