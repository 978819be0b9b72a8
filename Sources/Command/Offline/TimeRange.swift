// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import Swiftlet

/// A range of times on the command line: `0:10..0:45.5`, `10s..` to the end, `..2min` from the start.
struct TimeRange: Equatable, Sendable {
  /// Where it begins and ends, as it was written; empty for the start, and for the end.
  private let from: String, to: String

  /// What fits, in words.
  private static let expected = "expected a range of times, as in 0:10..0:45.5, 10s.. or ..2min"

  /// Reads `0:10..0:45.5`.
  ///
  /// - Throws: a `ValidationError` that says what is expected, and what is wrong with a time.
  init(_ argument: String) throws {
    guard let dots = argument.firstRange(of: "..") else { throw ValidationError(Self.expected) }
    from = String(argument[..<dots.lowerBound])
    to = String(argument[dots.upperBound...])
    do {
      // Frames are of a rate that is not known yet; all else is.
      guard !(try range(at: 48_000, end: .latest)).isEmpty else { throw ValidationError(Self.expected) }
    } catch let error as TimeError {
      throw ValidationError("\(Self.expected); \(error)")
    }
  }

  /// The range, where a frame is of `rate` and all ends at `end`.
  ///
  /// - Throws: ``TimeError``.
  func range(at rate: Double, end: MediaTime) throws -> Range<MediaTime> {
    let start = from.isEmpty ? MediaTime.zero : try MediaTime(from, sampleRate: rate)
    return try Range(from: start, to: to.isEmpty ? max(start, end) : try MediaTime(to, sampleRate: rate))
  }
}
