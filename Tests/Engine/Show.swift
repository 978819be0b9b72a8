// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import SwiftletTesting
import Testing

/// A composition of five seconds with everything that might differ between renders: files at the engine's rate and at
/// another, time-scaled clips, ramps, pans, ducking, an effect with lanes, a mixer and a master.
final class Show {
  static let rate = 48_000, seconds = 5
  static let frameCount = seconds * rate

  let folder = FileManager.default.temporaryDirectory.path + "/swiftlet-show-" + UUID().uuidString

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try noise("bed.wav", rate: 48_000, channels: 2, seed: 1)
    try noise("other.wav", rate: 44_100, channels: 2, seed: 2)
    try noise("voice.wav", rate: 44_100, channels: 1, seed: 3)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func noise(_ name: String, rate: Int, channels: Int, seed: UInt64, seconds: Int = 3) throws {
    var generator = SeededGenerator(seed: seed)
    let writer = try AudioFileWriter(
      path(name), format: RecordingFormat(path: name, named: "32-float"),
      sampleRate: Double(rate), channelCount: channels)
    try writer.write(
      (0..<channels).map { _ in
        (0..<seconds * rate).map { _ in Float.random(in: -0.4...0.4, using: &generator) }
      }
    )
    try writer.close()
  }

  func path(_ name: String) -> String { folder + "/" + name }

  /// Returns a range of seconds.
  private func span(_ from: Double, _ to: Double) -> Range<MediaTime> {
    MediaTime.milliseconds(Int(from * 1000))..<MediaTime.milliseconds(Int(to * 1000))
  }

  //   voice ────── -3 dB, to the left ──────┐
  //   music ──► echo (its feedback moves) ──┴─► main (its volume moves) ──► desk
  func makeEngine(
    _ backend: AudioEngine.Backend
  ) throws -> (engine: AudioEngine, main: AudioNode, output: AudioNode, tracks: [AudioNode]) {
    func segment(
      _ name: String, _ from: Double, _ to: Double, at start: Double, lasts: Double? = nil, pitch: Bool = true
    ) throws -> Segment {
      try Segment(
        of: AssetReference(path(name)), span(from, to), at: span(start, start + (lasts ?? to - from)),
        keepsPitch: pitch)
    }
    let voice = try Track(
      "voice", segments: [segment("voice.wav", 0, 1, at: 0.5), segment("voice.wav", 1.2, 1.7, at: 2.75)])
    let music = try Track(
      "music", volume: 0.9,
      segments: [
        segment("bed.wav", 0, 1.5, at: 0), segment("other.wav", 0.333, 1.333, at: 1.5),
        segment("bed.wav", 1, 1.8, at: 2.6, lasts: 1.2),
        segment("other.wav", 1, 2, at: 4, lasts: 0.8, pitch: false),
      ])
    var mix = TrackMix()
    try mix.setVolumeRamp(from: 0, to: 0.8, in: span(0, 1), curve: .sCurve)
    try mix.setPanRamp(from: -1, to: 0.5, in: span(0.7, 3.1))
    try mix.setVolumeRamp(from: 0.8, to: 0, in: span(4.1, 5), curve: .equalPower)
    mix.duck(under: voice.segments.map(\.range))
    var whole = AudioMix()
    try whole.master.setVolumeRamp(from: 1, to: 0.3, in: span(1.111, 4.321))
    var feedback = Automation(20)
    try feedback.ramp(to: 70, in: span(0.3, 4.2))
    whole.lanes[ParameterPath(node: "echo", parameter: "feedback")] = feedback

    let engine = try AudioEngine(backend)
    let nodes = try [
      engine.attach(.track(voice), name: "voice"), engine.attach(.track(music, mix: mix), name: "music"),
    ]
    let echo = try engine.attach(.effect("delay"), name: "echo")
    try echo.set("time", to: 61)
    try echo.set("mix", to: 40)
    let main = try engine.attachMixer(name: "main")
    let output = try engine.attach(.playback(), name: "desk")
    let strip = try engine.connect(nodes[0], to: main)
    strip.gain.value = .decibels(-3)
    strip.pan.value = -0.4
    try engine.connect(nodes[1], echo, main, output)
    try engine.apply(whole, master: main)
    return (engine, main, output, nodes)
  }

  //   six tracks, each resampled ──► main: twenty seconds that cost the prefetch thread much, and the audio thread
  //   nothing
  func crowd(_ backend: AudioEngine.Backend) throws -> (
    engine: AudioEngine, main: AudioNode, tracks: [AudioNode]
  ) {
    if !FileManager.default.fileExists(atPath: path("long.wav")) {
      try noise("long.wav", rate: 44_100, channels: 2, seed: 4, seconds: 26)
    }
    let engine = try AudioEngine(backend)
    let main = try engine.attachMixer(name: "main"), output = try engine.attach(.playback(), name: "desk")
    try engine.connect(main, output)
    let tracks = try (0..<6).map { number in
      let start = Double(number), range = span(start, start + 20)
      let segment = try Segment(of: AssetReference(path("long.wav")), range, at: span(0, 20))
      let node = try engine.attach(.track(Track("t", segments: [segment])), name: "track-\(number)")
      try engine.connect(node, to: main).gain.value = .decibels(-12)
      return node
    }
    return (engine, main, tracks)
  }

  /// Returns the show as exported to a file of floats, the reference for all others.
  func export() async throws -> [[Float]] {
    let (engine, _, output, _) = try makeEngine(.offline(sampleRate: Double(Self.rate)))
    let export = try ExportSession(engine)
    export.options.range = .zero..<(.seconds(Self.seconds))
    try export.add(
      ExportFile(
        path("show.wav"), format: RecordingFormat(path: "show.wav", named: "32-float"), of: output,
        overwrites: true))
    _ = try await export.run()
    return try read("show.wav")
  }

  /// Returns the first frames of a file.
  func read(_ name: String) throws -> [[Float]] {
    let path = name.hasPrefix("/") ? name : path(name)
    return try AudioFileReader(path).read(Self.frameCount)
  }
}

/// Expects two renders to be equal, bit for bit, and names the first frame that differs.
func expectSame(
  _ heard: [[Float]], _ wanted: [[Float]], _ what: String, at location: SourceLocation = #_sourceLocation
) {
  #expect(heard.count == wanted.count, "\(what)", sourceLocation: location)
  for (channel, pair) in zip(heard, wanted).enumerated() {
    #expect(pair.0.count == pair.1.count, "\(what)", sourceLocation: location)
    let wrong = zip(pair.0, pair.1).enumerated().filter { $0.element.0.bitPattern != $0.element.1.bitPattern }
    guard let first = wrong.first else { continue }
    Issue.record(
      """
      \(what): \(wrong.count) frames of channel \(channel) differ, the first is \(first.offset): \
      \(first.element.0), not \(first.element.1)
      """, sourceLocation: location)
  }
}
