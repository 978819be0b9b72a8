// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// What is set of a voice, at one frame and on its way from there.
struct VoiceSettings {
  /// By the numbers of the parameters.
  private var ramps: [Ramp]

  /// All as nobody has said otherwise.
  init() { ramps = VoiceProcessing.parameters.map { Ramp($0.initial) } }

  /// Where a parameter is after so many frames.
  func value(_ parameter: VoiceProcessing.Parameter, after frames: Int = 0) -> Float {
    ramps[parameter.rawValue].value(after: frames)
  }

  /// Has a parameter move.
  mutating func take(_ turn: SoundBoard.Turn) {
    guard ramps.indices.contains(turn.parameter) else { return }
    ramps[turn.parameter].glide(to: turn.value, over: turn.length)
  }

  /// Goes on by some frames.
  mutating func skip(_ frames: Int) { for place in ramps.indices { ramps[place].skip(frames) } }

  /// Has all arrive where it is heading.
  mutating func finish() { for place in ramps.indices { ramps[place].finish() } }
}
