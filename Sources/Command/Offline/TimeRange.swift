// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import Swiftlet

/// A range of times on the command line: `0:10..0:45.5`, `10s..` to the end, `..2min` from the start, `5|1..9|1` in
/// the manifest's bars.
struct TimeRange: Equatable, Sendable {
  /// Where it begins and ends, as it was written; empty for the start, and for the end.
  private let from: String, to: String

  /// What fits, in words.
  private static let expected = "expected a range of times, as in 0:10..0:45.5, 10s.., ..2min or 5|1..9|1"

  /// Reads `0:10..0:45.5`.
  ///
  /// - Throws: a `ValidationError` that says what is expected, and what is wrong with a time.
  init(_ argument: String) throws {
    guard let dots = argument.firstRange(of: "..") else { throw ValidationError(Self.expected) }
    from = String(argument[..<dots.lowerBound])
    to = String(argument[dots.upperBound...])
    do {
      // Frames are of a rate that is not known yet, and bars of a song; all else is.
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

  /// The range, where a frame is of `rate`, bars and beats lie as `tempo` says, and all ends at `end`.
  ///
  /// - Throws: ``TimeError``.
  func range(at rate: Double, tempo: TempoMap? = nil, end: MediaTime) throws -> Range<MediaTime> {
    func time(_ text: String) throws -> MediaTime { try MediaTime(text, sampleRate: rate, tempo: tempo) }
    let start = from.isEmpty ? MediaTime.zero : try time(from)
    return try Range(from: start, to: to.isEmpty ? max(start, end) : try time(to))
  }
}
