// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// Conversions between decibels and amplitude factors.
///
/// Three levels stand for silence:
///
/// - ``silence``, −96 dB, closes the faders of effects and players. It is the lowest value of their parameters, which
///   presets, LV2 ports and manifests contain, the deepest ducking, and the end of an automation line in decibels that
///   goes to silence.
/// - `wireSilence`, −120 dB, closes wires and mixers. It is the lowest gain of a wire in a manifest, and the lowest
///   reading of the meters of the effect `loudness`.
/// - ``meterFloor``, −160 dB, closes nothing. Meters and reports show it for digital silence. It lies below the step of
///   a 24-bit sample, −138.5 dB, so that the softest signal reads as more than silence.
///
/// The three stay different because their values are stored in documents: a wire passes −100 dB, which an effect's
/// fader takes as silence, and meters show levels below −120 dB.
public enum Decibels {
  /// The level at and below which a fader of an effect or a player is closed: −96 dB.
  @inlinable public static var silence: Float { @_noLocks @_noAllocation get { -96 } }

  /// ``silence`` as an amplitude: 10^(−96 / 20).
  package static var silentAmplitude: Double { @_noLocks @_noAllocation get { 1.584_893_192_461_113e-5 } }

  /// The level at and below which a wire or a mixer is closed: −120 dB, the lowest gain that a manifest can have and
  /// the lowest reading of the effect `loudness`.
  package static var wireSilence: Float { @_noLocks @_noAllocation get { -120 } }

  /// The level that meters and reports show for digital silence and for everything below it: −160 dB.
  public static var meterFloor: Float { -160 }

  /// Returns an amplitude in decibels of full scale as meters and reports show it: 1 is 0 dBFS. NaN reads as
  /// ``meterFloor``.
  public static func meter(_ amplitude: Float) -> Float {
    guard amplitude > 0 else { return meterFloor }
    return max(20 * rt_log10(amplitude), meterFloor)
  }

  /// Returns the level of an amplitude in decibels: 1 is 0 dB, 10 is 20 dB, 0 is −infinity; a negative amplitude gives
  /// NaN.
  @_noLocks @_noAllocation package static func level(_ amplitude: Float) -> Float { 20 * rt_log10(amplitude) }

  /// Returns the same as ``level(_:)``, in double precision.
  @_noLocks @_noAllocation package static func level(_ amplitude: Double) -> Double {
    20 * rt_log10_double(amplitude)
  }

  /// Returns the level of a power, which is an amplitude squared, in decibels.
  @_noLocks @_noAllocation package static func level(ofPower power: Double) -> Double {
    10 * rt_log10_double(power)
  }

  /// Returns the gain factor for `decibels`: 0 dB is exactly 1, −6.02 dB is 0.5, 20 dB is 10.
  @_noLocks @_noAllocation public static func amplitude(_ decibels: Float) -> Float {
    Float(amplitude(Double(decibels)))
  }

  /// Returns the same as ``amplitude(_:)``, in double precision.
  @_noLocks @_noAllocation package static func amplitude(_ decibels: Double) -> Double {
    rt_pow_double(10, decibels / 20)
  }

  /// Returns the power for `decibels`: 0 dB is exactly 1, 10 dB is 10.
  @_noLocks @_noAllocation package static func power(_ decibels: Double) -> Double {
    rt_pow_double(10, decibels / 10)
  }

  /// Returns the gain factor of a fader at `decibels`: the same as ``amplitude(_:)``, but 0 at and below ``silence``.
  @_noLocks @_noAllocation public static func fader(_ decibels: Float) -> Float {
    decibels <= silence ? 0 : amplitude(decibels)
  }
}
