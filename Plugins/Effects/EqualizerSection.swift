// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// One filter of second order in a band: what it multiplies with, and where that goes.
struct EqualizerSection: BitwiseCopyable {
  /// What the filter multiplies with: at rest all the time, on the move after the frame last worked on.
  var coefficients: BiquadCoefficients
  /// What the coefficients are after the stretch being worked on; written by who runs the filter.
  var reached: BiquadCoefficients
  /// What is added to them each frame while they move.
  var step: BiquadCoefficients
  /// What they were before the band's kind, slope or switch was changed last.
  var before: BiquadCoefficients
  /// What they are at the end of the segment.
  var arrival: BiquadCoefficients

  /// A section at rest.
  @_noLocks @_noAllocation init(_ coefficients: BiquadCoefficients) {
    self.coefficients = coefficients
    reached = coefficients
    step = coefficients
    before = coefficients
    arrival = coefficients
  }
}
