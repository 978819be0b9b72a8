// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import SwiftletSignal
import SwiftletTesting
import Testing

/// Exports, compared with block-by-block renders of the same engine, and with the files' own tools.
final class ExportTests {
  static let rate = 48_000
  let folder = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }

  func path(_ name: String) -> String { folder + "/" + name }

  /// Deterministic noise.
  static func noise(_ count: Int, seed: UInt64 = 1) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
  }

  @discardableResult
  func write(_ name: String, _ channels: [[Float]]) throws -> String {
    let writer = try AudioFileWriter(
      path(name), format: RecordingFormat(path: name, named: "32-float"), sampleRate: Double(Self.rate),
      channelCount: channels.count)
    try writer.write(channels)
    try writer.close()
    return path(name)
  }

  func read(_ name: String) throws -> [[Float]] {
    let reader = try ConvertingReader(path(name))
    return try reader.read(reader.length ?? 0)
  }

  /// Two players through an echo and a limiter, which has latency.
  func engine(block: Int = 1000) throws -> (engine: AudioEngine, output: AudioNode, voice: AudioNode) {
    if names.isEmpty {
      try write("voice.wav", [Self.noise(2 * Self.rate)])
      try write("music.wav", [Self.noise(3 * Self.rate, seed: 2), Self.noise(3 * Self.rate, seed: 3)])
    }
    let engine = try AudioEngine(.offline(sampleRate: Double(Self.rate), longestBlock: block))
    let voice = try engine.attach(.player(path("voice.wav")), name: "voice")
    let music = try engine.attach(.player(path("music.wav")), name: "music")
    let echo = try engine.attach(.effect("delay"), name: "echo")
    let output = try engine.attach(.playback(ceiling: -3), name: "desk")
    try engine.connect(Graph.Wire(from: Endpoint(voice.id), to: Endpoint(echo.id), gain: -6, pan: 0.5))
    try engine.connect(music, echo, output)
    return (engine, output, voice)
  }

  /// Returns the sound of the output node, rendered block by block, without its latency.
  func rendered(_ count: Int, block: Int = 480) throws -> [[Float]] {
    let (engine, output, _) = try engine(block: block)
    try engine.prepare()
    let late = output.arrivalLatency
    #expect(late > 0, "the control: there is latency to take out")
    var heard = [[Float]](repeating: [], count: 2)
    while heard[0].count < count + late {
      let block = try #require(try engine.render(block)[output])
      for channel in 0..<2 { heard[channel] += block[channel] }
    }
    return heard.map { Array($0[late..<(late + count)]) }
  }

  @Test(arguments: [1000, 4096, 33]) func `an export has the bits of a render`(block: Int) throws {
    let (engine, output, _) = try engine(block: block)
    let export = try ExportSession(engine)
    try export.add(ExportFile(path("mix.wav"), of: output))
    #expect(export.duration == .seconds(3))
    let made = try export.run { _ in }
    let heard = try rendered(3 * Self.rate)
    #expect(try read("mix.wav") == heard)
    let loudest = heard.joined().map(abs).max() ?? 0
    #expect(made.map(\.path) == [path("mix.wav")] && made.map(\.node) == ["desk"])
    #expect(made.map(\.frameCount) == [3 * Self.rate] && made.map(\.peak) == [Decibels.meter(loudest)])
    #expect(names == ["mix.wav", "music.wav", "voice.wav"])
  }

  @Test func `a range sounds as it does in the whole, followed by its tail`() throws {
    let (engine, output, _) = try engine()
    let export = try ExportSession(engine)
    export.options.range = .milliseconds(1234)..<(.milliseconds(2001))
    export.options.tail = .milliseconds(1500)
    try export.add(ExportFile(path("part.w64"), of: output))
    try export.run { _ in }
    let first = 1234 * 48, count = (2001 - 1234 + 1500) * 48
    let whole = try rendered(first + count)
    #expect(try read("part.w64") == whole.map { Array($0[first...]) })
  }

  @Test func `any node can have a file, and all files are aligned to the sample`() throws {
    var click = [Float](repeating: 0, count: 4800)
    click[1234] = 0.5
    try write("click.wav", [click])
    let engine = try AudioEngine(.offline(sampleRate: Double(Self.rate), longestBlock: 64))
    let microphone = try engine.attach(.capture(), name: "mic")
    let limiter = try engine.attach(.effect("limiter", channels: 1), name: "limiter")
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(microphone, limiter, output)
    let export = try ExportSession(engine)
    try export.feed(microphone, from: path("click.wav"))
    for node in [microphone, limiter, output] {
      try export.add(ExportFile(path("\(node.name).wav"), of: node))
      try export.add(ExportFile(path("\(node.name).flac"), of: node))
    }
    #expect(try export.run { _ in }.map(\.node) == ["mic", "mic", "limiter", "limiter", "desk", "desk"])
    #expect(limiter.latency > 0, "the control: there is latency to take out")
    for name in ["mic", "limiter", "desk"] {
      #expect(try read("\(name).wav") == [click])
      #expect(try read("\(name).flac") == [click])
    }
    #expect(engine.graph.taps.isEmpty)
  }

  @Test func `cancelling the task leaves no file, and existing files stay`() async throws {
    let (engine, output, _) = try engine()
    try "precious".write(toFile: path("mix.m4a"), atomically: false, encoding: .utf8)
    let export = try ExportSession(engine)
    export.options.range = .zero..<(.seconds(100_000))
    try export.add(ExportFile(path("mix.wav"), of: output))
    try export.add(ExportFile(path("mix.m4a"), of: output, overwrites: true))
    try export.add(ExportFile(path("mix.flac"), of: output))
    var progress = export.progress.makeAsyncIterator()
    let task = Task { () async throws -> [ExportFile.Report] in try await export.run() }
    let first = await progress.next()
    #expect(first?.total == .seconds(100_000))
    #expect(names.count { $0.contains(".swiftlet-") } == 3, "the control: they had begun")
    task.cancel()
    await #expect { try await task.value } throws: { error in
      if case ExportError.cancelled = error { true } else { false }
    }
    while let more = await progress.next() { #expect(more.part < 1) }
    #expect(names == ["mix.m4a", "music.wav", "voice.wav"])
    #expect(try String(contentsOfFile: path("mix.m4a"), encoding: .utf8) == "precious")
  }

  @Test func `progress ends at completion`() async throws {
    let (engine, output, _) = try engine()
    let export = try ExportSession(engine)
    try export.add(ExportFile(path("mix.wav"), of: output))
    let progress = export.progress
    try await export.run()
    var last: ExportSession.Progress?
    for await step in progress { last = step }
    #expect(last?.part == 1 && last?.left == nil)
    #expect((last?.speed ?? 0) > 0)
    for await _ in export.progress { Issue.record("there is nothing to tell any more") }
  }

  @Test func `a bus can have its own file and another as part of a mix`() throws {
    let (engine, output, voice) = try engine()
    let export = try ExportSession(engine)
    try export.add(ExportFile(path("mix.wav"), as: .wav32f, of: output))
    try export.add(ExportFile(path("part.wav"), as: .wav32f, of: voice, mix: output))
    try export.add(ExportFile(path("alone.wav"), as: .wav32f, of: voice))
    export.options.loudness = .init(-30)
    let made = try export.run { _ in }
    #expect(made[1].gain == made[0].gain && abs(made[2].gain - made[1].gain) > 0.3, "\(made.map(\.gain))")
    #expect(abs((made[2].loudness ?? 0) + 30) < 0.1)
  }

  @Test func `every preset makes a file of its format, as long as the sound`() async throws {
    let (engine, output, _) = try engine()
    let export = try ExportSession(engine)
    let codecs = [
      "wav16": "pcm_s16le", "wav24": "pcm_s24le", "wav32f": "pcm_f32le", "w64": "pcm_f32le",
      "rf64": "pcm_f32le",
      "flac": "flac", "caf": "pcm_f32be", "alac": "alac", "opus": "opus", "vorbis": "vorbis", "mp3": "mp3",
      "m4a": "aac",
    ]
    let presets = ExportPreset.allCases.filter { $0.movie == nil }
    #expect(Set(presets.map(\.name)) == Set(codecs.keys))
    for preset in presets {
      try export.add(ExportFile(path("\(preset.name).\(preset.fileExtension)"), as: preset, of: output))
    }
    try await export.run()
    for preset in presets {
      let name = "\(preset.name).\(preset.fileExtension)"
      let shown = try Self.output(
        "ffprobe", "-v", "error", "-show_entries", "stream=codec_name,sample_rate,channels", "-of", "csv=p=0",
        path(name))
      #expect(shown == "\(codecs[preset.name] ?? ""),48000,2\n", "\(name)")
      // The length as a player counts it, without the codec's padding.
      #expect(try AudioFileReader(path(name)).info.frameCount == 3 * Self.rate, "\(name)")
    }
  }

  /// Returns a program's standard output.
  static func output(_ program: String, _ arguments: String...) throws -> String {
    let process = Process(), words = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardOutput = words
    try process.run()
    let text = try words.fileHandleForReading.readToEnd().map { String(decoding: $0, as: UTF8.self) } ?? ""
    process.waitUntilExit()
    return text
  }
}
