// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The parameter values of voice processing at one frame, with their glides.
struct VoiceSettings {
  /// The values by parameter index.
  private var ramps: [Ramp]

  /// Creates the default values.
  init() { ramps = VoiceProcessing.parameters.map { Ramp($0.initial) } }

  /// Returns the value of a parameter `frames` frames from now.
  func value(_ parameter: VoiceProcessing.Parameter, after frames: Int = 0) -> Float {
    ramps[parameter.rawValue].value(after: frames)
  }

  /// Starts the glide of a parameter change.
  mutating func apply(_ change: SideBuffers.ParameterChange) {
    guard ramps.indices.contains(change.parameter) else { return }
    ramps[change.parameter].glide(to: change.value, over: change.length)
  }

  /// Advances by `frames` frames.
  mutating func skip(_ frames: Int) { for index in ramps.indices { ramps[index].skip(frames) } }

  /// Finishes all glides.
  mutating func finish() { for index in ramps.indices { ramps[index].finish() } }
}
