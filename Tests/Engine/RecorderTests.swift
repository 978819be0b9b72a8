// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletFiles
import Synchronization
import Testing

@testable import Swiftlet

/// Recorders and the taps of an engine.
final class RecorderTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/swiftlet-takes-" + UUID().uuidString
  private let engine: AudioEngine
  private let voice: AudioNode
  private let recorder: Recorder

  init() throws {
    engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 1000))
    voice = try engine.attach(.capture(channels: 1), name: "voice")
    recorder = Recorder(engine, folder: folder)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Renders blocks of `count` frames.
  private func render(_ count: Int, times: Int = 1) throws {
    for _ in 0..<times { _ = try engine.render(count) }
  }

  //   voice ──► limiter (with latency) ──► desk       dry: behind the voice, wet: behind the limiter
  @Test func `takes before and after a plugin with latency begin at one instant`() throws {
    let limiter = try engine.attach(
      .plugin("http://gareus.org/oss/lv2/dpl#mono", channels: 1), name: "limiter")
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(voice, limiter, output)
    #expect(limiter.latency > 0)
    try recorder.add("dry", on: voice, file: "{tap}-{take}.wav")
    try recorder.add("wet", on: limiter, file: "{tap}-{take}.wav")
    try recorder.start()
    var impulse = [Float](repeating: 0, count: 256)
    impulse[100] = 0.25
    _ = try engine.render(256, from: [voice: AudioBuffer([impulse])])
    try render(256, times: 20)
    recorder.stop()
    try render(256, times: 4)
    let reports = recorder.finish()
    #expect(reports.map(\.frameCount) == [21 * 256, 21 * 256])
    #expect(!reports.contains { !$0.isClean })
    for report in reports {
      let samples = try AudioFileReader(report.path).read(21 * 256)[0]
      let loudest = samples.indices.max { abs(samples[$0]) < abs(samples[$1]) }
      #expect(loudest == 100, "\(report.tap)")
    }
  }

  @Test func `an armed tap waits until it is started by name, and takes are numbered`() throws {
    try recorder.add("now", on: voice, file: "{tap}-{take}.wav")
    try recorder.add("later", on: voice, file: "{tap}-{take}.wav", options: .init(isArmed: true))
    #expect(try recorder.start().keys.sorted() == ["now"])
    try render(64)
    let named = try recorder.start(["later"])
    #expect(named["later"]?.hasSuffix("later-001.wav") == true)
    try render(64)
    recorder.stop(["later"])
    try render(64)
    let reports = recorder.finish()
    #expect(
      Dictionary(uniqueKeysWithValues: reports.map { ($0.tap, $0.frameCount) }) == ["later": 64, "now": 192])
    #expect(try recorder.start(["later"])["later"]?.hasSuffix("later-002.wav") == true)
  }

  @Test func `after a take that ended by itself the next can start`() throws {
    try recorder.add("voice", on: voice, file: "{take}.wav")
    for number in 1...3 {
      let paths = try recorder.start()
      #expect(paths["voice"]?.hasSuffix("00\(number).wav") == true)
      #expect(recorder.isRecording(recorder.taps[0]))
      recorder.end(["voice"], before: engine.now.frame + 150)
      try render(100, times: 4)
      #expect(soon { !recorder.isRecording(recorder.taps[0]) })
    }
    #expect(recorder.finish().map(\.frameCount) == [150, 150, 150])
  }

  @Test func `stopping and starting at once makes two takes, each with its own sound`() throws {
    try recorder.add("voice", on: voice, file: "{take}.wav", options: .init(format: "32-float"))
    let sound = staircase(9000)
    for number in 0..<9 {
      try recorder.start()
      let block = Array(sound[number * 1000..<number * 1000 + 1000])
      _ = try engine.render(1000, from: [voice: AudioBuffer([block])])
      recorder.stop()
    }
    let reports = recorder.finish().sorted { $0.path < $1.path }
    try #require(reports.count == 9)
    for (number, report) in reports.enumerated() {
      let part = Array(sound[number * 1000..<number * 1000 + 1000])
      #expect(try AudioFileReader(report.path).read(2000)[0] == part, "take \(number)")
    }
  }

  @Test func `a tap whose take has a scheduled end cannot be started again`() throws {
    try recorder.add("voice", on: voice, file: "{take}.wav")
    try recorder.start()
    try render(100)
    recorder.stop(at: AudioTime(frame: 200, sampleRate: engine.sampleRate))
    #expect(throws: EngineError.self) { try self.recorder.start() }
    try render(100, times: 2)
    try recorder.start()
    try render(100)
    #expect(recorder.finish().map(\.frameCount) == [200, 100])
  }

  @Test func `takes end automatically with their engine`() throws {
    let reports = Mutex<[TakeReport]>([])
    let observation = engine.observe { event in
      if case .takeEnded(let report) = event { reports.withLock { $0.append(report) } }
    }
    defer { observation.cancel() }
    try recorder.add("voice", on: voice, file: "a.wav")
    try recorder.start()
    try render(100, times: 7)
    engine.close()
    #expect(soon { reports.withLock { $0.count } == 1 })
    #expect(reports.withLock { $0.first?.failure } == nil)
    #expect(try AudioFileReader(folder + "/a.wav").info.frameCount == 700)
    #expect(recorder.finish().count == 1)
  }

  @Test func `extreme times saturate`() throws {
    let last = AudioTime(frame: .max, sampleRate: 48_000), first = AudioTime(frame: .min, sampleRate: 48_000)
    #expect(last + .seconds(1) == last && first + .seconds(-1) == first)
    // Behind a node with latency a take begins later than its instant.
    let limiter = try engine.attach(.effect("limiter", channels: 1), name: "limiter")
    try engine.connect(voice, limiter)
    try recorder.add("voice", on: limiter, file: "{take}.wav")
    _ = try recorder.start(nil, at: last)
    #expect(limiter.latency > 0)
    try render(100)
    recorder.pause()
    recorder.end(["voice"], before: .max)
    recorder.stop(at: last)
    #expect(recorder.finish().map(\.frameCount) == [0])
    let simple = try AudioRecorder(folder + "/b.wav", of: voice)
    try simple.record(at: last, for: .seconds(Int64.max))
    try render(100)
    #expect(simple.currentTime == .zero)
    let none = simple.stop()
    #expect(none?.frameCount == 0 && none?.isKept == false)
    #expect(!FileManager.default.fileExists(atPath: folder + "/b.wav"))
    try simple.record(at: first, for: .seconds(Int64.max))
    try render(100)
    let whole = simple.stop()
    #expect(whole?.frameCount == 100 && whole?.isKept == true)
  }
}
