// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import Synchronization
import Testing

/// An effect that is added behind a player which is still connected to the output directly.
@Suite struct DoubledSoundTests {
  /// Collects the engine's reports of doubled sound.
  private final class DoubledSoundLog: Sendable {
    let reported = Mutex<[String]>([])

    func add(_ event: EngineEvent) {
      if case .doubled(let node, let destination) = event {
        reported.withLock { $0.append("\(node) at \(destination)") }
      }
    }
  }

  private func makeEngine() throws -> (
    engine: AudioEngine, output: AudioNode, player: AudioPlayer, gain: AudioNode
  ) {
    let engine = try AudioEngine(.offline(sampleRate: 48_000))
    let output = try engine.attach(.playback(channels: 2, ceiling: nil), name: "desk")
    let buffer = AudioBuffer([[Float](repeating: 0.25, count: 48_000)])
    let player = try AudioPlayer(buffer, on: engine, to: output)
    return (engine, output, player, try engine.attach(.effect("gain"), name: "gain"))
  }

  /// Returns the player's level at the output node, after all fades.
  private func level(_ engine: AudioEngine, _ output: AudioNode) throws -> Float {
    var last: Float = 0
    for _ in 0..<20 { last = try engine.render(512)[output]?[0].last ?? 0 }
    return last
  }

  @Test(arguments: ["the effect first", "the output first", "in a row"])
  func `an effect behind a player's direct wire doubles the sound, and is reported once`(
    order: String
  ) throws {
    let (engine, output, player, gain) = try makeEngine()
    let log = DoubledSoundLog(), token = engine.observe { log.add($0) }
    let source = player.player.node
    switch order {
    case "the effect first":
      try engine.connect(source, to: gain)
      #expect(log.reported.withLock(\.self) == [])
      try engine.connect(gain, to: output)
    case "the output first":
      try engine.connect(gain, to: output)
      #expect(log.reported.withLock(\.self) == [])
      try engine.connect(source, to: gain)
    default: try engine.connect(source, gain, output)
    }
    #expect(log.reported.withLock(\.self) == ["\(source.name) at desk"])
    let other = try engine.attach(.mixer(), name: "other")
    try engine.connect(source, other, output)
    #expect(log.reported.withLock(\.self).count == 1)
    try engine.detach(other)
    try player.play()
    #expect(abs(try level(engine, output) - 0.5) < 1e-6)
    try engine.disconnect(source, from: output)
    #expect(abs(try level(engine, output) - 0.25) < 1e-6)
    token.cancel()
  }

  @Test func `a player heard once at each output is not reported`() throws {
    let (engine, output, player, gain) = try makeEngine()
    let log = DoubledSoundLog(), token = engine.observe { log.add($0) }
    let ears = try engine.attach(.playback(channels: 2, ceiling: nil), name: "ears")
    try engine.connect(player.player.node, gain, ears)
    let bus = try engine.attach(.capture(channels: 2), name: "bus")
    try engine.connect(bus, to: output)
    #expect(log.reported.withLock(\.self) == [])
    // Neither is a player whose direct wire is gone.
    try engine.disconnect(player.player.node, from: output)
    try engine.connect(gain, to: output)
    #expect(log.reported.withLock(\.self) == [])
    token.cancel()
  }
}
