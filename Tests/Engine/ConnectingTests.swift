// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import SwiftletGraph
import Testing

/// The ways to say where a connection begins and ends.
@Suite struct ConnectingTests {
  @Test func `either end of a connection may name its bus and its channel`() throws {
    let engine = try AudioEngine.offline()
    let voice = try engine.attachInput(channels: 2, name: "voice")
    let desk = try engine.attachOutput(channels: 2, name: "desk")
    let wires = [
      try engine.connect(voice, to: desk),
      try engine.connect(voice, to: desk, through: ChannelMap(to: 0)),
      try engine.connect(voice, to: desk, bus: 0, through: ChannelMap(to: 1)),
      try engine.connect(voice, bus: 0, to: desk, through: ChannelMap(from: 1)),
      try engine.connect(voice, bus: 0, to: desk, bus: 0, through: ChannelMap(from: 1, to: 0)),
    ]
    #expect(wires.map(\.id.source.channel) == [nil, nil, nil, 1, 1])
    #expect(wires.map(\.id.destination.channel) == [nil, 0, 1, nil, 0])
    #expect(throws: EngineError.self) { try engine.connect(voice, to: desk, bus: 1) }
    #expect(throws: EngineError.self) {
      try engine.connect(voice, bus: 0, to: desk, through: ChannelMap(from: 2))
    }
    #expect(engine.graph.wires.count == wires.count)
  }

  //   voice, other ──► env (a channel for each source): at a width of 2 channels, two sources
  @Test func `sources are connected to the channels of an environment`() throws {
    let engine = try AudioEngine.offline()
    let voice = try engine.attachInput(name: "voice"), other = try engine.attachInput(name: "other")
    let env = try engine.attach(Environment.self), out = try engine.attachOutput()
    try engine.connect(voice, to: env, through: ChannelMap(to: 0))
    try engine.connect(other, to: env, bus: 0, through: ChannelMap(from: 0, to: 1))
    try engine.connect(env, to: out)
    try engine.connect(env, bus: 1, to: engine.attach(Reverb.self))
    #expect(engine.graph.wires.map(\.destination.channel) == [0, 1, nil, nil])
    #expect(engine.graph.wires.map(\.source.bus.index) == [0, 0, 0, 1])
  }

  @Test func `a connection into a mixer is a channel strip, another one is a wire`() throws {
    let engine = try AudioEngine.offline()
    let voice = try engine.attachInput(), mixer = try engine.attachMixer(), out = try engine.attachOutput()
    let strip: ChannelStrip = try engine.connect(voice, to: mixer)
    let node: AudioNode = mixer
    #expect(try engine.connect(voice, to: node, through: ChannelMap(to: 0)) is ChannelStrip)
    let wire: Wire = try engine.connect(mixer, to: out)
    #expect(!(wire is ChannelStrip) && engine.wire(from: mixer, to: out) == wire)
    #expect(
      engine.wire(from: voice, to: mixer) is ChannelStrip && engine.wire(from: voice, to: mixer) == strip)
    try strip.send(to: out, gain: .decibels(-12))
    #expect(strip.sends.map(\.gain.value) == [.decibels(-12)])
  }
}
