// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// Applies gain, smoothed to avoid clicks.
///
/// A change glides linearly in amplitude, so a fade to −96 dB ends in digital silence. At 0 dB every sample passes
/// bit-identically. 1 to 64 channels.
public struct Gain: Effect {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The gain in decibels; −96 is silence.
    case gain
  }

  public static var description: EffectDescription {
    EffectDescription(
      "gain", name: "Gain", "Applies gain, smoothed to avoid clicks", uri: "urn:swiftlet:gain",
      lv2Class: "AmplifierPlugin", worksInPlace: true)
  }

  private var amplitude = Ramp(1)

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
  }

  @_noLocks @_noAllocation public mutating func reset() { amplitude.finish() }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .gain: amplitude.glide(to: Decibels.fader(value), over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    let source = block.input(), sink = block.output()
    for channel in 0..<sink.channelCount {
      let dry = source[channel], wet = sink[channel]
      if amplitude.isMoving {
        for frame in 0..<block.frameCount {
          wet[frame] = dry[clean: frame] * amplitude.value(after: frame + 1)
        }
      } else {
        let factor = amplitude.target
        for frame in 0..<block.frameCount { wet[frame] = dry[clean: frame] * factor }
      }
    }
    amplitude.skip(block.frameCount)
  }
}

extension Gain {
  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The gain.
    /// Range: −96 dB to 24 dB. Default: 0 dB.
    public var gain: TypedParameter<Parameter, Level> {
      .init(
        .gain, "gain", name: "Gain", "The gain; −96 dB is silence", range: Decibels.silence...24,
        default: .decibels(0))
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .gain: gain.description
      }
    }
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Gain, _ block: Block) {
  effect.set(.gain, to: 0, over: 0)
  effect.reset()
  effect.process(block)
}
