// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletGraph
internal import SwiftletManifest
internal import SwiftletSignal

/// A duration on the command line: seconds, as in `10` and `1.5`, or with a unit, as in `500ms`.
struct Seconds: Equatable, Sendable, CustomStringConvertible {
  /// The duration in seconds, from 0 to 8,640,000 (a hundred days).
  var value: Double

  /// The accepted values, in words.
  static let expected = "seconds from 0 to 8640000, or a time with its unit, as in 10, 1.5 or 500ms"

  /// Creates a duration in seconds.
  init(_ value: Double) { self.value = value }

  /// Parses `10`, `1.5` or `500ms`.
  init?(_ argument: String) {
    guard let value = Quantity(argument)?.value(in: .seconds), 0...8_640_000 ~= value else { return nil }
    self.value = value
  }

  var description: String { Digits.short(value) }
}
