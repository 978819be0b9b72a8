// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import Swiftlet

/// A range of times on the command line: `0:10..0:45.5`, `10s..` up to the end, `..2min` from the start, `5|1..9|1`
/// in the manifest's bars.
struct TimeRange: Equatable, Sendable {
  /// The start and end as written. Empty text stands for the start or end of the whole.
  private let from: String, to: String

  /// The accepted values, in words.
  private static let expected = "expected a range of times, as in 0:10..0:45.5, 10s.., ..2min or 5|1..9|1"

  /// Parses `0:10..0:45.5`.
  ///
  /// - Throws: A `ValidationError` with the accepted values and the error of a time.
  init(_ argument: String) throws {
    guard let dots = argument.firstRange(of: "..") else { throw ValidationError(Self.expected) }
    from = String(argument[..<dots.lowerBound])
    to = String(argument[dots.upperBound...])
    do {
      // Times in frames depend on the sample rate and times in bars on the tempo, which are not known yet. All other
      // times are checked here.
      guard !from.contains("|"), !to.contains("|") else {
        for text in [from, to] where text.contains("|") && BarBeat(text) == nil {
          throw TimeError.unreadable(text)
        }
        return
      }
      guard !(try range(at: 48_000, end: .latest)).isEmpty else { throw ValidationError(Self.expected) }
    } catch let error as TimeError {
      throw ValidationError("\(Self.expected); \(error)")
    }
  }

  /// Returns the range for a sample rate, a tempo map, and the end of the whole.
  ///
  /// - Throws: ``TimeError``.
  func range(at rate: Double, tempo: TempoMap? = nil, end: MediaTime) throws -> Range<MediaTime> {
    func time(_ text: String) throws -> MediaTime { try MediaTime(text, sampleRate: rate, tempo: tempo) }
    let start = from.isEmpty ? MediaTime.zero : try time(from)
    return try Range(from: start, to: to.isEmpty ? max(start, end) : try time(to))
  }
}
