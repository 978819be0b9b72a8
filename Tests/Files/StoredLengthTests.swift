// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import SwiftletTimeline
import Testing

@testable import SwiftletFiles

/// Takes of sound at 48 kHz, in files with other rates.
@Suite struct StoredLengthTests {
  private let origin = TakeOrigin("stored", date: Date(timeIntervalSince1970: 1_770_000_000))
  private static let rate = 48_000

  /// Records parts of a sine, and returns the take's report. The frames between the parts are lost.
  private func record(_ path: String, _ format: RecordingFormat, _ parts: [Range<Int>]) throws -> TakeReport {
    let recorder = TakeRecorder(sampleRate: Self.rate), sink = TapSink(channelCount: 1)
    try recorder.start([
      TakeRecorder.Request(
        tap: "a", sink: sink, path: path, format: format, startFrame: 0, origin: origin)
    ])
    let backend = BlockBackend(sink, inputs: 1), end = try #require(parts.last).upperBound
    let sound = sine(440, rate: Self.rate, count: end)
    for part in parts {
      for start in stride(from: part.lowerBound, to: part.upperBound, by: 64) {
        let count = min(64, part.upperBound - start)
        backend.run(frame: Int64(start), count: count, [Array(sound[start..<start + count])])
      }
    }
    return try #require(recorder.finish(at: Int64(end)).first)
  }

  @Test(arguments: [
    ("a.wav", "16-bit", 8000), ("a.wav", "32-float", 96_000), ("a.flac", "24-bit", 44_100),
    ("a.caf", "ima4", 22_050), ("a.mp3", "mp3", 44_100),
  ])
  func `a report has the frame count and the rate of the stored file`(
    _ name: String, _ encoding: String, _ rate: Int
  ) throws {
    let folder = try Folder()
    let format = try RecordingFormat(path: name, named: encoding, rate: Double(rate))
    let report = try record(folder[name], format, [0..<48_128])
    let info = try AudioFileReader(folder[name]).info
    #expect(report.isClean && report.isKept)
    #expect(report.sampleRate == Double(rate) && info.sampleRate == Double(rate))
    #expect(report.frameCount == info.frameCount)
    // An MP3 may end with up to two more frames.
    let tolerance = name == "a.mp3" ? 0.06 : 0.001
    #expect(abs(report.duration.seconds - 48_128.0 / 48_000) < tolerance)
  }

  @Test func `a report has the stored file's rate if its codec does not support the sound's`() throws {
    let folder = try Folder(), sink = TapSink(channelCount: 1)
    let recorder = TakeRecorder(sampleRate: 11_025)
    try recorder.start([
      TakeRecorder.Request(
        tap: "a", sink: sink, path: folder["a.opus"], format: RecordingFormat(path: "a.opus"), startFrame: 0,
        origin: origin)
    ])
    BlockBackend(sink, inputs: 1).run(frame: 0, count: 5000, [sine(440, rate: 11_025, count: 5000)])
    let report = try #require(recorder.finish(at: 5000).first)
    #expect(report.isClean && report.sampleRate == 48_000)
    #expect(try report.frameCount == AudioFileReader(folder["a.opus"]).info.frameCount)
  }

  @Test func `a report counts lost frames at the rate of the stored file`() throws {
    let folder = try Folder()
    let format = try RecordingFormat(path: "a.wav", named: "16-bit", rate: 8000)
    let report = try record(folder["a.wav"], format, [0..<480, 960..<1440])
    #expect(report.failure == nil && report.frameCount == 240)
    #expect(report.gaps == [TakeReport.Gap(frame: 80, count: 80)] && report.lostFrames == 80)
  }

  @Test func `a lost frame is never rounded to none`() throws {
    let folder = try Folder()
    let format = try RecordingFormat(path: "a.wav", named: "16-bit", rate: 8000)
    let report = try record(folder["a.wav"], format, [0..<480, 481..<1440])
    #expect(report.gaps == [TakeReport.Gap(frame: 80, count: 1)] && report.lostFrames == 1)
    #expect(!report.isClean)
  }

  /// How far a take was completed when the program was killed.
  enum Crash: CaseIterable { case whileRecording, beforeSoundIsRemoved, beforeJournalIsRemoved }

  @Test(arguments: Crash.allCases)
  func `recovery reports the frame count of the stored file, and the length of the sound`(
    _ crash: Crash
  ) throws {
    let (running, folder) = (try Folder(), try Folder())
    let take = try TakeFile(
      running["a.wav"], format: RecordingFormat(path: "a.wav", named: "16-bit", rate: 8000),
      sampleRate: Self.rate, channelCount: 1, origin: origin, overwrites: false)
    try take.writer.write([sine(440, rate: Self.rate, count: 48_000)])
    try take.writeGap(4800)
    try take.writer.updateHeader()
    for file in running.names where crash != .beforeJournalIsRemoved || file.hasSuffix(".journal") {
      try FileManager.default.copyItem(atPath: running[file], toPath: folder[file])
    }
    let stored = try take.finish()
    if crash != .whileRecording {
      try FileManager.default.copyItem(atPath: running["a.wav"], toPath: folder["a.wav"])
    }
    let result = try #require(try TakeRecovery.recover(directory: folder.path).first)
    let info = try AudioFileReader(folder["a.wav"]).info
    #expect(result.failure == nil && folder.names == ["a.wav"])
    #expect(info.sampleRate == 8000 && result.frameCount == info.frameCount)
    #expect(stored == SoundLength(info))
    #expect(abs(result.duration.seconds - 1.1) < 0.001)
    #expect(result.lostFrames == 800)
  }
}
