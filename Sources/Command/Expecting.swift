// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser

/// Reads a word of the command line with `read`; of one that does not fit it says what is expected.
func expecting<Value>(
  _ expected: String, _ read: @escaping @Sendable (String) -> Value?
) -> @Sendable (String) throws -> Value {
  { word in
    guard let value = read(word) else { throw ValidationError("expected \(expected)") }
    return value
  }
}

/// Reads a whole number of some range.
func expecting(
  _ unit: String, in range: ClosedRange<Int>, as example: Int
) -> @Sendable (String) throws -> Int {
  expecting(
    "a whole number of \(unit) from \(range.lowerBound) to \(range.upperBound), as in \(example)"
  ) { word in Int(word).flatMap { range.contains($0) ? $0 : nil } }
}
