// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The coefficients of one second-order section in a band, and their targets.
struct EqualizerSection: BitwiseCopyable {
  /// The current coefficients; while they move, those after the last processed frame.
  var coefficients: BiquadCoefficients
  /// The coefficients at the end of the current slice; the code that runs the section writes them.
  var reached: BiquadCoefficients
  /// The step of the coefficients in each frame while they move.
  var step: BiquadCoefficients
  /// The coefficients before the last change of the band's kind, slope or on/off switch.
  var before: BiquadCoefficients
  /// The coefficients at the end of the segment.
  var arrival: BiquadCoefficients

  /// Creates a section at rest.
  @_noLocks @_noAllocation init(_ coefficients: BiquadCoefficients) {
    self.coefficients = coefficients
    reached = coefficients
    step = coefficients
    before = coefficients
    arrival = coefficients
  }
}
