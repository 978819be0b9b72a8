// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What stands after `--dummy=`: `48000/64`, the rate and the period of a private server.
struct DummyRate: Equatable, Sendable, CustomStringConvertible {
  /// Frames a second.
  var sampleRate = 48_000
  /// Frames a cycle.
  var period = 256

  /// What fits, in words.
  static let expected =
    "a rate from 8000 to 384000 Hz, and a period from 16 to 8192 frames that is a power of two, as in --dummy=48000/64"

  /// The usual server.
  init() {}

  /// Reads `48000/64` or `48000`.
  init?(_ argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let rate = parts.first.flatMap({ Int($0) }), 8000...384_000 ~= rate else {
      return nil
    }
    sampleRate = rate
    guard parts.count == 2 else { return }
    guard let period = Int(parts[1]), 16...8192 ~= period, period.nonzeroBitCount == 1 else { return nil }
    self.period = period
  }

  var description: String { "\(sampleRate)/\(period)" }

  /// A bare `--dummy` as the argument parser wants it: what follows is no rate,
  /// but a manifest or another option.
  static func spelledOut(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.count
    return arguments.enumerated().map { place, word in
      word == "--dummy" && place < end ? "--dummy=\(DummyRate())" : word
    }
  }
}
