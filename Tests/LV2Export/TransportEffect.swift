// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

/// Outputs the transport position as samples, shows the rest of the transport as meters, and passes MIDI events on.
struct TransportEffect: Effect, ~Copyable {
  enum Parameter: Int, CaseIterable, Sendable {
    case level
  }

  struct Parameters: ParameterList {
    /// A parameter without effect.
    var level: TypedParameter<Parameter, Float> {
      .init(.level, "level", name: "Level", "Of no use", range: 0...1, default: 1)
    }

    func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .level: level.description
      }
    }
  }

  static var description: EffectDescription {
    let meters: [StaticString] = ["rolling", "tempo", "bar", "beat", "beats-per-bar", "beat-unit", "blocks"]
    return EffectDescription(
      "song", name: "Song", "For tests", uri: "urn:swiftlet:test:song", lv2Class: "MIDIPlugin",
      inputs: [EffectBus("in"), EffectBus("keys", .events)],
      outputs: [EffectBus("out"), EffectBus("keys", .events)],
      meters: meters.map { MeterDescription($0, unit: .none, range: 0...1000) }, followsTransport: true)
  }

  private var blocks: Float = 0

  init(_ layout: Layout) throws(EffectError) { try layout.require(channels: 0...2) }

  mutating func reset() { blocks = 0 }
  mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {}

  mutating func process(_ block: Block) {
    let transport = block.transport
    blocks += 1
    let shown = [
      transport.isRolling ? 1 : 0, Float(transport.tempo), Float(transport.bar), Float(transport.beat),
      transport.beatsPerBar,
      transport.beatUnit, blocks,
    ]
    for (index, value) in shown.enumerated() { block.show(value, on: index) }
    for channel in 0..<block.output().channelCount {
      for frame in 0..<block.frameCount {
        block.output()[channel][frame] = Float(transport.position) + (transport.isRolling ? Float(frame) : 0)
      }
    }
    guard let played = block.input(bus: 1).events, let passed = block.output(bus: 1).events else { return }
    var next = played.first
    while let event = next {
      // Only events inside this block are passed on.
      if event.header.frame >= block.frame, event.header.frame < block.frame + Int64(block.frameCount) {
        passed.append(event.header, bytes: event.bytes)
      }
      next = played.next(after: event)
    }
  }
}
