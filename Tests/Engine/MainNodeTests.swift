// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import Swiftlet
@testable import SwiftletGraph

/// The input, output and mixer that every engine has.
@Suite struct MainNodeTests {
  private let ones = AudioBuffer([[Float](repeating: 1, count: 480)])

  @Test func `the main input reaches the main output through an effect`() throws {
    let engine = try AudioEngine.offline()
    let gain = try engine.attach(Gain.self, channels: 1)
    try engine.connect(engine.mainInput, gain, engine.mainOutput)
    #expect(engine.graph.nodes.map(\.name) == ["gain", "main-input", "main-output"])
    let out = try engine.render(480, from: [engine.mainInput: ones])[engine.mainOutput]
    #expect(out?.channelCount == 2 && out?[0].last == 1 && out?[1].last == 1)
    #expect(engine.node("main-input") is InputNode && engine.mainOutput == engine.node("main-output"))
  }

  @Test func `an engine has no main nodes before a program accesses them`() throws {
    let engine = try AudioEngine.offline()
    try engine.connect(engine.attachInput(), engine.attachOutput())
    try engine.prepare()
    _ = try engine.render(480)
    #expect(engine.graph.nodes.map(\.name) == ["capture", "playback"])
    #expect(engine.graph.nodes.map(\.id.slot) == [0, 1])
  }

  @Test func `accessed main nodes exist from the start of the engine`() throws {
    let engine = try AudioEngine.offline(inputs: 3, outputs: 4)
    let input = engine.mainInput, output = engine.mainOutput
    #expect(engine.graph.nodes.isEmpty && input == engine.mainInput && engine.nodes.isEmpty)
    #expect(try engine.disconnect(input, from: output) == 0)
    try engine.prepare()
    #expect(engine.graph.nodes.map(\.name) == ["main-input", "main-output"])
    #expect(engine.graph.node(input.id)?.outputs == [.audio(channels: 3)])
    #expect(try engine.render(480)[output]?.channelCount == 4)
    #expect(!engine.canUndo)
  }

  @Test func `the main mixer is connected to the main output`() throws {
    let engine = try AudioEngine.offline()
    let strip = try engine.connect(engine.mainInput, to: engine.mainMixer)
    engine.mainMixer.gain.value = .decibels(-6.0206)
    #expect(engine.wire(from: engine.mainMixer, to: engine.mainOutput) != nil)
    strip.pan.value = -1
    let out = try #require(try engine.render(480, from: [engine.mainInput: ones])[engine.mainOutput])
    #expect(abs((out[0].last ?? 0) - 0.5) < 1e-5 && out[1].last == 0)
  }

  @Test func `a gain set before the main mixer is used takes effect`() throws {
    let engine = try AudioEngine.offline()
    engine.mainMixer.gain.value = .decibels(-12)
    #expect(engine.mainMixer.gain.value == .decibels(-12) && engine.graph.nodes.isEmpty)
    try engine.connect(engine.mainInput, to: engine.mainMixer)
    #expect(engine.graph.node(engine.mainMixer.id)?.gain == -12)
  }

  //   main-input ──► main-mixer ──► limiter ──► main-output, instead of main-mixer ──► main-output
  @Test(arguments: [false, true])
  func `connecting the main mixer replaces its connection to the main output`(inEdit: Bool) throws {
    let engine = try AudioEngine.offline()
    try engine.connect(engine.mainInput, to: engine.mainMixer)
    let before = engine.graph, limiter = try engine.attach(Limiter.self)
    if inEdit {
      try engine.edit { edit in try edit.connect(engine.mainMixer, limiter, engine.mainOutput) }
    } else {
      try engine.connect(engine.mainMixer, to: limiter)
      #expect(engine.wire(from: engine.mainMixer, to: engine.mainOutput) == nil)
      try engine.undo()
      #expect(engine.graph.wires == before.wires)
      try engine.redo()
      try engine.connect(limiter, to: engine.mainOutput)
    }
    #expect(engine.wire(from: engine.mainMixer, to: engine.mainOutput) == nil)
    // Further connections are added.
    try engine.connect(engine.mainMixer, to: engine.mainOutput)
    try engine.connect(engine.mainMixer, to: engine.attachOutput())
    #expect(engine.graph.wires.filter { $0.source.node == engine.mainMixer.id }.count == 3)
  }

  @Test func `the main mixer can also be connected to the main output explicitly`() throws {
    let engine = try AudioEngine.offline()
    try engine.connect(engine.mainMixer, to: engine.mainOutput).gain.value = .decibels(-3)
    #expect(engine.graph.wires.map(\.gain) == [-3])
    try engine.undo()
    #expect(engine.graph.wires.map(\.gain) == [0], "the connection that the engine made")
  }

  @Test func `an undo reverts connections, but not main nodes`() throws {
    let engine = try AudioEngine.offline()
    try engine.connect(engine.mainInput, to: engine.mainOutput)
    try engine.undo()
    #expect(engine.graph.wires.isEmpty && engine.graph.nodes.count == 2 && !engine.canUndo)
    try engine.redo()
    #expect(engine.graph.wires.count == 1)
    for node in [engine.mainInput, engine.mainOutput] as [AudioNode] {
      #expect(throws: EngineError.self) { try engine.detach(node) }
      #expect(throws: EngineError.self) { try engine.edit { edit in try edit.detach(node) } }
    }
  }

  @Test func `an edit can be the first to use main nodes, and can fail`() throws {
    let engine = try AudioEngine.offline()
    let gain = try engine.edit { edit in
      let gain = try edit.attach(Gain.self)
      try edit.connect(engine.mainInput, gain)
      try edit.connect(gain, to: engine.mainMixer)
      #expect(edit.graph.wires.count == 3)
      return gain
    }
    #expect(engine.wire(from: gain, to: engine.mainMixer) != nil)
    #expect(engine.wire(from: engine.mainMixer, to: engine.mainOutput) != nil)
    try engine.undo()
    try engine.redo()
    #expect(engine.wire(from: gain, to: engine.mainMixer) != nil)
    let other = try AudioEngine.offline()
    _ = try? other.edit { edit in
      try edit.connect(other.mainInput, other.mainOutput)
      throw CancellationError()
    }
    try other.connect(other.mainInput, other.mainOutput)
    #expect(other.graph.wires.count == 1)
  }

  @Test func `main nodes can be recorded, tapped and metered`() throws {
    let engine = try AudioEngine.offline()
    let meter = try engine.installMeter(on: engine.mainInput)
    _ = try engine.installTap(on: engine.mainOutput, side: .before)
    _ = try engine.render(480, from: [engine.mainInput: ones])
    #expect(meter.read().channels[0].averagePower == 0)
  }

  @Test func `invalid names and channels are errors`() throws {
    #expect(throws: EngineError.self) { try AudioEngine.offline(inputs: 0) }
    #expect(throws: EngineError.self) { try AudioEngine.offline(outputs: 65) }
    let engine = try AudioEngine.offline()
    _ = try engine.attachMixer(name: "main-input")
    #expect(engine.mainInput.name == "main-input-2")
    let output = engine.mainOutput, mixer = try engine.attachMixer(name: "main-output")
    #expect(throws: EngineError.self) { try engine.connect(mixer, to: output) }
    try engine.detach(mixer)
    try engine.connect(engine.mainInput, to: output)
    #expect(engine.graph.nodes.map(\.name) == ["main-input", "main-input-2", "main-output"])
  }
}
