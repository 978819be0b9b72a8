// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Dispatch
import Foundation
import SwiftletGraph
import SwiftletTimeline
import Synchronization
import Testing

@testable import Swiftlet

/// Edits of a graph copy: conflicts, failures, and their sound.
@Suite struct EditTests {
  //  voice ──► gain ──► desk
  private func chain() throws -> (engine: AudioEngine, voice: AudioNode, gain: AudioNode, output: AudioNode) {
    let engine = try AudioEngine(.offline(longestBlock: 64))
    let voice = try engine.attach(.capture(channels: 1), name: "voice")
    let gain = try engine.attach(.effect("gain", channels: 1), name: "gain")
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(voice, gain, output)
    return (engine, voice, gain, output)
  }

  /// Edits while another edit is committed. Returns the conflicting part, or nil if there is no conflict.
  private func conflict(
    _ engine: AudioEngine, _ body: (inout GraphEdit) throws -> Void, meanwhile: () throws -> Void
  ) throws -> String? {
    do throws(EngineError) {
      try engine.edit { edit in
        try body(&edit)
        try meanwhile()
      }
    } catch {
      guard case .conflict(let part) = error else { throw error }
      return part
    }
    return nil
  }

  @Test func `an edit of a part that another edit changed conflicts, and changes nothing`() throws {
    typealias Case = (
      part: String, edit: (inout GraphEdit, AudioEngine) throws -> Void,
      meanwhile: (AudioEngine) throws -> Void
    )
    func gain(_ engine: AudioEngine) throws -> AudioNode { try #require(engine.node("gain")) }
    func last(_ engine: AudioEngine) throws -> Swiftlet.Wire {
      let gain = try gain(engine), output = try #require(engine.node("desk"))
      return try #require(engine.wire(from: gain, to: output))
    }
    let cases: [Case] = [
      (
        "'gain'", { edit, engine in try edit.setBypassed(true, of: gain(engine)) },
        { engine in try engine.detach(gain(engine)) }
      ),
      (
        "'gain'", { edit, engine in try edit.detach(gain(engine)) },
        { engine in try gain(engine).setBypassed(true) }
      ),
      (
        "'gain'", { edit, engine in try edit.setBypassed(true, of: gain(engine)) },
        { engine in try gain(engine).setBypassed(true) }
      ),
      (
        "'gain'", { edit, engine in try edit.detach(gain(engine)) },
        { engine in try engine.connect(gain(engine), engine.attach(.mixer(channels: 1))) }
      ),
      (
        "'gain'", { edit, engine in try edit.connect(gain(engine), edit.attach(.mixer(channels: 1))) },
        { engine in try engine.detach(gain(engine)) }
      ),
      (
        "'more'", { edit, _ in _ = try edit.attach(.mixer(), name: "more") },
        { engine in _ = try engine.attach(.mixer(), name: "more") }
      ),
      (
        "the wire from 'gain' to 'desk'", { edit, engine in try edit.update(last(engine)) { $0.gain = -6 } },
        { engine in try last(engine).disconnect() }
      ),
      (
        "the wire from 'gain' to 'desk'", { edit, engine in try edit.update(last(engine)) { $0.gain = -6 } },
        { engine in try last(engine).isMuted = true }
      ),
    ]
    for (number, (part, body, meanwhile)) in cases.enumerated() {
      for isRunning in [false, true] {
        let (engine, _, _, _) = try chain()
        if isRunning { _ = try engine.render(64) }
        var after: Graph?
        let found = try conflict(engine) {
          try body(&$0, engine)
        } meanwhile: {
          try meanwhile(engine)
          after = engine.graph
        }
        #expect(found == part, "case \(number)")
        #expect(engine.graph == after, "case \(number)")
        #expect(engine.core.withLock { $0.staged.isEmpty && $0.stagedNames.isEmpty }, "case \(number)")
      }
    }
  }

  @Test func `edits of different parts do not conflict`() throws {
    typealias Case = (
      edit: (inout GraphEdit, AudioEngine) throws -> Void, meanwhile: (AudioEngine) throws -> Void
    )
    func node(_ name: String, _ engine: AudioEngine) throws -> AudioNode { try #require(engine.node(name)) }
    let cases: [Case] = [
      ({ edit, _ in _ = try edit.attach(.mixer()) }, { engine in _ = try engine.attach(.mixer()) }),
      (
        { edit, engine in try edit.connect(node("voice", engine), edit.attach(.mixer(channels: 1))) },
        { engine in try engine.connect(node("voice", engine), engine.attach(.mixer(channels: 1))) }
      ),
      (
        { edit, engine in try edit.connect(node("gain", engine), edit.attach(.mixer(channels: 1))) },
        { engine in try node("gain", engine).setBypassed(true) }
      ),
      (
        { edit, engine in try edit.setBypassed(true, of: node("gain", engine)) },
        { engine in try engine.disconnect(node("gain", engine), from: node("desk", engine)) }
      ),
      // Parameter values are not edits, and taps change no sound.
      (
        { edit, engine in try edit.detach(node("gain", engine)) },
        { engine in try node("gain", engine).set("gain", to: -3) }
      ),
      (
        { edit, engine in try edit.detach(node("gain", engine)) },
        { engine in _ = try engine.installTap(on: node("gain", engine)) }
      ),
    ]
    for (number, (body, meanwhile)) in cases.enumerated() {
      let (engine, _, _, _) = try chain()
      #expect(
        try conflict(engine) {
          try body(&$0, engine)
        } meanwhile: {
          try meanwhile(engine)
        } == nil,
        "case \(number)")
      _ = try engine.render(64)
    }
  }

  @Test func `the closure holds no lock: other threads can edit and render while it runs`() throws {
    let (engine, voice, _, _) = try chain()
    let done = DispatchSemaphore(value: 0)
    try engine.edit { edit in
      let node = try edit.attach(.mixer(channels: 1), name: "own")
      try edit.connect(voice, node)
      Thread.detachNewThread {
        _ = try? engine.attach(.mixer(), name: "other")
        _ = try? engine.render(64)
        done.signal()
      }
      #expect(done.wait(timeout: .now() + 60) == .success)
      #expect(engine.node("other") != nil && engine.node("own") == nil)
      #expect(edit.graph.node(named: "own") != nil && edit.graph.node(named: "other") == nil)
    }
    #expect(engine.graph.nodes.map(\.name) == ["voice", "gain", "desk", "own", "other"])
  }

  @Test func `engine functions called within the closure are separate edits`() throws {
    let (engine, voice, _, _) = try chain()
    #expect(throws: EngineError.self) {
      try engine.edit { edit in
        _ = try edit.attach(.mixer(), name: "lost")
        let kept = try engine.attach(.mixer(channels: 1), name: "kept")
        try engine.connect(voice, kept)
        try engine.edit { inner in _ = try inner.attach(.mixer(), name: "inner") }
        throw CancellationError()
      }
    }
    #expect(engine.graph.nodes.map(\.name) == ["voice", "gain", "desk", "kept", "inner"])
    let kept = try #require(engine.node("kept"))
    #expect(engine.wire(from: voice, to: kept) != nil)
  }

  @Test func `two copies never assign the same identity or default name`() throws {
    let (engine, _, _, _) = try chain()
    var nodes: [AudioNode] = []
    try engine.edit { outer in
      nodes.append(try outer.attach(.mixer()))
      try engine.edit { inner in nodes += [try inner.attach(.mixer()), try inner.attach(.mixer())] }
      nodes += [try engine.attach(.mixer()), try outer.attach(.mixer())]
    }
    #expect(Set(nodes.map(\.id)).count == 5 && Set(nodes.map(\.name)).count == 5)
    #expect(Set(engine.nodes).isSuperset(of: nodes))
    let ids = engine.graph.nodes.map(\.id)
    #expect(ids == ids.sorted())
  }

  @Test func `a closure may suspend, and conflicts as others do`() async throws {
    let (engine, voice, gain, output) = try chain()
    let name = try await engine.edit { edit in
      await Task.yield()
      let echo = try edit.attach(.effect("delay", channels: 1))
      try edit.insert(echo, between: gain, and: output)
      return echo.name
    }
    #expect(name == "delay" && engine.graph.wires.count == 3)
    do throws(EngineError) {
      try await engine.edit { edit in
        try edit.detach(gain)
        try await Task.detached { try gain.setBypassed(true) }.value
      }
      Issue.record("nothing was thrown")
    } catch {
      guard case .conflict = error else { throw error }
    }
    #expect(engine.wire(from: voice, to: gain) != nil)
  }

  @Test func `a node's parameters and presets can be set before its edit is committed`() throws {
    let (engine, _, _, output) = try chain()
    let echo = try engine.edit { edit in
      let echo = try edit.attach(.effect("delay", channels: 1))
      try echo.set("time", to: 250)
      #expect(echo["time"] == 250 && echo.parameterInfos.count > 3)
      try edit.connect(echo, output)
      return echo
    }
    #expect(echo["time"] == 250)
    #expect(throws: EngineError.self) {
      try engine.edit { edit in try edit.attach(.mixer()).set("a", to: 1) }
    }
    // A node whose edit failed is not in the engine.
    var lost: AudioNode?
    _ = try? engine.edit { edit in
      lost = try edit.attach(.effect("delay"))
      throw CancellationError()
    }
    #expect(throws: EngineError.self) { try lost?.set("time", to: 1) }
  }

  //  voice ──► desk, with a send to hall; then voice ──► gain ──► desk
  @Test func `an inserted node takes over the wire's levels and sends`() throws {
    let engine = try AudioEngine(.offline(longestBlock: 64))
    let voice = try engine.attach(.capture(channels: 1), name: "voice")
    let hall = try engine.attach(.mixer(), name: "hall"),
      output = try engine.attach(.playback(), name: "desk")
    let strip = try engine.connect(
      Graph.Wire(from: Endpoint(voice.id), to: Endpoint(output.id), gain: -6, pan: 0.5))
    try strip.send(to: hall, gain: .decibels(-12))
    let gain = try engine.edit { edit in
      let gain = try edit.attach(.effect("gain", channels: 1), name: "gain")
      try edit.insert(gain, between: voice, and: output)
      return gain
    }
    let behind = try #require(engine.wire(from: gain, to: output)?.model)
    #expect(behind.gain == -6 && behind.pan == 0.5)
    #expect(
      engine.wire(from: voice, to: gain)?.gain.value == .decibels(0)
        && engine.wire(from: voice, to: output) == nil)
    #expect(engine.wire(from: gain, to: output)?.sends.first?.gain.value == .decibels(-12))
    #expect(throws: EngineError.self) { try engine.edit { try $0.insert(gain, between: voice, and: output) } }
    _ = try engine.render(64)
  }
}
