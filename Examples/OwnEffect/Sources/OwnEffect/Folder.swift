// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletEffectKit

/// A wave folder: folds samples above a threshold back towards silence, which gives a bright distortion.
struct Folder: Effect, ~Copyable {
  enum Parameter: Int, CaseIterable, Sendable {
    /// The level, as a factor of full scale, at which sound is folded.
    case threshold
  }

  struct Parameters: ParameterList {
    /// The level, as a factor of full scale, at which sound is folded.
    var threshold: TypedParameter<Parameter, Float> {
      .init(
        .threshold, "threshold", name: "Threshold", "Louder sound is folded back", range: 0.05...1,
        default: 0.5)
    }

    func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .threshold: threshold.description
      }
    }
  }

  enum Preset: PresetList {
    case soft, hard

    func describe() -> EffectPreset {
      switch self {
      case .soft: EffectPreset("soft", [(Parameter.threshold.rawValue, 0.7)])
      case .hard: EffectPreset("hard", [(Parameter.threshold.rawValue, 0.2)])
      }
    }
  }

  static var description: EffectDescription {
    EffectDescription(
      "folder", name: "Folder", "Folds what is too loud", uri: "urn:example:folder",
      lv2Class: "WaveshaperPlugin",
      worksInPlace: true)
  }

  private var threshold = Ramp(0.5)

  init(_ layout: Layout) throws(EffectError) {}

  @_noLocks @_noAllocation mutating func reset() { threshold.finish() }

  @_noLocks @_noAllocation mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .threshold: threshold.glide(to: value, over: frames)
    }
  }

  @_noLocks @_noAllocation mutating func process(_ block: Block) {
    let input = block.input(), output = block.output()
    for channel in 0..<output.channelCount {
      var limit = threshold
      let dry = input[channel], wet = output[channel]
      for frame in 0..<block.frameCount {
        let edge = limit.next(), sample = dry[frame]
        wet[frame] = sample > edge ? 2 * edge - sample : sample < -edge ? -2 * edge - sample : sample
      }
    }
    threshold.skip(block.frameCount)
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Folder, _ block: Block) {
  effect.set(.threshold, to: 0.5, over: 0)
  effect.reset()
  effect.process(block)
}
