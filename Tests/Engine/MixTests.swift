// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import SwiftletGraph
import Testing

/// Mixes and lanes played by an engine, compared with their values at each time.
final class MixTests {
  private static let rate = 8000
  private static let seconds = 10
  private let path = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString + ".wav"
  /// The file's samples, all different.
  private let samples = (0..<seconds * rate).map { 0.25 + Float($0) / 1_048_576 }

  init() throws {
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path, named: "32-float"),
      sampleRate: Double(Self.rate), channelCount: 2)
    try writer.write([samples, samples.map { -$0 }])
    try writer.close()
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  private func span(_ from: Int, _ to: Int) -> Range<MediaTime> { .seconds(from)..<(.seconds(to)) }
  private func time(_ frame: Int) -> MediaTime { MediaTime(frames: Int64(frame), at: Double(Self.rate)) }

  /// `music ──► tone ──► desk`, with `effect` in place of the tone, or nothing if it is nil.
  private struct Stage {
    let engine: AudioEngine, music: AudioNode, desk: AudioNode
    let effect: AudioNode?
    let block: Int

    init(_ path: String, block: Int, _ effect: NodeKind? = nil) throws {
      engine = try AudioEngine(.offline(sampleRate: Double(MixTests.rate), longestBlock: 1024))
      music = try engine.attach(.player(path), name: "music")
      desk = try engine.attach(.playback(), name: "desk")
      self.block = block
      guard let effect else {
        self.effect = nil
        try engine.connect(music, desk)
        return
      }
      let node = try engine.attach(effect, name: "tone")
      self.effect = node
      try engine.connect(music, node, desk)
    }

    func render(_ count: Int) throws -> [[Float]] {
      var heard: [[Float]] = [[], []]
      while heard[0].count < count {
        let piece = try #require(try engine.render(min(block, count - heard[0].count))[desk])
        for channel in 0..<2 { heard[channel] += piece[channel] }
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
    let stage = try Stage(path, block: block), said = try volumes()[index]
    var mix = AudioMix()
    mix.master = said
    try stage.engine.apply(mix, master: stage.music)
    let heard = try stage.render(Self.seconds * Self.rate)
    for (seconds, volume) in vectors[index] {
      let frame = Int((seconds * Double(Self.rate)).rounded())
      #expect(abs(Double(heard[0][frame]) - volume * Double(samples[frame])) < 1e-6)
    }
    for (frame, sample) in samples.enumerated() {
      let wanted = sample * said.volume.value(at: time(frame))
      guard heard[0][frame] == wanted, heard[1][frame] == -wanted else {
        Issue.record("frame \(frame): \(heard[0][frame]), not \(wanted)")
        return
      }
    }
  }

  @Test func `tracks, master and lanes of a mix combine`() throws {
    let stage = try Stage(path, block: 64, .effect("gain"))
    var mix = AudioMix(), lane = Automation(0)
    try lane.ramp(to: -6, in: span(1, 3))
    mix["music"] = try volumes()[1]
    mix["music"].duck(under: [span(7, 8)])
    try mix.master.setPanRamp(from: 0, to: 1, in: span(2, 4))
    mix[lane: try ParameterPath("tone.gain")] = lane
    try stage.engine.apply(mix)
    let heard = try stage.render(Self.seconds * Self.rate)
    for frame in stride(from: 5, to: samples.count, by: 97) {
      let said = try #require(mix.tracks["music"]), now = time(frame)
      let gain = pow(10, lane.value(at: now) / 20)
      let wanted = samples[frame] * said.gain(at: now) * gain
      let pan = mix.master.pan.value(at: now)
      let left = wanted * (pan > 0 ? sin(.pi / 4 * (1 - pan)) / sin(.pi / 4) : 1)
      guard abs(heard[0][frame] - left) < 1e-5, abs(heard[1][frame] + wanted) < 1e-5 else {
        Issue.record("frame \(frame): \(heard[0][frame]) and \(heard[1][frame]), not \(left) and \(-wanted)")
        return
      }
    }
    // Another mix replaces all of it.
    try stage.engine.apply(AudioMix())
    #expect(stage.engine.graph.lanes.isEmpty)
    #expect(stage.effect?["gain"] == -6)
  }

  @Test func `a warning reports an inaudible lane`() throws {
    let stage = try Stage(path, block: 64, .effect("gain"))
    try stage.effect?.automate("gain", with: Automation(-6))
    try stage.effect?.automate("volume", with: Automation(0.5))
    #expect(stage.engine.warnings == [])
    try stage.effect?.setBypassed(true)
    #expect(stage.engine.warnings == ["'tone' is bypassed, so the lane of 'gain' has no effect"])
    // Its volume lane is audible.
    #expect(try stage.render(64)[0].last == samples[63] * 0.5)
    try stage.effect?.setBypassed(false)
    #expect(stage.engine.warnings == [])
  }

  //   gain in decibels, a straight line of amplitude from one value to the next: in between, the error of a chord
  @Test func `an effect's lane is exact every 16 frames, for any block length`() throws {
    var lane = Automation(0)
    try lane.ramp(to: -60, in: span(1, 2))
    try lane.ramp(to: 0, in: span(3, 4), curve: .sCurve)
    try lane.set(-20, at: .seconds(5))
    let heard = try [1, 64, 1000].map { block in
      let stage = try Stage(path, block: block, .effect("gain"))
      try stage.effect?.automate("gain", with: lane)
      return try stage.render(6 * Self.rate)[0]
    }
    #expect(heard[0] == heard[1] && heard[1] == heard[2])
    var worst: Float = 0
    for frame in 0..<6 * Self.rate {
      let factor = heard[0][frame] / samples[frame], wanted = pow(10, lane.value(at: time(frame)) / 20)
      if frame % 16 == 15 || frame == 5 * Self.rate {
        guard abs(factor - wanted) < 2e-6 else {
          Issue.record("frame \(frame): \(factor), not \(wanted)")
          return
        }
      }
      worst = max(worst, abs(factor - wanted))
    }
    // A chord of 16 frames at 60 dB per second and 8 kHz deviates by (0.0138)²/8 from its arc.
    #expect(worst < 5e-5, "\(worst)")
  }

  @Test(.enabled(if: Self.hasAmplifier)) func `a plugin's lane moves on its grid`() throws {
    var lane = Automation(0)
    try lane.ramp(to: -60, in: span(1, 2))
    let heard = try [64, 1000].map { block in
      let stage = try Stage(path, block: block, .plugin(Self.amplifier, channels: 2))
      try stage.effect?.automate("gain", with: lane)
      return try stage.render(3 * Self.rate)[0]
    }
    #expect(heard[0] == heard[1])
    for frame in 0..<3 * Self.rate {
      let wanted = samples[frame] * pow(10, lane.value(at: time(frame / 16 * 16)) / 20)
      guard abs(heard[0][frame] - wanted) < 1e-6 else {
        Issue.record("frame \(frame): \(heard[0][frame]), not \(wanted)")
        return
      }
    }
  }

  private static let amplifier = "http://lv2plug.in/plugins/eg-amp"
  private static var hasAmplifier: Bool {
    FileManager.default.fileExists(atPath: "/usr/lib/lv2/eg-amp.lv2")
  }

  @Test func `a node reports its lane's value, and keeps it when the lane is removed`() throws {
    let stage = try Stage(path, block: 100, .effect("gain")), tone = try #require(stage.effect)
    var lane = Automation(0)
    try lane.ramp(to: -10, in: span(0, 1))
    try tone.automate("gain", with: lane)
    _ = try stage.render(Self.rate / 2)
    #expect(stage.engine.timelineTime.frame == Int64(Self.rate / 2))
    #expect(tone["gain"] == -5)
    try tone.automate("gain", with: nil)
    #expect(tone["gain"] == -5)
    let heard = try stage.render(Self.rate)[0]
    let factor = heard[Self.rate / 2] / samples[Self.rate]
    #expect(abs(factor - pow(10, -5 / 20)) < 1e-3)
  }

  @Test func `lanes and mixes of missing nodes are refused, and nothing changes`() throws {
    let stage = try Stage(path, block: 100, .effect("gain")), tone = try #require(stage.effect)
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
    #expect(refusal { try stage.engine.apply(mix) } == "there is no node 'tune'; did you mean 'tone'?")
    mix = AudioMix()
    mix["voice"].volume = Automation(0.5)
    #expect(refusal { try stage.engine.apply(mix) } == "there is no node 'voice'")
    #expect(stage.engine.graph.lanes.count == 1)
    try stage.engine.detach(tone)
    #expect(stage.engine.graph.lanes.isEmpty)
    #expect(
      refusal { try tone.automate("gain", with: Automation(0)) } == "'tone' is not attached to this engine")
  }

  @Test func `lanes and mixes out of range are clamped and reported`() throws {
    let stage = try Stage(path, block: 100, .effect("gain")), tone = try #require(stage.effect)
    let told = ReportLog(stage.engine)
    func followed(_ value: Lane.Value) -> Automation? {
      stage.engine.graph.lane(of: Lane.Target(.node(tone.id), value))?.automation
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
    try stage.engine.apply(mix)
    #expect(followed(.parameter(0))?.initial == 24 && followed(.pan)?.initial == -1)
    try stage.engine.edit { edit in try edit.apply(mix) }
    #expect(
      told.lines == [
        "tone gain -100.0 -96.0", "tone gain 30.0 24.0", "tone volume -0.5 0.0", "tone gain 25.0 24.0",
        "tone pan -2.0 -1.0", "tone gain 25.0 24.0", "tone pan -2.0 -1.0",
      ])
    #expect(throws: EngineError.self) { try tone.automate("gian", with: Automation(30)) }
    #expect(told.lines.count == 7, "a lane that is refused is not reported")
  }

  //   each parameter of each effect, through its whole range and back, while it plays: every sample is finite
  //  a ──┬──► desk
  //  b ──┘
  @Test func `a composition is attached with its mix, in full or not at all`() throws {
    var song = Composition()
    for track: TrackID in ["a", "b"] { try song.add(track) }
    try song.insert(span(0, 2), of: AssetReference(path), in: "a")
    try song.insert(span(3, 6), of: AssetReference(path), at: .seconds(1), in: "b")
    var mix = AudioMix()
    try mix["a"].setVolumeRamp(from: 0.1, to: 0.9, in: span(0, 1))
    mix["b"].duck(under: [span(1, 2)])
    try mix.master.setVolumeRamp(from: 1, to: 0, in: span(3, 4))
    func heard(_ build: (AudioEngine, AudioNode) throws -> Void) throws -> [[Float]] {
      let engine = try AudioEngine(.offline(sampleRate: Double(Self.rate), longestBlock: 1000))
      let desk = try engine.attach(.playback(), name: "desk")
      try build(engine, desk)
      return try (0..<36).reduce(into: [[], []]) { heard, _ in
        let block = try #require(try engine.render(1000)[desk])
        for channel in 0..<2 { heard[channel] += block[channel] }
      }
    }
    let whole = try heard { engine, desk in
      let nodes = try engine.attach(song, mix: mix, to: desk)
      #expect(nodes.map(\.name) == ["a", "b"] && engine.graph.wires.count == 2)
      // It is one edit. The second fails because its names are taken, and leaves nothing.
      let before = engine.graph
      try engine.undo()
      #expect(engine.graph.nodes.map(\.name) == ["desk"] && engine.graph.lanes.isEmpty)
      try engine.redo()
      #expect(throws: EngineError.self) { try engine.attach(song, to: desk) }
      #expect(engine.graph == before)
    }
    let byHand = try heard { engine, desk in
      for track in song.tracks {
        _ = try engine.attach(.track(track, mix: mix[track.id]), name: track.id.name)
      }
      for node in engine.nodes where node != desk { try engine.connect(node, desk) }
      var master = AudioMix()
      master.master = mix.master
      try engine.apply(master)
    }
    #expect(whole == byHand && whole[0].contains { $0 > 0.3 } && whole[0].suffix(1000).allSatisfy { $0 == 0 })
  }

  //  noise ──► effect ──► desk
  @Test func `a constant lane sounds like a value that was set`() throws {
    for info in EffectCatalog.builtIn.infos where !info.files.contains(where: \.isRequired) {
      func heard(_ prepare: (AudioNode) throws -> Void) throws -> [[Float]] {
        let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 512))
        let noise = try engine.attach(.player(path)), desk = try engine.attach(.playback())
        let node = try engine.attach(.effect(info.id))
        if !info.inputs.isEmpty { try engine.connect(noise, node) }
        try engine.connect(node, to: desk)
        try prepare(node)
        try engine.prepare()
        for _ in 0...desk.arrivalLatency / 512 { _ = try engine.render(512) }
        return try #require(try engine.render(512)[desk]).channels
      }
      let plain = try heard { _ in }
      var changes = 0
      for parameter in info.parameters {
        let ends = [parameter.range.lowerBound, parameter.range.upperBound]
        let value = ends[0] == parameter.initial ? ends[1] : ends[0]
        let byHand = try heard { try $0.set(parameter.symbol, to: value, over: .zero) }
        let byLane = try heard { try $0.automate(parameter.symbol, with: Automation(value)) }
        let error = zip(byHand.joined(), byLane.joined()).map { abs($0 - $1) }.max() ?? 1
        // A shifted pitch depends on the phase at which the shift began.
        #expect(error < (info.id == "pitch" ? 0.02 : 1e-3), "\(info.id).\(parameter.symbol): \(error)")
        if byLane != plain { changes += 1 }
      }
      // Measuring effects do not change the sound. Two channels of opposite polarity, such as those of the file,
      // cancel out when both sources have one position in a room.
      #expect(changes > 0 || ["loudness", "environment"].contains(info.id), "\(info.id): no lane is heard")
    }
  }

  @Test func `every parameter of every effect follows a lane`() throws {
    for info in EffectCatalog.builtIn.infos where !info.files.contains(where: \.isRequired) {
      let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 512))
      let noise = try engine.attach(.player(path)), desk = try engine.attach(.playback())
      let node = try engine.attach(.effect(info.id))
      if !info.inputs.isEmpty { try engine.connect(noise, node) }
      try engine.connect(node, to: desk)
      for parameter in node.parameterInfos {
        var lane = Automation(parameter.range.lowerBound)
        try lane.ramp(to: parameter.range.upperBound, in: .milliseconds(3)..<(.milliseconds(12)))
        try lane.ramp(to: parameter.initial, in: .milliseconds(12)..<(.milliseconds(13)))
        try node.automate(parameter.symbol, with: lane)
      }
      for _ in 0..<2 {
        let heard = try #require(try engine.render(512)[desk])
        #expect(heard.channels.allSatisfy { $0.allSatisfy(\.isFinite) }, "\(info.id)")
      }
    }
  }
}
