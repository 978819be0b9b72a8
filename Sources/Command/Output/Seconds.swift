// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletManifest
internal import SwiftletSignal

/// A length of time on the command line: seconds, as in `10` and `1.5`, or with a unit, as in `500ms`.
struct Seconds: ExpressibleByArgument, Equatable, Sendable, CustomStringConvertible {
  /// How long, from 0 to a hundred days.
  var value: Double

  /// So many seconds.
  init(_ value: Double) { self.value = value }

  init?(argument: String) {
    guard let value = Quantity(argument)?.value(in: .seconds), 0...8_640_000 ~= value else { return nil }
    self.value = value
  }

  var description: String { Digits.short(value) }
}
