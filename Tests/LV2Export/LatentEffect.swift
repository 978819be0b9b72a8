// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

/// Inverts its input, adds its side chain, and delays the sum by as many frames as are set. It clears its outputs
/// before it reads its inputs, so its output is wrong if they share buffers.
struct LatentEffect: Effect, ~Copyable {
  enum Parameter: Int, CaseIterable, Sendable {
    case lateness
    case level
  }

  struct Parameters: ParameterList {
    /// The latency in frames.
    var lateness: TypedParameter<Parameter, Int> {
      .init(
        .lateness, "lateness", name: "Lateness", "How late", unit: .frames, range: 0...100, default: 0,
        curve: .integer)
    }
    /// The gain as a factor.
    var level: TypedParameter<Parameter, Float> {
      .init(.level, "level", name: "Level", "How loud", range: 0...1, default: 1, glide: 0.01)
    }

    func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .lateness: lateness.description
      case .level: level.description
      }
    }
  }

  static var description: EffectDescription {
    EffectDescription(
      "late", name: "Late", "For tests", uri: "urn:swiftlet:test:late", lv2Class: "UtilityPlugin",
      inputs: [EffectBus("in"), EffectBus("sidechain")],
      meters: [MeterDescription("longest-block", unit: .frames, range: 0...8192)])
  }

  private(set) var latency = 0
  private var level = Ramp(1)
  private var longest = 0
  private var first = DelayLine(longest: 2048), second = DelayLine(longest: 2048)

  init(_ layout: Layout) throws(EffectError) {
    try layout.require(channels: 1...2)
    guard layout.sampleRate < 100_000 else { throw .sampleRate(layout.sampleRate) }
  }

  mutating func reset() {
    first.clear()
    second.clear()
    level.finish()
  }

  mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .lateness: latency = Int(value)
    case .level: level.glide(to: value, over: frames)
    }
  }

  mutating func process(_ block: Block) {
    longest = max(longest, block.frameCount)
    block.show(Float(longest), on: 0)
    let output = block.output()
    for channel in 0..<output.channelCount { output[channel].clear() }
    for channel in 0..<output.channelCount {
      let main = block.input()[channel], side = block.input(bus: 1)[channel]
      for frame in 0..<block.frameCount {
        let sample = (side[frame] - main[frame]) * level.value(after: frame + 1)
        if channel == 0 {
          first.write(sample)
          output[channel][frame] = first.read(delay: latency + 1)
        } else {
          second.write(sample)
          output[channel][frame] = second.read(delay: latency + 1)
        }
      }
    }
    level.skip(block.frameCount)
  }
}
