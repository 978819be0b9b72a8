// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import SwiftletGraph
import Testing

/// Forms of naming a connection's ends.
@Suite struct ConnectingTests {
  @Test func `either end of a connection can name its bus and channel`() throws {
    let engine = try AudioEngine.offline()
    let voice = try engine.attachInput(channels: 2, name: "voice")
    let output = try engine.attachOutput(channels: 2, name: "desk")
    let wires = [
      try engine.connect(voice, to: output),
      try engine.connect(voice, to: output, through: ChannelMap(to: 0)),
      try engine.connect(voice, to: output, bus: 0, through: ChannelMap(to: 1)),
      try engine.connect(voice, bus: 0, to: output, through: ChannelMap(from: 1)),
      try engine.connect(voice, bus: 0, to: output, bus: 0, through: ChannelMap(from: 1, to: 0)),
    ]
    #expect(wires.map(\.id.source.channel) == [nil, nil, nil, 1, 1])
    #expect(wires.map(\.id.destination.channel) == [nil, 0, 1, nil, 0])
    #expect(throws: EngineError.self) { try engine.connect(voice, to: output, bus: 1) }
    #expect(throws: EngineError.self) {
      try engine.connect(voice, bus: 0, to: output, through: ChannelMap(from: 2))
    }
    #expect(engine.graph.wires.count == wires.count)
  }

  //   voice, other ──► env (one channel per source): 2 channels wide, so two sources
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

  @Test func `a connection into a mixer is a channel strip, and any other is a wire`() throws {
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

  //   voice ──► mixer ──► out, piano ──► mixer; then echo replaces both
  @Test func `a connection that replaces others is one edit`() throws {
    let engine = try AudioEngine.offline()
    let voice = try engine.attachInput(name: "voice"), piano = try engine.attachInput(name: "piano")
    let mixer = try engine.attachMixer(), out = try engine.attachOutput(), other = try engine.attachMixer()
    let strip = try engine.connect(voice, to: mixer)
    strip.gain.value = .decibels(-6)
    try strip.send(to: other)
    try engine.connect(piano, to: mixer)
    try engine.connect(voice, to: other)
    try engine.connect(mixer, to: out)
    _ = try engine.render(480)
    let before = engine.graph
    let new = try engine.connect(piano, to: mixer, replacing: true)
    #expect(engine.graph.wires.map(\.id.destination.node) == [other.id, out.id, mixer.id])
    #expect(engine.wire(from: piano, to: mixer) == new && engine.wire(from: voice, to: mixer) == nil)
    try engine.undo()
    #expect(engine.graph == before, "its send came back, too, and its gain")
    try engine.redo()
    try engine.edit { edit in _ = try edit.connect(voice, to: mixer, replacing: true) }
    #expect(strip.gain.value == .decibels(0) && strip.sends.isEmpty)
    try engine.undo()
    #expect(engine.wire(from: piano, to: mixer) == new)
  }

  @Test func `a connection to a channel replaces the connections into that channel`() throws {
    let engine = try AudioEngine.offline()
    let voice = try engine.attachInput(name: "voice"), out = try engine.attachOutput()
    let left = try engine.connect(voice, to: out, through: ChannelMap(to: 0))
    let right = try engine.connect(voice, to: out, through: ChannelMap(to: 1))
    let tone = try engine.attach(Generator.self)
    let new = try engine.connect(tone, to: out, through: ChannelMap(from: 0, to: 1), replacing: true)
    #expect(engine.graph.wires.map(\.id) == [left.id, new.id])
    // A refused connection replaces nothing.
    #expect(throws: EngineError.self) { try engine.connect(tone, to: out, bus: 1, replacing: true) }
    try engine.edit { edit -> Void in
      #expect(throws: EngineError.self) {
        try edit.connect(tone, to: out, through: ChannelMap(to: 2), replacing: true)
      }
    }
    #expect(engine.graph.wires.map(\.id) == [left.id, new.id] && right.sends.isEmpty)
    try engine.connect(voice, to: out, replacing: true)
    #expect(engine.graph.wires.count == 1)
  }
}
