// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

/// Returns a sine of amplitude 1 at an absolute frame.
func sineValue(_ frequency: Double, at frame: Int64, rate: Double = 48_000) -> Double {
  sin(2 * .pi * frequency / rate * Double(frame))
}
