// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// Level as people say it, and as samples are multiplied by it.
///
/// Three levels stand for silence:
///
/// - ``silence``, −96 dB, closes the faders of effects and players. It is the lowest value of their parameters, which presets,
///   LV2 ports and manifests contain, the deepest ducking, and the end of a line in decibels that goes to silence.
/// - `wireSilence`, −120 dB, closes wires and mixers. It is the lowest gain of a wire in a manifest, and the lowest reading of
///   the meters of the effect `loudness`.
/// - ``meterFloor``, −160 dB, closes nothing. It is what meters and reports show of digital silence, and lies below the step
///   of a 24-bit sample, −138.5 dB, so that the softest sound reads as more than silence.
///
/// They stay apart because their values are written down: wires let −100 dB through, which an effect's fader takes as
/// silence, and meters show levels below −120 dB.
public enum Decibels {
  /// Where a fader of an effect or a player reads silence: at −96 dB and below it lets nothing through.
  @inlinable public static var silence: Float { @_noLocks @_noAllocation get { -96 } }

  /// ``silence`` as an amplitude: 10^(−96 / 20).
  package static var silentAmplitude: Double { @_noLocks @_noAllocation get { 1.584_893_192_461_113e-5 } }

  /// Where a wire or a mixer lets nothing through: at −120 dB, the lowest gain that a manifest names, and below it. The
  /// effect `loudness` reads no less.
  package static var wireSilence: Float { @_noLocks @_noAllocation get { -120 } }

  /// What meters and reports show for digital silence, and for everything below: −160 dB.
  public static var meterFloor: Float { -160 }

  /// An amplitude as meters and reports show it, in decibels of full scale: 1 is 0 dBFS. What is not a number reads as
  /// silence, ``meterFloor``.
  public static func meter(_ amplitude: Float) -> Float {
    guard amplitude > 0 else { return meterFloor }
    return max(20 * rt_log10(amplitude), meterFloor)
  }

  /// The level of an amplitude, in decibels: 1 is 0 dB, ten is 20 dB, 0 is minus infinity, and less is not a number.
  @_noLocks @_noAllocation package static func level(_ amplitude: Float) -> Float { 20 * rt_log10(amplitude) }

  /// As ``level(_:)``, with the digits of a `Double`.
  @_noLocks @_noAllocation package static func level(_ amplitude: Double) -> Double {
    20 * rt_log10_double(amplitude)
  }

  /// The level of a power, which is an amplitude squared, in decibels.
  @_noLocks @_noAllocation package static func level(ofPower power: Double) -> Double {
    10 * rt_log10_double(power)
  }

  /// What to multiply by for `decibels`: 0 dB is exactly 1, −6.02 dB a half, 20 dB ten.
  @_noLocks @_noAllocation public static func amplitude(_ decibels: Float) -> Float {
    Float(amplitude(Double(decibels)))
  }

  /// As ``amplitude(_:)``, with the digits of a `Double`.
  @_noLocks @_noAllocation package static func amplitude(_ decibels: Double) -> Double {
    rt_pow_double(10, decibels / 20)
  }

  /// The power at `decibels`: 0 dB is exactly 1, 10 dB ten.
  @_noLocks @_noAllocation package static func power(_ decibels: Double) -> Double {
    rt_pow_double(10, decibels / 10)
  }

  /// What a fader at `decibels` multiplies by: as ``amplitude(_:)``, but nothing from ``silence`` down.
  @_noLocks @_noAllocation public static func fader(_ decibels: Float) -> Float {
    decibels <= silence ? 0 : amplitude(decibels)
  }
}
