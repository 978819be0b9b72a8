// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletGraph
import SwiftletTimeline
import Synchronization
import Testing

@testable import Swiftlet

/// Undo and redo of edits.
@Suite struct UndoTests {
  //  voice ──► delay ──► desk
  private struct Rig {
    let engine: AudioEngine, voice: AudioNode, delay: AudioNode, output: AudioNode

    init() throws {
      engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 480))
      voice = try engine.attach(.capture(channels: 1), name: "voice")
      delay = try engine.attach(.effect("delay", channels: 1), name: "delay")
      output = try engine.attach(.playback(channels: 1), name: "desk")
      try delay.set("time", to: 100, over: .zero)
      try delay.set("mix", to: 100, over: .zero)
      try delay.set("feedback", to: 0, over: .zero)
      try engine.connect(voice, delay, output)
    }

    func render(_ frames: Int, impulse: Bool = false) throws -> [Float] {
      var out: [Float] = []
      while out.count < frames {
        let sound = impulse && out.isEmpty ? [1] : [Float](repeating: 0, count: 480)
        out += try engine.render(480, from: [voice: AudioBuffer([sound])])[output]?[0] ?? []
      }
      return out
    }
  }

  @Test func `each kind of edit can be undone and redone`() throws {
    for isRunning in [false, true] {
      let rig = try Rig(), engine = rig.engine
      let strip = try #require(engine.wire(from: rig.delay, to: rig.output))
      if isRunning { _ = try rig.render(480) }
      let edits: [(String, () throws -> Void)] = [
        ("attach", { _ = try engine.attach(.mixer(channels: 1), name: "mixer") }),
        ("connect", { try engine.connect(rig.voice, engine.node("mixer")!) }),
        ("send", { try strip.send(to: engine.node("mixer")!) }),
        ("disconnect", { try strip.disconnect() }),
        ("bypass", { try rig.delay.setBypassed(true) }),
        ("automate", { try rig.delay.automate("time", with: Automation(200)) }),
        ("automate volume", { try rig.delay.automate("volume", with: Automation(0.5)) }),
        ("no lane", { try rig.delay.automate("time", with: nil) }),
        ("detach", { try engine.detach(rig.delay) }),
        ("ports", { _ = try engine.attach(.capture(channels: 2), name: "mic") }),
        ("detach ports", { try engine.detach(rig.voice) }),
        (
          "several",
          {
            try engine.edit { edit in
              let gain = try edit.attach(.effect("gain", channels: 1), name: "gain")
              try edit.connect(engine.node("mixer")!, gain, rig.output)
              try edit.setBypassed(true, of: gain)
            }
          }
        ),
      ]
      var graphs = [engine.graph]
      for (name, edit) in edits {
        try edit()
        #expect(engine.graph != graphs.last, "\(name)")
        graphs.append(engine.graph)
        if isRunning { _ = try engine.render(480) }
      }
      for _ in 0..<2 {
        for (index, (name, _)) in edits.enumerated().reversed() {
          #expect(try engine.undo())
          #expect(engine.graph == graphs[index], "undo of \(name)")
          if isRunning { _ = try engine.render(480) }
        }
        for (index, (name, _)) in edits.enumerated() {
          #expect(try engine.redo())
          #expect(engine.graph == graphs[index + 1], "redo of \(name)")
          if isRunning { _ = try engine.render(480) }
        }
        #expect(try !engine.redo())
      }
    }
  }

  @Test func `the sound after an undo is that before the edit`() throws {
    let rig = try Rig()
    let before = try rig.render(9600, impulse: true)
    try rig.engine.detach(rig.delay)
    #expect(try rig.render(4800).suffix(480).allSatisfy { $0 == 0 })
    try rig.engine.undo()
    _ = try rig.render(9600)
    let after = try rig.render(9600, impulse: true)
    #expect(zip(before, after).allSatisfy { abs($0 - $1) < 1e-6 } && before[4800] > 0.5)
  }

  @Test(arguments: [0, 480, 48_000])
  func `a restored node keeps its tail, parameters and identity`(away: Int) throws {
    let rig = try Rig()
    _ = try rig.render(960, impulse: true)
    try rig.delay.set("feedback", to: 37)
    _ = try rig.render(480)
    let processor = rig.engine.core.withLock { $0.records[rig.delay.id]?.processor }
    try rig.engine.detach(rig.delay)
    #expect(throws: EngineError.self) { try rig.delay.set("time", to: 1) }
    _ = try rig.render(away)
    try rig.engine.undo()
    #expect(rig.engine.node("delay") == rig.delay)
    #expect(rig.engine.core.withLock { $0.records[rig.delay.id]?.processor } === processor)
    #expect(rig.delay["feedback"] == 37 && rig.delay["time"] == 100)
    // The impulse is still in the delay.
    let echo = try rig.render(9600)
    #expect((echo.map(abs).max() ?? 0) > 0.5)
    // It accepts values as before.
    try rig.delay.set("time", to: 200, over: .zero)
    _ = try rig.render(48_000)
    #expect(try rig.render(14_400, impulse: true)[9600] > 0.5)
  }

  @Test func `a redo removes what an undo restored`() throws {
    let rig = try Rig(), engine = rig.engine
    #expect(engine.canUndo && !engine.canRedo)
    try engine.detach(rig.delay)
    try engine.undo()
    #expect(engine.canRedo)
    try engine.redo()
    #expect(engine.node("delay") == nil && !engine.canRedo)
    // A new edit discards the redo history.
    try engine.undo()
    _ = try engine.attach(.mixer())
    #expect(!engine.canRedo)
    #expect(try !engine.redo())
  }

  @Test func `at most a hundred edits can be undone`() throws {
    let engine = try AudioEngine(.offline())
    for number in 0..<101 { _ = try engine.attach(.mixer(), name: "\(number)") }
    var count = 0
    while try engine.undo() { count += 1 }
    #expect(count == 100 && engine.graph.nodes.map(\.name) == ["0"])
    #expect(!engine.canUndo)
  }

  @Test func `nodes beyond the reach of undo are freed`() throws {
    let engine = try AudioEngine(.offline())
    weak var processor: Processor?
    do {
      let gain = try engine.attach(.effect("gain"), name: "gain")
      processor = engine.core.withLock { $0.records[gain.id]?.processor }
      try engine.detach(gain)
    }
    for _ in 0..<99 { _ = try engine.attach(.mixer()) }
    #expect(processor != nil)
    _ = try engine.attach(.mixer())
    #expect(processor == nil)
    // So are undone nodes, once another edit is made.
    do {
      let gain = try engine.attach(.effect("gain"), name: "gain")
      processor = engine.core.withLock { $0.records[gain.id]?.processor }
      try engine.undo()
    }
    #expect(processor != nil)
    _ = try engine.attach(.mixer())
    #expect(processor == nil)
    #expect(engine.core.withLock { $0.detached.nodes.isEmpty })
  }

  @Test func `levels and taps are no edits, and survive an undo`() throws {
    let rig = try Rig(), engine = rig.engine
    let strip = try #require(engine.wire(from: rig.delay, to: rig.output))
    try engine.edit { edit in try edit.update(strip) { ($0.isMuted, $0.gain) = (true, -12) } }
    strip.keep { $0.trim = -3 }
    let meter = try engine.installMeter(on: rig.delay)
    try engine.undo()
    let wire = try #require(strip.model)
    #expect(!wire.isMuted && wire.gain == 0 && wire.trim == -3)
    #expect(engine.graph.tap(meter.id) != nil)
  }

  @Test func `meters return with their node, and taps whose sequence has ended do not`() async throws {
    let rig = try Rig(), engine = rig.engine
    let meter = try engine.installMeter(on: rig.delay, [.loudness])
    let kept = try engine.installTap(on: rig.delay), ended = try engine.installTap(on: rig.delay)
    let removed = try engine.installMeter(on: rig.delay)
    _ = try rig.render(480)
    try engine.removeTap(ended)
    try engine.detach(rig.delay)
    removed.remove()
    // Nothing is rendered in between, so the sequences continue.
    try engine.undo()
    #expect(Set(engine.graph.taps.map(\.id)) == [meter.id, kept.id])
    _ = try rig.render(9600, impulse: true)
    #expect(meter.takeLevels()[0].peak > 0.5)
    try engine.detach(rig.delay)
    _ = try rig.render(4800)
    try engine.undo()
    #expect(engine.graph.taps.map(\.id) == [meter.id])
    for await _ in kept {}
  }

  @Test func `a restored player has nothing scheduled, and plays`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 480))
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    let player = try PlayerNode(engine, channels: 1)
    try engine.connect(player.node, output)
    let buffer = AudioBuffer([[Float](repeating: 0.5, count: 48_000)])
    try player.schedule(.buffer(buffer))
    try player.play()
    _ = try engine.render(480)
    try engine.detach(player.node)
    for _ in 0..<10 { _ = try engine.render(480) }
    #expect(throws: EngineError.self) { try player.schedule(.buffer(buffer)) }
    try engine.undo()
    for _ in 0..<10 { #expect(try engine.render(480)[output]?[0].last == 0) }
    try player.schedule(.buffer(buffer))
    try player.play()
    for _ in 0..<10 { _ = try engine.render(480) }
    #expect(try engine.render(480)[output]?[0].last == 0.5)
  }

  @Test func `an undo to an unplayable graph changes nothing`() throws {
    let engine = try AudioEngine(.offline(longestBlock: 64))
    let one = try engine.attach(.mixer(), name: "one"), two = try engine.attach(.effect("gain"), name: "two")
    // Nothing plays yet, so the loop is detected when the graph is to be played.
    try engine.connect(one, two, one)
    try engine.detach(two)
    _ = try engine.render(64)
    let before = engine.graph
    for _ in 0..<2 {
      let error = #expect(throws: EngineError.self) { try engine.undo() }
      #expect("\(error.map(String.init(describing:)) ?? "")".contains("two"))
      #expect(engine.graph == before && engine.canUndo && !engine.canRedo)
      _ = try engine.render(64)
    }
  }
}
