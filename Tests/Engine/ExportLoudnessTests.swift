// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import SwiftletSignal
import SwiftletTesting
import Testing

/// Exports with a loudness target, measured by ffmpeg.
final class ExportLoudnessTests {
  private static let rate = 48_000
  private let folder = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func path(_ name: String) -> String { folder + "/" + name }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  /// Six seconds of soft, swelling stereo noise. With `hasCrests` it has short, high tones, whose peaks lie between
  /// samples. All of it lies where the filters of all meters agree.
  private func music(hasCrests: Bool) throws -> String {
    var generator = SeededGenerator(seed: 7)
    let count = 6 * Self.rate
    let channels = (0..<2).map { channel in
      var noise = (0..<count).map { _ in Double.random(in: -1...1, using: &generator) }
      for _ in 0..<8 {
        for frame in (1..<count).reversed() { noise[frame] = (noise[frame] + noise[frame - 1]) / 2 }
      }
      return (0..<count).map { frame in
        let swell = 0.05 + 0.05 * Double(frame) / Double(count), offset = frame % 12_000
        guard hasCrests, offset < 96 else { return Float(noise[frame] * swell) }
        let window = 0.5 - 0.5 * cos(2 * .pi * Double(offset) / 96)
        return Float(
          noise[frame] * swell + 0.3 * window * sin(2 * .pi * 0.23 * Double(frame) + Double(channel)))
      }
    }
    let writer = try AudioFileWriter(
      path("music.wav"), format: RecordingFormat(path: "music.wav"),
      sampleRate: Double(Self.rate), channelCount: 2)
    try writer.write(channels)
    try writer.close()
    return path("music.wav")
  }

  private func export(
    _ target: LoudnessTarget, hasCrests: Bool, _ add: (ExportSession, AudioNode, AudioNode) throws -> Void
  ) throws -> [ExportFile.Report] {
    let engine = try AudioEngine(.offline(sampleRate: Double(Self.rate)))
    let music = try engine.attach(.player(try music(hasCrests: hasCrests)), name: "music")
    let output = try engine.attach(.playback(), name: "desk")
    try engine.connect(music, output)
    let export = try ExportSession(engine)
    export.options.loudness = target
    try add(export, output, music)
    return try export.run { _ in }
  }

  /// Returns integrated loudness in LUFS and true peak in dBTP, from ffmpeg's filter `ebur128`.
  private func measured(_ name: String) throws -> (loudness: Double, truePeak: Double) {
    let text = try ExportTests.output(
      "sh", "-c", "ffmpeg -nostats -hide_banner -i '\(path(name))' -af ebur128=peak=true -f null - 2>&1")
    func number(_ word: String) throws -> Double {
      let line = try #require(text.split(separator: "\n").last { $0.contains(word) })
      return try #require(line.split(separator: " ").compactMap { Double($0) }.first)
    }
    return (try number("I:"), try number("Peak:"))
  }

  @Test func `sound below the ceiling is only made louder`() throws {
    let made = try export(.ebu, hasCrests: false) { export, output, _ in
      try export.add(ExportFile(path("mix.wav"), of: output))
      try export.add(ExportFile(path("mix.flac"), of: output))
    }
    let (loudness, _) = try measured("mix.wav")
    #expect(abs(loudness + 23) <= 0.1)
    #expect(abs((made[0].loudness ?? 0) + 23) < 0.05, "\(made[0])")
    let before = try ConvertingReader(path("music.wav")), after = try ConvertingReader(path("mix.wav"))
    #expect(after.length == 6 * Self.rate)
    let factor = Float(pow(10, made[0].gain / 20))
    let (one, other) = (try before.read(6 * Self.rate), try after.read(6 * Self.rate))
    #expect(zip(one.joined(), other.joined()).allSatisfy { abs($0 * factor - $1) <= 1e-6 })
    #expect(names == ["mix.flac", "mix.wav", "music.wav"])
    #expect(abs(try measured("mix.flac").loudness + 23) <= 0.1)
  }

  @Test(arguments: [LoudnessTarget.podcast, LoudnessTarget(-18, truePeak: -3)])
  func `peaks are limited to the true peak, and the loudness is compensated`(target: LoudnessTarget) throws {
    let made = try export(target, hasCrests: true) { export, output, _ in
      try export.add(ExportFile(path("mix.wav"), of: output))
    }
    let (loudness, truePeak) = try measured("mix.wav")
    #expect(abs(loudness - target.loudness) <= 0.1, "\(loudness)")
    #expect(truePeak <= target.truePeak + 0.1, "\(truePeak)")
    #expect(truePeak >= target.truePeak - 1, "the control: the limiter has something to do")
    #expect(abs((made[0].truePeak ?? 0) - truePeak) < 0.1)
    let after = try AudioFileReader(path("mix.wav"))
    #expect(after.info.frameCount == 6 * Self.rate)
  }

  @Test func `a part has the gain of its mix, which need not have a file`() throws {
    let made = try export(LoudnessTarget.podcast, hasCrests: true) { export, output, music in
      try export.add(ExportFile(path("part.wav"), of: music, mix: output))
    }
    let before = try ConvertingReader(path("music.wav")), after = try ConvertingReader(path("part.wav"))
    let factor = Float(pow(10, made[0].gain / 20))
    #expect(factor > 1.2)
    let (one, other) = (try before.read(6 * Self.rate), try after.read(6 * Self.rate))
    #expect(zip(one.joined(), other.joined()).allSatisfy { abs($0 * factor - $1) <= 2e-6 })
    #expect(names == ["music.wav", "part.wav"])
  }

  @Test func `silence has no loudness and stays silent, and a cancelled export leaves no files`() throws {
    let engine = try AudioEngine(.offline(sampleRate: Double(Self.rate)))
    let output = try engine.attach(.playback(), name: "desk")
    let export = try ExportSession(engine)
    export.options.loudness = .ebu
    export.options.range = .zero..<(.seconds(1))
    try export.add(ExportFile(path("mix.wav"), of: output))
    let made = try export.run { _ in }
    #expect(made[0].loudness == -.infinity && made[0].peak == Decibels.meterFloor)
    var seen: [String] = [], stages: [ExportSession.Progress.Stage] = []
    #expect(throws: ExportError.self) {
      _ = try self.export(.podcast, hasCrests: true) { export, output, _ in
        try export.add(ExportFile(path("none.wav"), of: output))
        try export.run { progress in
          if stages.last != progress.stage, progress.done > .zero { stages.append(progress.stage) }
          guard progress.stage == .levelling, progress.done > .zero else { return }
          seen = names
          export.cancel()
        }
      }
    }
    #expect(
      seen.count { $0.hasPrefix(".none.wav.swiftlet-") } == 2 && seen.suffix(2) == ["mix.wav", "music.wav"],
      "the control: it had begun")
    #expect(names == ["mix.wav", "music.wav"])
    #expect(stages == [.rendering, .limiting, .levelling], "and it told of all that it did")
  }

  @Test func `a loudness target is parsed from text`() {
    #expect(LoudnessTarget("ebu") == LoudnessTarget(-23, truePeak: -1))
    #expect(LoudnessTarget("-16") == .podcast && LoudnessTarget("-14.5 LUFS")?.loudness == -14.5)
    for text in ["", "loud", "-71", "1", "LUFS", "nan"] { #expect(LoudnessTarget(text) == nil) }
    #expect(LoudnessTarget(.nan, truePeak: 3) == LoudnessTarget(-70, truePeak: 0))
  }
}
