// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

struct TakesTests {
  //  voice ──► limiter (looks ahead) ──► desk       dry: behind the voice, wet: behind the limiter
  @Test func `takes before and after a late plugin begin at one instant`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "swiftlet-takes-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 256))
    let voice = try engine.attach(.capture(channels: 1), name: "voice")
    let limiter = try engine.attach(
      .plugin("http://gareus.org/oss/lv2/dpl#mono", channels: 1), name: "limiter")
    let desk = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(voice, limiter, desk)
    #expect(limiter.latency > 0)
    let recorder = Recorder(engine, folder: folder.path)
    try recorder.add("dry", on: voice, file: "{tap}-{take}.wav")
    try recorder.add("wet", on: limiter, file: "{tap}-{take}.wav")
    try recorder.start()
    var impulse = [Float](repeating: 0, count: 256)
    impulse[100] = 0.25
    _ = try engine.render(256, from: [voice: AudioBuffer([impulse])])
    for _ in 0..<20 { _ = try engine.render(256) }
    recorder.stop()
    for _ in 0..<4 { _ = try engine.render(256) }
    let reports = recorder.finish()
    #expect(reports.map(\.frameCount) == [21 * 256, 21 * 256])
    #expect(!reports.contains { !$0.isClean })
    for report in reports {
      let samples = try AudioFileReader(report.path).read(21 * 256)[0]
      let loudest = samples.indices.max { abs(samples[$0]) < abs(samples[$1]) }
      #expect(loudest == 100, "\(report.tap)")
    }
  }

  @Test func `an armed tap waits until it is named, and takes get the next number`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "swiftlet-takes-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let engine = try AudioEngine(.offline(longestBlock: 64))
    let voice = try engine.attach(.capture(channels: 1), name: "voice")
    let recorder = Recorder(engine, folder: folder.path)
    try recorder.add("now", on: voice, file: "{tap}-{take}.wav")
    try recorder.add("later", on: voice, file: "{tap}-{take}.wav", isArmed: true)
    #expect(try recorder.start().keys.sorted() == ["now"])
    _ = try engine.render(64)
    let named = try recorder.start(["later"])
    #expect(named["later"]?.hasSuffix("later-001.wav") == true)
    _ = try engine.render(64)
    recorder.stop(["later"])
    _ = try engine.render(64)
    let reports = recorder.finish()
    #expect(
      Dictionary(uniqueKeysWithValues: reports.map { ($0.tap, $0.frameCount) }) == ["later": 64, "now": 192])
    #expect(try recorder.start(["later"])["later"]?.hasSuffix("later-002.wav") == true)
  }
}
