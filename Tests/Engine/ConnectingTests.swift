// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import SwiftletGraph
import Testing

/// The ways to say where a wire begins and ends.
@Suite struct ConnectingTests {
  @Test func `either end of a wire may name its bus and its channel`() throws {
    let engine = try AudioEngine(.offline())
    let voice = try engine.attach(.capture(channels: 2), name: "voice")
    let desk = try engine.attach(.playback(channels: 2, ceiling: nil), name: "desk")
    let wires = [
      try engine.connect(voice, to: desk),
      try engine.connect(voice, to: desk, channel: 0),
      try engine.connect(voice, to: desk, bus: 0, channel: 1, gain: -6),
      try engine.connect(voice, bus: 0, channel: 1, to: desk, gain: -6),
      try engine.connect(voice, bus: 0, channel: 1, to: desk, bus: 0, channel: 0),
    ]
    #expect(wires.map(\.id.source.channel) == [nil, nil, nil, 1, 1])
    #expect(wires.map(\.id.destination.channel) == [nil, 0, 1, nil, 0])
    #expect(wires.map(\.gain) == [0, 0, -6, -6, 0])
    #expect(throws: EngineError.self) { try engine.connect(voice, to: desk, bus: 1) }
    #expect(throws: EngineError.self) { try engine.connect(voice, bus: 0, channel: 2, to: desk) }
    #expect(engine.graph.wires.count == wires.count)
  }
}
