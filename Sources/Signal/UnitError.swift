// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Why a unit cannot be made.
public enum UnitError: Error, Equatable, Sendable {
  /// A sample rate the unit cannot work at.
  case sampleRate(Double)
  /// A number of channels the unit cannot work with.
  case channels(Int)
  /// A number of bands outside the description's range.
  case bands(Int)
}

#if !hasFeature(Embedded)
  extension UnitError: CustomStringConvertible {
    public var description: String {
      switch self {
      case .sampleRate(let rate):
        "a sample rate of \(rate) Hz is none an effect can work at; use one from 1000 to 1000000 Hz"
      case .channels(let count):
        "this effect cannot work with \(count) channels; give it fewer, and its output as many as its input"
      case .bands(let count):
        "this effect cannot have \(count) bands; its description says how many it may have"
      }
    }
  }
#endif
