// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletGraph
import Testing

/// Nodes, wires and taps of another engine, whose numbers identify other elements here.
@Suite struct OtherEngineNodeTests {
  //  voice ──► gain ──► desk, in each of two engines
  private struct Chain {
    let engine: AudioEngine, voice: AudioNode, gain: AudioNode, output: AudioNode, wire: Wire

    init() throws {
      engine = try AudioEngine(.offline())
      voice = try engine.attach(.capture(), name: "voice")
      gain = try engine.attach(.effect("gain"), name: "gain")
      output = try engine.attach(.playback(), name: "desk")
      try engine.connect(voice, gain, output)
      wire = try #require(engine.wire(from: voice, to: gain))
    }
  }

  private let own: Chain, other: Chain
  private var engine: AudioEngine { own.engine }

  init() throws {
    own = try Chain()
    other = try Chain()
    try #require(own.gain.id == other.gain.id && own.wire.id == other.wire.id)
  }

  /// Whether an error states that something is not attached to this engine.
  private static func saysNotAttached(_ error: any Error) -> Bool {
    switch error {
    case EngineError.notAttached, ExportError.engine(.notAttached): true
    default: false
    }
  }

  private func expectRefusals(_ calls: [(name: String, call: () throws -> Void)]) {
    let before = engine.graph
    for (name, call) in calls {
      #expect("\(name)") {
        try call()
      } throws: {
        Self.saysNotAttached($0)
      }
      // The graphs themselves would be printed in full.
      let isUnchanged = engine.graph == before
      #expect(isUnchanged, "\(name)")
    }
  }

  @Test func `nodes of another engine are refused, and nothing changes`() throws {
    let (own, other, engine) = (own, other, engine)
    let mixer = try engine.attachMixer(), otherMixer = try other.engine.attachMixer()
    expectRefusals([
      ("detach", { try engine.detach(other.gain) }),
      ("connect", { try engine.connect(other.voice, own.output) }),
      ("connect the last", { try engine.connect(own.voice, mixer, other.output) }),
      ("connect to", { _ = try engine.connect(own.voice, to: other.output) }),
      ("connect from", { _ = try engine.connect(other.voice, to: own.output) }),
      ("connect a bus", { _ = try engine.connect(other.voice, bus: 0, to: own.output, bus: 0) }),
      ("connect to a mixer", { _ = try engine.connect(other.voice, to: mixer) }),
      ("connect a bus to a mixer", { _ = try engine.connect(own.voice, bus: 0, to: otherMixer) }),
      ("feedback", { _ = try engine.connect(own.gain, to: other.gain, feedback: 64) }),
      ("disconnect", { _ = try engine.disconnect(other.voice, from: other.gain) }),
      ("send", { _ = try own.wire.send(to: other.output) }),
      ("apply", { try engine.apply(AudioMix(), master: other.gain) }),
      ("composition", { _ = try engine.attach(Composition(), to: other.output) }),
      ("render", { _ = try engine.render(64, from: [other.voice: AudioBuffer([[1]])]) }),
    ])
    #expect(engine.wire(from: other.voice, to: other.gain) == nil)
  }

  @Test func `nodes and wires of another engine are refused in an edit, and nothing changes`() throws {
    let (own, other) = (own, other)
    let otherMixer = try other.engine.attachMixer(), mixer = try engine.attachMixer()
    try #require(mixer.id == otherMixer.id)
    let edits: [(name: String, edit: (inout GraphEdit) throws -> Void)] = [
      ("connect", { try $0.connect(other.voice, try $0.attachMixer()) }),
      ("connect to", { _ = try $0.connect(own.voice, to: other.output) }),
      ("connect from", { _ = try $0.connect(other.voice, to: own.output) }),
      ("connect a bus", { _ = try $0.connect(other.voice, bus: 0, to: own.output, bus: 0) }),
      ("connect to a mixer", { _ = try $0.connect(own.voice, to: otherMixer) }),
      ("insert", { try $0.insert(other.output, between: own.voice, and: own.gain) }),
      ("insert behind", { try $0.insert(try $0.attachMixer(), between: other.voice, and: own.gain) }),
      ("insert before", { try $0.insert(try $0.attachMixer(), between: own.voice, and: other.gain) }),
      ("detach", { try $0.detach(other.gain) }),
      ("disconnect", { _ = try $0.disconnect(other.voice, from: other.gain) }),
      ("disconnect a wire", { try $0.disconnect(other.wire) }),
      ("send", { _ = try $0.send(own.wire, to: other.output) }),
      ("send a wire", { _ = try $0.send(other.wire, to: own.output) }),
      ("bypass", { try $0.setBypassed(true, of: other.gain) }),
      ("gain", { try $0.setGain(-3, of: otherMixer) }),
      ("update", { try $0.update(other.wire) { $0.isMuted = true } }),
    ]
    expectRefusals(edits.map { edit in (edit.name, { [engine] in try engine.edit { try edit.edit(&$0) } }) })
  }

  @Test func `taps and meters of another engine's nodes are refused, and nothing changes`() throws {
    let (other, engine) = (other, engine)
    expectRefusals([
      ("tap", { _ = try engine.installTap(on: other.gain) }),
      ("tap with a closure", { _ = try engine.installTap(on: other.gain) { _, _ in } }),
      ("tap of a wire", { _ = try engine.installTap(on: other.wire) }),
      ("meter", { _ = try engine.installMeter(on: other.gain) }),
      ("meter of loudness", { _ = try engine.installMeter(on: other.gain, [.loudness]) }),
      ("meter of a wire", { _ = try engine.installMeter(on: other.wire) }),
    ])
  }

  @Test func `a tap of another engine is refused, and the local tap with its number stays`() throws {
    let tap = try engine.installTap(on: own.gain), otherTap = try other.engine.installTap(on: other.gain)
    try #require(tap.id == otherTap.id)
    let engine = engine
    expectRefusals([("remove", { try engine.removeTap(otherTap) })])
    try engine.removeTap(tap)
    try engine.removeTap(tap)
    #expect(engine.graph.taps.isEmpty && other.engine.graph.taps.count == 1)
  }

  @Test func `recorders refuse nodes of another engine, and nothing changes`() throws {
    let (own, other, engine) = (own, other, engine)
    let recorder = Recorder(engine, folder: NSTemporaryDirectory())
    let heardThrough = Recorder.Options(heardThrough: other.output), path = NSTemporaryDirectory() + "a.wav"
    expectRefusals([
      ("add", { _ = try recorder.add("a", on: other.voice, file: "a.wav") }),
      (
        "add heard through",
        { _ = try recorder.add("a", on: own.voice, file: "a.wav", options: heardThrough) }
      ),
      ("record", { _ = try engine.record([.after(other.voice, to: path)]) }),
      ("record before", { _ = try engine.record([.before(other.gain, to: path)]) }),
      ("recorder of few lines", { _ = try AudioRecorder(path, of: own.voice, options: heardThrough) }),
    ])
  }

  @Test func `players refuse an output of another engine, and leave nothing to undo`() throws {
    let (other, engine) = (other, engine)
    expectRefusals([
      ("buffer", { _ = try AudioPlayer(AudioBuffer([[1]]), on: engine, to: other.output) }),
      (
        "file",
        { _ = try AudioPlayer("/usr/share/sounds/alsa/Front_Center.wav", on: engine, to: other.output) }
      ),
    ])
    // The last edit is the one that connected the chain.
    #expect(try engine.undo())
    #expect(engine.graph.wires.isEmpty && engine.graph.nodes.count == 3)
  }

  @Test func `exports refuse nodes of another engine, and neither write nor record`() throws {
    let (own, other) = (own, other), path = NSTemporaryDirectory() + "a.wav"
    let export = try ExportSession(engine)
    expectRefusals([
      ("add", { try export.add(try ExportFile(path, of: other.output)) }),
      ("add a part of a mix", { try export.add(try ExportFile(path, of: own.output, mix: other.output)) }),
      (
        "add a movie",
        { try export.add(try ExportFile(path + ".mp4", video: VideoTrack(), of: other.output)) }
      ),
      ("feed", { try export.feed(other.voice, from: "/usr/share/sounds/alsa/Front_Center.wav") }),
    ])
    #expect {
      try export.check()
    } throws: {
      if case ExportError.nothingToWrite = $0 { true } else { false }
    }
  }
}
