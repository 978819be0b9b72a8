// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// Levels as meters show them.
package enum Level {
  /// What digital silence reads, and everything below it: -160 dBFS.
  package static let floor: Float = -160

  /// An amplitude in decibels of full scale: 1 is 0 dBFS, silence is ``floor``.
  package static func decibels(_ amplitude: Float) -> Float {
    // Not a number reads as silence: a meter shows what can be heard.
    guard amplitude > 0 else { return floor }
    return max(20 * log10f(amplitude), floor)
  }
}
