// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletFiles
import SwiftletGraph
import SwiftletTesting
import SwiftletTimeline
import Testing

@testable import Swiftlet

/// Plugins whose latency depends on a parameter: renders stay aligned, and blocks are as in JACK.
@Suite struct PluginLatencyTests {
  let folder: LatePluginFolder
  static let rate = 48_000

  init() throws { folder = try LatePluginFolder() }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  private func write(_ name: String, _ samples: [Float]) throws -> String {
    let writer = try AudioFileWriter(
      path(name), format: RecordingFormat(path: name, named: "32-float"), sampleRate: Double(Self.rate),
      channelCount: 1)
    try writer.write([samples])
    try writer.close()
    return path(name)
  }

  private func read(_ name: String) throws -> [Float] {
    let reader = try ConvertingReader(path(name))
    return try reader.read(reader.length ?? 0)[0]
  }

  /// `in ──► p ──► output`, offline.
  private func line(
    _ plugin: String, block: Int = 256, isolated: Bool = false
  ) throws -> (engine: AudioEngine, input: AudioNode, plugin: AudioNode, output: AudioNode) {
    let engine = try AudioEngine(.offline(sampleRate: Double(Self.rate), longestBlock: block))
    let input = try engine.attach(.capture(channels: 1), name: "in")
    let plugin = try folder.attach(plugin, to: engine, isolated: isolated)
    let output = try engine.attach(.playback(channels: 1), name: "output")
    try engine.connect(input, plugin, output)
    return (engine, input, plugin, output)
  }

  /// Exports the output node, with `samples` at the input.
  private func export(
    _ engine: AudioEngine, _ input: AudioNode, _ output: AudioNode, _ samples: [Float],
    recorder: Recorder? = nil,
    range: Range<MediaTime>? = nil
  ) throws -> [Float] {
    let export = try ExportSession(engine)
    defer { try? FileManager.default.removeItem(atPath: path("in.wav")) }
    try export.feed(input, from: try write("in.wav", samples))
    try export.add(
      ExportFile(path("out.wav"), format: RecordingFormat(path: "out.wav", named: "32-float"), of: output))
    export.options.recorder = recorder
    export.options.range = range
    try export.run { _ in }
    defer { try? FileManager.default.removeItem(atPath: path("out.wav")) }
    return try read("out.wav")
  }

  @Test(arguments: [0, 1, 4800, 96_000], [64, 256, 4096])
  func `a latency that was set before rendering is compensated`(delay: Int, block: Int) throws {
    let (engine, input, plugin, output) = try line("late", block: block)
    try plugin.set("delay", to: Float(delay))
    let samples = ExportTests.noise(Self.rate)
    let heard = try export(engine, input, output, samples)
    #expect((heard == samples) as Bool)
    #expect(plugin.latency == delay)
  }

  @Test(arguments: [false, true])
  func `the latency of a preset is compensated, also if an edit loads it`(inEdit: Bool) throws {
    let (engine, input, first, output) = try line("late")
    var plugin = first
    if inEdit {
      plugin = try engine.edit { edit in
        let new = try edit.add(folder.make("late", for: engine, as: "new"), isNamed: true)
        try new.load(preset: "slow")
        try edit.insert(new, between: input, and: first)
        return new
      }
    } else {
      try plugin.load(preset: "slow")
    }
    let samples = ExportTests.noise(10_000)
    let heard = try export(engine, input, output, samples)
    #expect((heard == samples) as Bool)
    #expect(plugin.latency == 777)
  }

  @Test(arguments: [false, true])
  func `a latency that changes during an export keeps the file aligned, without a step`(isolated: Bool) throws
  {
    let (engine, input, plugin, output) = try line("late", isolated: isolated)
    var lane = Automation(0)
    try lane.set(4800, at: .seconds(1))
    try lane.set(100, at: .seconds(2))
    try plugin.automate("delay", with: lane)
    let seconds = 3 * Self.rate
    let clicks = (0..<seconds).map { $0 % 12_000 == 6000 ? Float(0.5) : 0 }
    let heard = try export(engine, input, output, clicks)
    let clickFrames = heard.indices.filter { abs(heard[$0]) > 0.25 }
    #expect(clickFrames == clicks.indices.filter { clicks[$0] != 0 })
    #expect(heard.count == seconds)
    let (calm, hum, late, wall) = try line("late", isolated: isolated)
    try late.automate("delay", with: lane)
    let level = try export(calm, hum, wall, Array(repeating: 0.5, count: seconds))
    #expect(level.count == seconds)
    let steps = zip(level, level.dropFirst()).map { abs($0 - $1) }
    #expect((steps.max() ?? 1) <= 1.5 * 0.5 / 240 + 1e-4, "the largest step is \(steps.max() ?? 1)")
  }

  //   in ──► p ──► output
  //   in ── inverted ──► output
  @Test(arguments: LatencyChange.allCases, [false, true])
  func `a path through a plugin nulls against a dry one`(change: LatencyChange, isLive: Bool) throws {
    try expectNull(change, isLive, isolated: false)
  }

  @Test(arguments: [false, true])
  func `a path through an isolated plugin nulls against a dry one`(isLive: Bool) throws {
    try expectNull(.parameter, isLive, isolated: true)
  }

  private func expectNull(_ change: LatencyChange, _ isLive: Bool, isolated: Bool) throws {
    let (engine, input, plugin, output) = try line("late", block: 64, isolated: isolated)
    var dry = Graph.Wire(from: Endpoint(input.id), to: Endpoint(output.id))
    dry.isInverted = true
    try engine.connect(dry)
    let noise = ExportTests.noise(4 * Self.rate)
    var heard: [Float] = []
    try folder.saveState(delay: LatencyChange.state.latency)
    if !isLive { try change.apply(to: plugin, folder) }
    for frame in stride(from: 0, to: noise.count - 63, by: 64) {
      if isLive, frame == 64 * 100 { try change.apply(to: plugin, folder) }
      let block = AudioBuffer(checked: [Array(noise[frame..<frame + 64])], Double(Self.rate))
      heard += try #require(try engine.render(64, from: [input: block])[output]?.channels[0])
    }
    #expect(heard[(isLive ? 2 * Self.rate : 0)...].allSatisfy { $0 == 0 })
    #expect(plugin.latency == change.latency)
  }

  @Test func `a take behind 2.2 s of latency is complete`() throws {
    let (engine, input, plugin, output) = try line("late", block: 4096)
    try plugin.set("delay", to: 105_600)
    let recorder = Recorder(engine, folder: folder.path)
    try recorder.add("wet", on: plugin, file: "wet.wav", options: .init(format: "32-float"))
    let samples = ExportTests.noise(5 * Self.rate)
    let heard = try export(engine, input, output, samples, recorder: recorder)
    #expect((heard == samples) as Bool)
    #expect(recorder.finish().map(\.isClean) == [true])
    let wet = try read("wet.wav")
    #expect((wet == samples) as Bool)
  }

  @Test func `all blocks have one length, and takes begin and end within them`() throws {
    let (engine, input, plugin, output) = try line("length")
    let recorder = Recorder(engine, folder: folder.path)
    try recorder.add("dry", on: input, file: "dry.wav", options: .init(format: "32-float"))
    let samples = ExportTests.noise(10_000)
    let range = MediaTime(frames: 700, at: 48_000)..<MediaTime(frames: 9001, at: 48_000)
    let heard = try export(engine, input, output, samples, recorder: recorder, range: range)
    #expect(heard.count == 8301)
    let other = heard.enumerated().filter { $1 != 0.25 }.map(\.offset)
    #expect(other.isEmpty as Bool, "\(other.count) samples, from \(other.first ?? 0) to \(other.last ?? 0)")
    #expect(recorder.finish().map(\.isClean) == [true])
    let dry = try read("dry.wav")
    #expect((dry == Array(samples[700..<9001])) as Bool)
    _ = plugin
  }

  //   in ──► p ──► output
  //   in ──► output, eight times
  @Test func `a plugin that writes beyond a cut block damages no other sound`() async throws {
    let (engine, input, plugin, output) = try line("greedy")
    var mixers: [AudioNode] = []
    for number in 0..<8 {
      let mixer = try engine.attach(.mixer(channels: 1), name: "m\(number)")
      try engine.connect(input, mixer, output)
      mixers.append(mixer)
    }
    let taps = try ([input] + mixers).map { try engine.installTap(on: $0, bufferSize: 256) }
    let samples = ExportTests.noise(256 * 40)
    // A glide cuts blocks on the 16-frame grid.
    var lane = Automation(0)
    try lane.ramp(from: 0, to: 1, in: .zero..<(.milliseconds(200)))
    try plugin.automate("delay", with: lane)
    let heard = try export(engine, input, output, samples)
    #expect(heard.allSatisfy { abs($0) < 6 }, "nothing but the input is heard")
    let dry = samples.enumerated().allSatisfy { frame, sample in
      // The dry paths, and the plugin at a level from 0 to 1.
      let low = min(8 * sample, 9 * sample) - 1e-4, high = max(8 * sample, 9 * sample) + 1e-4
      return (low...high).contains(heard[frame])
    }
    #expect(dry)
    for tap in taps {
      try engine.removeTap(tap)
      var taken: [Float] = []
      for await buffer in tap { taken += buffer.samples[0] }
      #expect(taken.count >= samples.count)
      #expect((taken.prefix(samples.count).elementsEqual(samples)) as Bool)
    }
  }
}
