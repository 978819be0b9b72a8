// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletGraph
import SwiftletJack
import Testing

extension LiveTests {
  @Test func `the server's period is reported, and another can be requested`() throws {
    let engine = try AudioEngine(.jack(name: "period", server: server.name))
    #expect(engine.period == 256 && engine.periodDuration == .seconds(256.0 / 48_000))
    #expect(engine.machineChannels == (2, 2))
    #expect(try engine.setPreferredPeriod(500) == 512)
    #expect(soon { engine.period == 512 })
    #expect(try engine.setPreferredPeriod(512) == 512)
    // The value that another program sees.
    let other = try JackClient(name: "period-2", server: server.name)
    #expect(other.blockLength == 512)
    other.close()
    #expect(try engine.setPreferredPeriod(256) == 256)
    #expect(soon { engine.period == 256 })
    engine.close()
    #expect(engine.period == nil && engine.machineChannels == (0, 0) && !engine.isOtherAudioPlaying)
    do {
      try engine.setPreferredPeriod(128)
      Issue.record("there is no server to take it")
    } catch {
      guard case .jack(.closed) = error else { throw error }
    }
  }

  //  card: capture ──► ear ──► desk ──► card: playback
  @Test func `the engine's latency is that of the connected ports`() throws {
    let card = SoundCard(
      server: server.name, period: 256, playbackLatency: 700, captureLatency: 500, isPhysical: true)
    defer { withExtendedLifetime(card) {} }
    let engine = try AudioEngine(.jack(name: "latency", server: server.name))
    defer { engine.close() }
    let input = try engine.attach(.capture(channels: 1, connect: .ports(["card:capture"])), name: "ear")
    let output = try engine.attach(.playback(channels: 1, connect: .ports(["card:playback"])), name: "desk")
    try engine.connect(input, output)
    #expect(engine.inputLatency == .zero && engine.outputLatency == .zero)
    #expect(engine.machineChannels == (3, 3))
    try engine.start()
    #expect(soon { engine.outputLatency == .seconds(700.0 / 48_000) }, "\(engine.outputLatency)")
    #expect(soon { engine.inputLatency == .seconds(500.0 / 48_000) }, "\(engine.inputLatency)")
    #expect(engine.currentRoute?.outputChannels == 1 && engine.currentRoute?.inputChannels == 1)
  }

  @Test func `other audio is detected if it plays to the engine's output ports`() throws {
    let engine = try AudioEngine(.jack(name: "alone", server: server.name))
    defer { engine.close() }
    let output = try engine.attach(
      .playback(channels: 1, connect: .ports(["system:playback_1"])), name: "desk")
    let sine = try engine.attach(.source(channels: 1, sineWave), name: "sine")
    try engine.connect(sine, output)
    try engine.start()
    #expect(soon { engine.currentRoute?.outputChannels == 1 })
    #expect(!engine.isOtherAudioPlaying)
    let other = try JackClient(name: "other", server: server.name)
    _ = try other.addPlayback(node: "out", channels: 1, rule: .none)
    try other.activate(Renderer(sampleRate: 48_000))
    // Another physical port is none of the engine's outputs.
    try other.connect(PortConnection(from: "other:out", to: "system:playback_2"))
    #expect(soon { (try? other.connections(of: "other:out")) == ["system:playback_2"] })
    #expect(!engine.isOtherAudioPlaying)
    try other.connect(PortConnection(from: "other:out", to: "system:playback_1"))
    #expect(soon { engine.isOtherAudioPlaying })
    other.close()
    #expect(soon { !engine.isOtherAudioPlaying })
  }
}
