// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Delay {
  private static func preset(
    _ name: StaticString, time: Float, sync: Float = 0, change: Float = 0, feedback: Float,
    highPass: Float = openHighPass, lowPass: Float, pingPong: Float = 0, mix: Float
  ) -> EffectPreset {
    EffectPreset(
      name,
      [
        (Parameter.time.rawValue, time), (Parameter.sync.rawValue, sync),
        (Parameter.change.rawValue, change), (Parameter.feedback.rawValue, feedback),
        (Parameter.highPass.rawValue, highPass), (Parameter.lowPass.rawValue, lowPass),
        (Parameter.pingPong.rawValue, pingPong), (Parameter.mix.rawValue, mix),
      ])
  }
}

extension Delay {
  /// The presets. Each sets all parameters.
  public enum Preset: PresetList {
    /// One repeat after 110 ms.
    case slapback
    /// One repeat after 28 ms, as if performed twice.
    case doubling
    /// Repeats every 375 ms, each darker than the one before.
    case echo
    /// Dark repeats every 460 ms; a change of the time bends the pitch, as on a tape machine.
    case tape
    /// Long repeats every 900 ms.
    case canyon
    /// Repeats every 375 ms that alternate between the sides, the left one first.
    case pingPong
    /// Repeats at dotted eighth notes of the transport's tempo; without a tempo, every 375 ms.
    case dottedEighth
    /// Repeats at quarter notes of the transport's tempo; without a tempo, every 500 ms.
    case quarter
    /// Many dark repeats at dotted quarter notes of the transport's tempo; without a tempo, every 560 ms.
    case dub

    public func describe() -> EffectPreset {
      switch self {
      case .slapback:
        preset("slapback", time: 110, feedback: 0, lowPass: 6000, mix: 30)
      case .doubling:
        preset("doubling", time: 28, feedback: 0, lowPass: 12_000, mix: 40)
      case .echo:
        preset("echo", time: 375, feedback: 35, lowPass: 6000, mix: 28)
      case .tape:
        preset("tape", time: 460, change: 1, feedback: 55, highPass: 120, lowPass: 2800, mix: 32)
      case .canyon:
        preset("canyon", time: 900, feedback: 65, lowPass: 3500, mix: 35)
      case .pingPong:
        preset("ping-pong", time: 375, feedback: 45, highPass: 150, lowPass: 7000, pingPong: 1, mix: 30)
      case .dottedEighth:
        preset("dotted-eighth", time: 375, sync: 10, feedback: 35, highPass: 120, lowPass: 8000, mix: 30)
      case .quarter:
        preset("quarter", time: 500, sync: 3, feedback: 40, highPass: 120, lowPass: 6000, mix: 28)
      case .dub:
        preset("dub", time: 560, sync: 9, change: 1, feedback: 82, highPass: 300, lowPass: 2200, mix: 40)
      }
    }
  }
}
