// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import SwiftletGraph
import Testing

/// Mixes and lanes played by an engine, compared with their values at each time.
final class MixTests {
  static let rate = 8000
  private static let seconds = 10
  let path = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString + ".wav"
  /// The file's samples, all different.
  let samples = (0..<seconds * rate).map { 0.25 + Float($0) / 1_048_576 }

  init() throws {
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path, named: "32-float"),
      sampleRate: Double(Self.rate), channelCount: 2)
    try writer.write([samples, samples.map { -$0 }])
    try writer.close()
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func span(_ from: Int, _ to: Int) -> Range<MediaTime> { .seconds(from)..<(.seconds(to)) }
  func time(_ frame: Int) -> MediaTime { MediaTime(frames: Int64(frame), at: Double(Self.rate)) }

  /// `music ──► tone ──► desk`, with `effect` in place of the tone, or nothing if it is nil.
  struct Rig {
    let engine: AudioEngine, music: AudioNode, output: AudioNode
    let effect: AudioNode?
    let block: Int

    init(_ path: String, block: Int, _ effect: NodeKind? = nil) throws {
      engine = try AudioEngine(.offline(sampleRate: Double(MixTests.rate), longestBlock: 1024))
      music = try engine.attach(.player(path), name: "music")
      output = try engine.attach(.playback(), name: "desk")
      self.block = block
      guard let effect else {
        self.effect = nil
        try engine.connect(music, output)
        return
      }
      let node = try engine.attach(effect, name: "tone")
      self.effect = node
      try engine.connect(music, node, output)
    }

    func render(_ count: Int) throws -> [[Float]] {
      var heard: [[Float]] = [[], []]
      while heard[0].count < count {
        let rendered = try #require(try engine.render(min(block, count - heard[0].count))[output])
        for channel in 0..<2 { heard[channel] += rendered[channel] }
      }
      return heard
    }
  }

  /// The four volumes of AVAudioMix's own examples.
  private func volumes() throws -> [TrackMix] {
    var mixes = Array(repeating: TrackMix(), count: 4)
    try mixes[0].setVolume(0.5, at: .zero)
    try mixes[0].setVolumeRamp(from: 0.5, to: 0.8, in: span(2, 4))
    try mixes[0].setVolume(0.3, at: .seconds(7))
    try mixes[1].setVolume(0.5, at: .zero)
    try mixes[1].setVolumeRamp(from: 0.1, to: 0.9, in: span(3, 6))
    try mixes[2].setVolume(1, at: .zero)
    try mixes[2].setVolumeRamp(from: 0.5, to: 0.2, in: span(4, 9))
    try mixes[3].setVolume(0.4, at: .seconds(5))
    return mixes
  }

  /// The volume that AVAudioMix plays at these times in seconds.
  private let vectors: [[(Double, Double)]] = [
    [(0, 0.5), (2, 0.5), (3, 0.65), (4, 0.8), (6.9, 0.8), (7, 0.3)],
    [(2.99, 0.5), (3, 0.1), (4.5, 0.5), (6, 0.9)], [(3.9, 1), (4, 0.5), (6.5, 0.35), (9, 0.2)],
    [(0, 1), (4.99, 1), (5, 0.4)],
  ]

  @Test(arguments: [1, 64, 1000], 0..<4)
  func `the mix of a plain file is exact on every sample`(block: Int, index: Int) throws {
    let rig = try Rig(path, block: block), master = try volumes()[index]
    var mix = AudioMix()
    mix.master = master
    try rig.engine.apply(mix, master: rig.music)
    let heard = try rig.render(Self.seconds * Self.rate)
    for (seconds, volume) in vectors[index] {
      let frame = Int((seconds * Double(Self.rate)).rounded())
      #expect(abs(Double(heard[0][frame]) - volume * Double(samples[frame])) < 1e-6)
    }
    for (frame, sample) in samples.enumerated() {
      let wanted = sample * master.volume.value(at: time(frame))
      guard heard[0][frame] == wanted, heard[1][frame] == -wanted else {
        Issue.record("frame \(frame): \(heard[0][frame]), not \(wanted)")
        return
      }
    }
  }

  @Test func `tracks, master and lanes of a mix combine`() throws {
    let rig = try Rig(path, block: 64, .effect("gain"))
    var mix = AudioMix(), lane = Automation(0)
    try lane.ramp(to: -6, in: span(1, 3))
    mix["music"] = try volumes()[1]
    mix["music"].duck(under: [span(7, 8)])
    try mix.master.setPanRamp(from: 0, to: 1, in: span(2, 4))
    mix[lane: try ParameterPath("tone.gain")] = lane
    try rig.engine.apply(mix)
    let heard = try rig.render(Self.seconds * Self.rate)
    for frame in stride(from: 5, to: samples.count, by: 97) {
      let trackMix = try #require(mix.tracks["music"]), now = time(frame)
      let gain = pow(10, lane.value(at: now) / 20)
      let wanted = samples[frame] * trackMix.gain(at: now) * gain
      let pan = mix.master.pan.value(at: now)
      let left = wanted * (pan > 0 ? sin(.pi / 4 * (1 - pan)) / sin(.pi / 4) : 1)
      guard abs(heard[0][frame] - left) < 1e-5, abs(heard[1][frame] + wanted) < 1e-5 else {
        Issue.record("frame \(frame): \(heard[0][frame]) and \(heard[1][frame]), not \(left) and \(-wanted)")
        return
      }
    }
    // Another mix replaces all of it.
    try rig.engine.apply(AudioMix())
    #expect(rig.engine.graph.lanes.isEmpty)
    #expect(rig.effect?["gain"] == -6)
  }

  @Test func `a warning reports an inaudible lane`() throws {
    let rig = try Rig(path, block: 64, .effect("gain"))
    try rig.effect?.automate("gain", with: Automation(-6))
    try rig.effect?.automate("volume", with: Automation(0.5))
    #expect(rig.engine.warnings == [])
    try rig.effect?.setBypassed(true)
    #expect(rig.engine.warnings == ["'tone' is bypassed, so the lane of 'gain' has no effect"])
    // Its volume lane is audible.
    #expect(try rig.render(64)[0].last == samples[63] * 0.5)
    try rig.effect?.setBypassed(false)
    #expect(rig.engine.warnings == [])
  }

  @Test func `lanes and mixes of missing nodes are refused, and nothing changes`() throws {
    let rig = try Rig(path, block: 100, .effect("gain")), tone = try #require(rig.effect)
    func refusal(_ body: () throws -> Void) -> String {
      do {
        try body()
        return "nothing"
      } catch {
        return "\(error)"
      }
    }
    try tone.automate("gain", with: Automation(-3))
    #expect(
      refusal { try tone.automate("gian", with: Automation(0)) }
        == "'tone' has no parameter 'gian'; did you mean 'gain'?")
    var mix = AudioMix()
    mix[lane: try ParameterPath("tune.gain")] = Automation(0)
    #expect(refusal { try rig.engine.apply(mix) } == "there is no node 'tune'; did you mean 'tone'?")
    mix = AudioMix()
    mix["voice"].volume = Automation(0.5)
    #expect(refusal { try rig.engine.apply(mix) } == "there is no node 'voice'; choose an attached node")
    #expect(rig.engine.graph.lanes.count == 1)
    try rig.engine.detach(tone)
    #expect(rig.engine.graph.lanes.isEmpty)
    #expect(
      refusal { try tone.automate("gain", with: Automation(0)) }
        == "'tone' is not attached to this engine; attach it first")
  }

  @Test func `lanes and mixes out of range are clamped and reported`() throws {
    let rig = try Rig(path, block: 100, .effect("gain")), tone = try #require(rig.effect)
    let log = ReportLog(rig.engine)
    func followed(_ value: Lane.Value) -> Automation? {
      rig.engine.graph.lane(of: Lane.Target(.node(tone.id), value))?.automation
    }
    var lane = Automation(-100)
    try lane.ramp(from: 0, to: 30, in: span(0, 1))
    try tone.automate("gain", with: lane)
    #expect(followed(.parameter(0))?.bounds == -96...24)
    try tone.automate("volume", with: Automation(-0.5))
    #expect(followed(.volume)?.initial == 0)
    var mix = AudioMix()
    mix[lane: try ParameterPath("tone.gain")] = Automation(25)
    mix["tone"].pan = Automation(-2)
    try rig.engine.apply(mix)
    #expect(followed(.parameter(0))?.initial == 24 && followed(.pan)?.initial == -1)
    try rig.engine.edit { edit in try edit.apply(mix) }
    #expect(
      log.lines == [
        "tone gain -100.0 -96.0", "tone gain 30.0 24.0", "tone volume -0.5 0.0", "tone gain 25.0 24.0",
        "tone pan -2.0 -1.0", "tone gain 25.0 24.0", "tone pan -2.0 -1.0",
      ])
    #expect(throws: EngineError.self) { try tone.automate("gian", with: Automation(30)) }
    #expect(log.lines.count == 7, "a lane that is refused is not reported")
  }

  //  a ──┬──► desk
  //  b ──┘
  @Test func `a composition is attached with its mix, in full or not at all`() throws {
    var composition = Composition()
    for track: TrackID in ["a", "b"] { try composition.add(track) }
    try composition.insert(span(0, 2), of: AssetReference(path), in: "a")
    try composition.insert(span(3, 6), of: AssetReference(path), at: .seconds(1), in: "b")
    var mix = AudioMix()
    try mix["a"].setVolumeRamp(from: 0.1, to: 0.9, in: span(0, 1))
    mix["b"].duck(under: [span(1, 2)])
    try mix.master.setVolumeRamp(from: 1, to: 0, in: span(3, 4))
    func heard(_ build: (AudioEngine, AudioNode) throws -> Void) throws -> [[Float]] {
      let engine = try AudioEngine(.offline(sampleRate: Double(Self.rate), longestBlock: 1000))
      let output = try engine.attach(.playback(), name: "desk")
      try build(engine, output)
      return try (0..<36).reduce(into: [[], []]) { heard, _ in
        let block = try #require(try engine.render(1000)[output])
        for channel in 0..<2 { heard[channel] += block[channel] }
      }
    }
    let whole = try heard { engine, output in
      let nodes = try engine.attach(composition, mix: mix, to: output)
      #expect(nodes.map(\.name) == ["a", "b"] && engine.graph.wires.count == 2)
      // It is one edit. The second fails because its names are taken, and leaves nothing.
      let before = engine.graph
      try engine.undo()
      #expect(engine.graph.nodes.map(\.name) == ["desk"] && engine.graph.lanes.isEmpty)
      try engine.redo()
      #expect(throws: EngineError.self) { try engine.attach(composition, to: output) }
      #expect(engine.graph == before)
    }
    let byHand = try heard { engine, output in
      for track in composition.tracks {
        _ = try engine.attach(.track(track, mix: mix[track.id]), name: track.id.name)
      }
      for node in engine.nodes where node != output { try engine.connect(node, output) }
      var master = AudioMix()
      master.master = mix.master
      try engine.apply(master)
    }
    #expect(whole == byHand && whole[0].contains { $0 > 0.3 } && whole[0].suffix(1000).allSatisfy { $0 == 0 })
  }
}
