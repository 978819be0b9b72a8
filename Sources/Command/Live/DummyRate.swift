// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The value of `--dummy=`, such as `48000/64`: the sample rate and the period of a private server.
struct DummyRate: Equatable, Sendable, CustomStringConvertible {
  /// The sample rate in frames a second.
  var sampleRate = 48_000
  /// The period in frames.
  var period = 256

  /// The accepted values, in words.
  static let expected =
    "a rate from 8000 to 384000 Hz, and a period from 16 to 8192 frames that is a power of two, as in --dummy=48000/64"

  /// Creates the default: 48000 Hz with a period of 256 frames.
  init() {}

  /// Parses `48000/64` or `48000`.
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

  /// Replaces a `--dummy` without a value by `--dummy=48000/256`, so that the argument parser does not take the next
  /// argument as its value.
  static func spelledOut(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.count
    return arguments.enumerated().map { index, word in
      word == "--dummy" && index < end ? "--dummy=\(DummyRate())" : word
    }
  }
}
