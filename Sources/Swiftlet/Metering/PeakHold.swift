// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A peak as meters show it: it is held for a while, and then falls evenly until a higher one comes.
package struct PeakHold: Sendable, Equatable {
  private let hold: Double, fall: Double
  private var top = -Double.infinity, since = 0.0

  /// Holds each peak for so many seconds, and lets it fall by so many dB a second.
  package init(for hold: Double, falling fall: Double) {
    self.hold = hold
    self.fall = fall
  }

  /// Takes in a peak in dB, at a time in seconds that does not run backwards.
  ///
  /// - Returns: the peak to be shown; −infinity before any.
  package mutating func take(_ peak: Double, at time: Double) -> Double {
    let wait = time - since - hold
    // From where it began to fall, so that it does not matter how often one looks.
    let held = wait > 0 ? top - wait * fall : top
    guard peak >= held else { return held }
    (top, since) = (peak, time)
    return peak
  }
}
