// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import Synchronization
import Testing

/// An effect that is added behind a player which is still connected to the output directly.
@Suite struct DoubledSoundTests {
  /// Collects the engine's reports of doubled sound.
  private final class Ear: Sendable {
    let told = Mutex<[String]>([])

    func hear(_ event: EngineEvent) {
      if case .doubled(let node, let destination) = event {
        told.withLock { $0.append("\(node) at \(destination)") }
      }
    }
  }

  private func stage() throws -> (engine: AudioEngine, desk: AudioNode, player: AudioPlayer, gain: AudioNode)
  {
    let engine = try AudioEngine(.offline(sampleRate: 48_000))
    let desk = try engine.attach(.playback(channels: 2, ceiling: nil), name: "desk")
    let buffer = AudioBuffer([[Float](repeating: 0.25, count: 48_000)])
    let player = try AudioPlayer(buffer, on: engine, to: desk)
    return (engine, desk, player, try engine.attach(.effect("gain"), name: "gain"))
  }

  /// Returns the player's level at the desk, after all fades.
  private func level(_ engine: AudioEngine, _ desk: AudioNode) throws -> Float {
    var last: Float = 0
    for _ in 0..<20 { last = try engine.render(512)[desk]?[0].last ?? 0 }
    return last
  }

  @Test(arguments: ["the effect first", "the output first", "in a row"])
  func `an effect behind a player's direct wire doubles the sound, and is reported once`(
    order: String
  ) throws {
    let (engine, desk, player, gain) = try stage()
    let ear = Ear(), token = engine.observe { ear.hear($0) }
    let source = player.player.node
    switch order {
    case "the effect first":
      try engine.connect(source, to: gain)
      #expect(ear.told.withLock(\.self) == [])
      try engine.connect(gain, to: desk)
    case "the output first":
      try engine.connect(gain, to: desk)
      #expect(ear.told.withLock(\.self) == [])
      try engine.connect(source, to: gain)
    default: try engine.connect(source, gain, desk)
    }
    #expect(ear.told.withLock(\.self) == ["\(source.name) at desk"])
    let other = try engine.attach(.mixer(), name: "other")
    try engine.connect(source, other, desk)
    #expect(ear.told.withLock(\.self).count == 1)
    try engine.detach(other)
    try player.play()
    #expect(abs(try level(engine, desk) - 0.5) < 1e-6)
    try engine.disconnect(source, from: desk)
    #expect(abs(try level(engine, desk) - 0.25) < 1e-6)
    token.cancel()
  }

  @Test func `a player heard once at each output is not reported`() throws {
    let (engine, desk, player, gain) = try stage()
    let ear = Ear(), token = engine.observe { ear.hear($0) }
    let ears = try engine.attach(.playback(channels: 2, ceiling: nil), name: "ears")
    try engine.connect(player.player.node, gain, ears)
    let bus = try engine.attach(.capture(channels: 2), name: "bus")
    try engine.connect(bus, to: desk)
    #expect(ear.told.withLock(\.self) == [])
    // Neither is a player whose direct wire is gone.
    try engine.disconnect(player.player.node, from: desk)
    try engine.connect(gain, to: desk)
    #expect(ear.told.withLock(\.self) == [])
    token.cancel()
  }
}
