// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import Testing

/// Tracks of compositions played by an engine, compared with the files and the mix.
final class TrackTests {
  private static let rate = 8000
  private let folder = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Writes a file of floats, whose samples differ from all others of this file and of the next.
  private func write(_ name: String, seconds: Int, from first: Float, rate: Int = rate, channels: Int = 1)
    throws -> (asset: AssetReference, samples: [Float])
  {
    let path = folder + "/" + name
    let samples = (0..<seconds * rate).map { first + Float($0) / 1_048_576 }
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path, named: "32-float"), sampleRate: Double(rate),
      channelCount: channels)
    try writer.write((0..<channels).map { channel in channel == 0 ? samples : samples.map { -$0 } })
    try writer.close()
    return (AssetReference(path), samples)
  }

  /// Returns a range of seconds.
  private func span(_ from: Double, _ to: Double) -> Range<MediaTime> {
    MediaTime.milliseconds(Int(from * 1000))..<MediaTime.milliseconds(Int(to * 1000))
  }

  private func render(
    _ track: Track, _ mix: TrackMix = TrackMix(), block: Int = 480, channels: Int = 1, from first: Int = 0
  ) throws -> [[Float]] {
    let engine = try AudioEngine(.offline(sampleRate: Double(Self.rate), longestBlock: block))
    let music = try engine.attach(.track(track, mix: mix)),
      output = try engine.attach(.playback(channels: channels))
    try engine.connect(music, output)
    if first > 0 { try music.seek(to: first) }
    var result = [[Float]](repeating: [], count: channels)
    while result[0].count < Int(track.duration.seconds * Double(Self.rate)) - first {
      let heard = try #require(try engine.render(block)[output])
      for channel in 0..<channels { result[channel] += heard[channel] }
    }
    return result
  }

  /// Ten seconds of one file and five of another twice, in a track of twenty seconds.
  private func musicTrack() throws -> (track: Track, model: [Float]) {
    let (a, first) = try write("a.wav", seconds: 12, from: -0.5)
    let (b, second) = try write("b.wav", seconds: 6, from: 0.25)
    var composition = Composition()
    try composition.add("music")
    try composition.insert(span(1, 11), of: a, in: "music")
    try composition.insert(span(0, 5), of: b, in: "music")
    try composition.insert(span(0, 5), of: b, in: "music")
    let model = Array(
      first[Self.rate..<11 * Self.rate] + second[..<(5 * Self.rate)] + second[..<(5 * Self.rate)])
    return (try #require(composition.track("music")), model)
  }

  /// The longest block is longer than the live prefetch.
  @Test(arguments: [1, 64, 1000, 40_000])
  func `clips play sample-accurately, under a volume ramp`(block: Int) throws {
    let (track, model) = try musicTrack()
    var mix = TrackMix()
    try mix.setVolume(0.5, at: .zero)
    try mix.setVolumeRamp(from: 0.1, to: 0.9, in: span(3, 6))
    let heard = try render(track, mix, block: block)[0]
    for (frame, sample) in model.enumerated() {
      let time = Double(frame) / Double(Self.rate)
      let volume = time < 3 ? 0.5 : time < 6 ? 0.1 + 0.8 * (time - 3) / 3 : 0.9
      guard abs(Double(heard[frame]) - Double(sample) * volume) < 1e-6 else {
        Issue.record("frame \(frame): \(heard[frame]), expected \(Double(sample) * volume)")
        return
      }
    }
    #expect(heard[model.count...].allSatisfy { $0 == 0 })
  }

  @Test func `blocks of any size, and a start in the middle, give the same bits`() throws {
    let (track, _) = try musicTrack()
    var mix = TrackMix()
    try mix.setVolumeRamp(from: 0, to: 1, in: span(0.333, 11), curve: .sCurve)
    mix.duck(under: [span(2, 3)])
    let whole = try render(track, mix, block: 1000)[0]
    let slices = try render(track, mix, block: 64)[0]
    #expect(Array(slices.prefix(20 * Self.rate)) == Array(whole.prefix(20 * Self.rate)))
    // The start fades in over 5 ms.
    let start = 7 * Self.rate + 123, fade = Self.rate / 200
    let later = try render(track, mix, block: 64, from: start)[0]
    let rest = Array(whole[(start + fade)..<20 * Self.rate])
    #expect(Array(later[fade..<fade + rest.count]) == rest)
  }

  @Test func `gaps between clips are silent, and so is a disabled track`() throws {
    let (a, samples) = try write("a.wav", seconds: 2, from: 0.25)
    let segment = try Segment(of: a, span(0, 1), at: span(2, 3))
    let heard = try render(Track("music", segments: [segment]))[0]
    #expect(heard[..<(2 * Self.rate)].allSatisfy { $0 == 0 })
    #expect(Array(heard[(2 * Self.rate)..<3 * Self.rate]) == Array(samples[..<Self.rate]))
    #expect(try render(Track("music", isEnabled: false, segments: [segment]))[0].allSatisfy { $0 == 0 })
    let soft = try render(Track("music", volume: 0.5, segments: [segment]))[0]
    #expect(soft[2 * Self.rate + 100] == samples[100] / 2)
  }

  @Test func `a mono clip plays on both channels, and pan moves it`() throws {
    let (mono, _) = try write("mono.wav", seconds: 1, from: 0.25)
    let (stereo, wide) = try write("stereo.wav", seconds: 1, from: 0.25, channels: 2)
    let segments = try [
      Segment(of: mono, span(0, 1), at: span(0, 1)),
      Segment(of: stereo, span(0, 1), at: span(1, 2)),
    ]
    var mix = TrackMix()
    try mix.setPan(-1, at: .milliseconds(500))
    try mix.setPan(0.5, at: .milliseconds(1500))
    let heard = try render(Track("music", segments: segments), mix, channels: 2)
    let half = Float(0.5).squareRoot(), late = Self.rate + 7000
    #expect(abs(heard[0][100] - half * wide[100]) < 1e-6 && heard[1][100] == heard[0][100])
    #expect(heard[0][6000] == wide[6000] && heard[1][6000] == 0)
    #expect(abs(heard[0][late] - wide[7000] * sin(.pi / 8) / half) < 1e-6 && heard[1][late] == -wide[7000])
    // Without a pan, a mono clip plays at full level on both channels.
    let plain = try render(Track("music", segments: segments), channels: 2)
    #expect(plain[0][100] == wide[100] && plain[1][100] == wide[100])
  }

  @Test func `a lengthened clip keeps its pitch, or is resampled as on tape`() throws {
    let path = folder + "/sine.wav", count = 4 * Self.rate
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path, named: "32-float"), sampleRate: Double(Self.rate),
      channelCount: 1)
    try writer.write([(0..<count).map { Float(0.5 * sin(2 * .pi * 440 / Double(Self.rate) * Double($0))) }])
    try writer.close()
    for (keeps, pitch) in [(true, 440.0), (false, 220.0)] {
      let segment = try Segment(
        of: AssetReference(path), span(0, 3), at: span(0, 6), keepsPitch: keeps)
      let heard = try render(Track("music", segments: [segment]))[0]
      let middle = heard[Self.rate..<5 * Self.rate]
      let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
      #expect(abs(Double(crossings) / 4 - pitch) < 2, "\(crossings) turns in 4 s")
      #expect(heard[(6 * Self.rate)...].allSatisfy { $0 == 0 })
    }
  }

  @Test func `an unplayable clip is reported with the name of its file`() throws {
    let (a, _) = try write("a.wav", seconds: 2, from: 0)
    func refusal(_ segment: Segment) throws -> String {
      do {
        _ = try render(Track("music", segments: [segment]))
        return "nothing"
      } catch let error as EngineError {
        return "\(error)"
      }
    }
    let gone = AssetReference(folder + "/gone.wav")
    #expect(
      try refusal(Segment(of: gone, span(0, 1), at: span(0, 1))).contains("gone.wav"))
    #expect(
      try refusal(Segment(of: a, span(0, 3), at: span(0, 3)))
        .contains("a.wav' is 2 s long; the timeline plays it up to 3 s"))
    #expect(
      try refusal(Segment(of: a, span(0, 2), at: span(0, 0.1)))
        .contains("cannot play at 20 times its speed; use 0.25 to 4"))
  }
}
