// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser

/// Returns a parser for an argument of the command line that calls `read`. The parser throws an error that names what
/// is expected if `read` returns nil.
func expecting<Value>(
  _ expected: String, _ read: @escaping @Sendable (String) -> Value?
) -> @Sendable (String) throws -> Value {
  { word in
    guard let value = read(word) else { throw ValidationError("expected \(expected)") }
    return value
  }
}

/// Returns a parser for a whole number within a range.
func expecting(
  _ unit: String, in range: ClosedRange<Int>, as example: Int
) -> @Sendable (String) throws -> Int {
  expecting(
    "a whole number of \(unit) from \(range.lowerBound) to \(range.upperBound), as in \(example)"
  ) { word in Int(word).flatMap { range.contains($0) ? $0 : nil } }
}
