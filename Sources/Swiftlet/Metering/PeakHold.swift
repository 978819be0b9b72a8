// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The peak hold of a meter: a peak is held for a while, then falls linearly in dB until a higher one comes.
package struct PeakHold: Sendable, Equatable {
  private let hold: Double, fall: Double
  private var top = -Double.infinity, since = 0.0

  /// Creates a peak hold.
  ///
  /// - Parameters:
  ///   - hold: the hold time in seconds.
  ///   - fall: the fall in dB a second.
  package init(for hold: Double, falling fall: Double) {
    self.hold = hold
    self.fall = fall
  }

  /// Processes a peak in dB, at a time in seconds that does not decrease.
  ///
  /// - Returns: the peak to show; −infinity before the first.
  package mutating func take(_ peak: Double, at time: Double) -> Double {
    let wait = time - since - hold
    // Computed from the start of the fall, so that the result does not depend on how often this is called.
    let held = wait > 0 ? top - wait * fall : top
    guard peak >= held else { return held }
    (top, since) = (peak, time)
    return peak
  }
}
