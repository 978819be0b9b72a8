// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletGraph

/// How a wire maps channels of different counts, and how its gain applies.
@Suite struct ChannelTests {
  /// Plays a bus with channel n at level n + 1 through one wire, and returns the level of each output channel.
  private func heard(
    from source: Int, to destination: Int, gain: Float = 0, _ channels: (Int?, Int?) = (nil, nil)
  ) throws -> [Float] {
    let rig = Rig(inputs: [.audio(channels: source)], outputs: [.audio(channels: destination)])
    rig.source = { _, channel, _ in Float(channel + 1) }
    var sketch = Sketch()
    let mic = try sketch.input("mic", 0, .audio(channels: source))
    let output = try sketch.output("desk", 0, .audio(channels: destination))
    try sketch.graph.connect(
      Graph.Wire(
        from: Endpoint(mic, channel: channels.0), to: Endpoint(output, channel: channels.1), gain: gain))
    try rig.play(sketch)
    rig.render(64)
    return rig.heard[0].map { $0[63] }
  }

  //   2 ──► 2    1 ──► 3    3 ──► 1    4 ──► 2    2 ──► 4
  @Test func `a wire maps channels by the documented rule`() throws {
    #expect(try heard(from: 2, to: 2) == [1, 2])
    #expect(try heard(from: 1, to: 3) == [1, 1, 1])
    #expect(try heard(from: 3, to: 1) == [2])
    #expect(try heard(from: 4, to: 2) == [1, 2])
    #expect(try heard(from: 2, to: 4) == [1, 2, 0, 0])
    #expect(ChannelRule(from: 4, to: 2) == .inOrder(dropped: 2, silent: 0))
    #expect(ChannelRule(from: 2, to: 4) == .inOrder(dropped: 0, silent: 2))
    #expect(ChannelRule(from: 1, to: 2) == .copied)
    #expect(ChannelRule(from: 2, to: 1) == .mean)
  }

  //   mic[2] ──► desk[1]
  @Test func `a wire may join single channels`() throws {
    #expect(try heard(from: 3, to: 2, (1, nil)) == [2, 2])
    #expect(try heard(from: 3, to: 2, (2, 0)) == [3, 0])
    #expect(try heard(from: 2, to: 2, (nil, 1)) == [0, 1.5])
  }

  //   mic[2] ──► bus ──► desk      the mixer is an alias of one channel of mic
  @Test func `a single channel passes through a mixer unchanged`() throws {
    let rig = Rig(inputs: [stereo], outputs: [stereo])
    rig.source = { _, channel, _ in Float(channel + 1) }
    var sketch = Sketch()
    let mic = try sketch.input("mic", 0, stereo), bus = try sketch.mixer("bus")
    let output = try sketch.output("desk", 0, stereo)
    try sketch.wire(Endpoint(mic, channel: 1), Endpoint(bus))
    try sketch.wire(Endpoint(bus, channel: 0), Endpoint(output, channel: 0))
    try rig.play(sketch)
    rig.render(64)
    #expect(rig.heard[0].map { $0[63] } == [2, 0])
  }

  //   mic[1] ──► desk[2]    mic[2] ──► desk[1]
  @Test func `two wires cross the channels`() throws {
    let rig = Rig(inputs: [stereo], outputs: [stereo])
    rig.source = { _, channel, frame in Float(channel + 1) * Float(frame) }
    var sketch = Sketch()
    let mic = try sketch.input("mic", 0, stereo), output = try sketch.output("desk", 0, stereo)
    try sketch.wire(Endpoint(mic, channel: 0), Endpoint(output, channel: 1))
    try sketch.wire(Endpoint(mic, channel: 1), Endpoint(output, channel: 0))
    try rig.play(sketch)
    rig.render(100, block: 7)
    #expect(rig.heard[0][0] == (0..<100).map { Float($0) * 2 })
    #expect(rig.heard[0][1] == (0..<100).map { Float($0) })
  }

  //   mic ──► desk     −6.02 dB is half, −120 dB and less is silence
  @Test func `gain is in decibels`() throws {
    #expect(abs(try heard(from: 1, to: 1, gain: -20)[0] - 0.1) < 1e-6)
    #expect(abs(try heard(from: 1, to: 1, gain: 6)[0] - 1.9952623) < 1e-6)
    #expect(try heard(from: 1, to: 1, gain: -120) == [0])
    #expect(try heard(from: 1, to: 1, gain: -.infinity) == [0])
  }

  //   the backend supplies fewer inputs and outputs, and narrower ones, than the graph has
  @Test func `input nodes without a backend bus are silent, and such output nodes are ignored`() throws {
    let rig = Rig(inputs: [mono], outputs: [mono])
    rig.source = { _, _, _ in 1 }
    var sketch = Sketch()
    let mic = try sketch.input("mic", 0, stereo), other = try sketch.input("other", 3)
    let output = try sketch.output("desk", 0, stereo), far = try sketch.output("far", 9)
    try sketch.wire(mic, output)
    try sketch.wire(other, output)
    try sketch.wire(mic, far)
    try rig.play(sketch)
    #expect(rig.render(64) == Array(repeating: 1, count: 64))
  }

  //   a ──► left (0)      b ──► right (0)
  @Test func `two output nodes with one number are mixed`() throws {
    let rig = Rig()
    var sketch = Sketch()
    let a = try sketch.source("a", Emitter.constant(1)), b = try sketch.source("b", Emitter.constant(2))
    try sketch.wire(a, try sketch.output("left", 0))
    try sketch.wire(b, try sketch.output("right", 0))
    try rig.play(sketch)
    #expect(rig.render(64) == Array(repeating: 3, count: 64))
  }
}
