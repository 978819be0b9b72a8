// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// Level as people say it, and as samples are multiplied by it.
public enum Decibels {
  /// Where a fader reads silence: at −96 dB and below it lets nothing through.
  @inlinable public static var silence: Float { @_noLocks @_noAllocation get { -96 } }

  /// What meters and reports show for digital silence, and for everything below it.
  public static var meterFloor: Float { -160 }

  /// An amplitude as meters and reports show it, in decibels of full scale: 1 is 0 dBFS. What is not a number reads as
  /// silence, ``meterFloor``.
  public static func meter(_ amplitude: Float) -> Float {
    guard amplitude > 0 else { return meterFloor }
    return max(20 * rt_log10(amplitude), meterFloor)
  }

  /// What to multiply by for `decibels`: 0 dB is exactly 1, −6.02 dB a half, 20 dB ten.
  @_noLocks @_noAllocation public static func amplitude(_ decibels: Float) -> Float {
    Float(rt_pow_double(10, Double(decibels) / 20))
  }

  /// What a fader at `decibels` multiplies by: as ``amplitude(_:)``, but nothing from ``silence`` down.
  @_noLocks @_noAllocation public static func fader(_ decibels: Float) -> Float {
    decibels <= silence ? 0 : amplitude(decibels)
  }
}
