// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import Synchronization
import Testing

/// `AudioRecorder` on an offline engine of 8 kHz.
final class AudioRecorderTests {
  private let engine: AudioEngine, voice: AudioNode
  private let folder = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString
  private let sound = staircase(20_000)
  private var fed = 0

  init() throws {
    engine = try AudioEngine(.offline(sampleRate: 8000, longestBlock: 1000))
    voice = try engine.attach(.capture(channels: 1), name: "voice")
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func feed(_ count: Int) throws {
    let block = Array(sound[fed..<fed + count])
    _ = try engine.render(count, from: [voice: AudioBuffer([block])])
    fed += count
  }

  private func samples(_ report: TakeReport?) throws -> [Float] {
    try AudioFileReader(try #require(report).path).read(100_000)[0]
  }

  @Test func `a take leaves out its pauses, to the frame, and exists until it is deleted`() throws {
    let recorder = try AudioRecorder(folder + "/{take}.wav", of: voice)
    try feed(100)
    try recorder.record()
    try feed(500)
    recorder.pause()
    #expect(recorder.isPaused && recorder.currentTime.frames(at: 8000) == 500)
    try feed(300)
    recorder.pause()
    try feed(100)
    recorder.resume()
    try feed(200)
    recorder.pause()
    try feed(50)
    try recorder.record()
    try feed(150)
    #expect(recorder.currentTime.frames(at: 8000) == 850 && recorder.isRecording)
    #expect(throws: EngineError.self) { try recorder.delete() }
    let report = recorder.stop()
    #expect(try samples(report) == Array(sound[100..<600] + sound[1000..<1200] + sound[1250..<1400]))
    #expect(report?.isClean == true && recorder.currentTime == .zero)
    #expect(recorder.stop() == nil)
    try recorder.delete()
    #expect(throws: EngineError.self) { try recorder.delete() }
    #expect(!FileManager.default.fileExists(atPath: try #require(report).path))
  }

  @Test func `a take begins on its frame, ends by itself, and another can follow`() async throws {
    let recorder = try AudioRecorder(folder + "/{take}.wav", of: voice), events = recorder.events
    for number in 0..<2 {
      let start = AudioTime(frame: Int64(fed + 250), sampleRate: 8000)
      try recorder.record(at: start, for: .milliseconds(100))
      for _ in 0..<3 { try feed(1000) }
      var report: TakeReport?
      for await event in events {
        if case .ended(let ended) = event {
          report = ended
          break
        }
      }
      #expect(try samples(report) == Array(sound[number * 3000 + 250..<number * 3000 + 1050]))
      #expect(!recorder.isRecording)
    }
  }

  @Test func `stopping a timed take early ends it there`() throws {
    let recorder = try AudioRecorder(folder + "/a.wav", of: voice)
    try recorder.record(for: .seconds(10))
    try feed(700)
    let first = recorder.stop()
    #expect(try samples(first) == Array(sound[..<700]))
    // The existing take is unchanged: the next take gets its own name.
    try recorder.record()
    try feed(100)
    let second = recorder.stop()
    #expect(try first?.path != second?.path && samples(first).count == 700 && samples(second).count == 100)
  }

  @Test func `concurrent calls begin one take, whose beginning is reported before its end`() async throws {
    for round in 0..<20 {
      let recorder = try AudioRecorder(folder + "/\(round)-{take}.wav", of: voice), events = recorder.events
      let failures = Atomic(0), left = DispatchGroup()
      for _ in 0..<4 {
        left.enter()
        Thread {
          do throws(EngineError) { try recorder.record() } catch { failures.add(1, ordering: .relaxed) }
          left.leave()
        }.start()
      }
      left.wait()
      #expect(failures.load(ordering: .relaxed) == 0 && recorder.isRecording)
      _ = try engine.render(100)
      let report = recorder.stop()
      #expect(report?.frameCount == 100 && !recorder.isRecording)
      var lines: [String] = []
      for await event in events {
        switch event {
        case .began(let path, _): lines.append("began \(path)")
        case .ended(let report): lines.append("ended \(report.path)")
        case .paused, .resumed: lines.append("paused")
        }
        if case .ended = event { break }
      }
      #expect(lines == ["began", "ended"].map { "\($0) \(report?.path ?? "")" })
    }
  }

  private static let formats: [(String, String?, Double?, String)] = [
    ("memo.caf", "ima4", 22_050, "adpcm_ima_qt,22050,1"), ("memo.m4a", nil, nil, "aac,48000,1"),
  ]

  @Test(arguments: formats)
  func `ffprobe reports the requested format`(
    name: String, format: String?, rate: Double?, wanted: String
  ) throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 4800))
    let tone = try engine.attach(.source(channels: 1, sineWave), name: "tone")
    let recorder = try AudioRecorder(
      folder + "/" + name, of: tone, options: .init(format: format, rate: rate))
    try recorder.record()
    for _ in 0..<10 { _ = try engine.render(4800) }
    let report = try #require(recorder.stop())
    #expect(report.failure == nil && abs(report.duration.seconds - 1) < 0.01)
    let info = try AudioFileReader(report.path).info
    #expect(report.frameCount == info.frameCount && Double(report.sampleRate) == info.sampleRate)
    let probe = Process(), pipe = Pipe()
    probe.executableURL = URL(fileURLWithPath: "/usr/bin/ffprobe")
    probe.arguments = [
      "-v", "error", "-show_entries", "stream=codec_name,sample_rate,channels", "-of", "csv=p=0", report.path,
    ]
    probe.standardOutput = pipe
    try probe.run()
    probe.waitUntilExit()
    let printed = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    #expect(printed.trimmingCharacters(in: .whitespacesAndNewlines) == wanted)
  }

  @Test func `an unsupported format is refused before any file exists`() throws {
    #expect(throws: EngineError.self) {
      try AudioRecorder(folder + "/a.caf", of: voice, options: .init(format: "mp3"))
    }
    #expect(throws: EngineError.self) { try AudioRecorder(folder + "/a.what", of: voice) }
    #expect(!FileManager.default.fileExists(atPath: folder))
  }
}
