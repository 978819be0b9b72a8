// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletFiles
import SwiftletSignal
import SwiftletTesting
import Testing

@testable import Swiftlet

/// `AudioPlayer` on an offline engine of 8 kHz.
struct AudioPlayerTests {
  private let engine: AudioEngine, output: AudioNode

  init() throws {
    engine = try AudioEngine(.offline(sampleRate: 8000, longestBlock: 1000))
    output = try engine.attach(.playback(channels: 2), name: "desk")
  }

  private func player(_ sound: [Float], enablesRate: Bool = false) throws -> AudioPlayer {
    try AudioPlayer(AudioBuffer([sound]), on: engine, to: output, enablesRate: enablesRate)
  }

  private func render(_ count: Int, block: Int = 64) throws -> [[Float]] {
    var result: [[Float]] = [[], []], left = count
    while left > 0 {
      let heard = try #require(try engine.render(min(block, left))[output])
      for channel in 0..<2 { result[channel] += heard[channel] }
      left -= block
    }
    return result
  }

  @Test func `pausing and stopping do not rewind, and after its end a player starts over`() throws {
    let sound = staircase(4000), player = try player(sound)
    #expect(player.duration == MediaTime.milliseconds(500) && player.currentTime == .zero)
    for (index, leave) in [player.pause, player.stop].enumerated() {
      try player.play()
      #expect(player.isPlaying)
      let heard = try render(1000)[0], start = index * 1040
      // Playback from the middle fades in over 40 frames, and fades out over as many.
      #expect(Array(heard[40...]) == Array(sound[start + 40..<start + 1000]))
      leave()
      #expect(try render(500)[0][40...].allSatisfy { $0 == 0 } && !player.isPlaying)
      let left = player.currentTime.frames(at: 8000)
      #expect(index == 0 ? left == 1040 : (2040...2080).contains(left))
    }
    try player.play()
    let rest = try render(3000)[0]
    #expect(rest.contains(sound[3999]) && !rest.contains(sound[1500]))
    #expect(!player.isPlaying && player.currentTime == .zero)
    try player.play()
    #expect(try render(4000)[0] == sound)
  }

  @Test(arguments: [1, 64, 1000])
  func `players started at one frame begin on it, and stay in sync at one rate`(block: Int) throws {
    let tones = [400.0, 500, 800].map { sine(4000, $0, rate: 8000) }
    let players = try tones.map { try player($0.map { $0 / 3 }, enablesRate: true) }
    for player in players {
      try player.loop(.forever)
      try player.setRate(1.25)
      try player.prepare()
    }
    _ = try render(1000, block: block)
    let start = AudioTime(frame: 1500, sampleRate: 8000)
    for player in players { try player.play(at: start) }
    let before = try render(500, block: block)[0]
    #expect(before.allSatisfy { $0 == 0 })
    let heard = try render(6000, block: block)[0]
    #expect(heard[0..<100].contains { abs($0) > 0.05 })
    let change = AudioTime(frame: 8000, sampleRate: 8000)
    for player in players { try player.setRate(0.8, at: change) }
    _ = try render(20_000, block: block)
    let times = players.map { $0.currentTime.frames(at: 8000) }
    #expect(Set(times).count == 1, "\(times)")
  }

  @Test func `a loop plays the requested number of times, and can be changed while it plays`() throws {
    let sound = staircase(1000), player = try player(sound)
    try player.loop(times: 2)
    try player.play()
    #expect(try render(2500)[0] == sound + sound + silence(500) && !player.isPlaying)
    try player.loop(.forever)
    try player.play()
    #expect(try render(3000)[0] == sound + sound + sound)
    try player.loop(.once)
    let rest = try render(2000)[0]
    #expect(Array(rest[40..<1000]) == Array(sound[40...]) && rest[1000...].allSatisfy { $0 == 0 })
  }

  @Test func `volume fades in a straight line, and pan is a balance control`() throws {
    let player = try player([Float](repeating: 1, count: 8000))
    try player.setVolume(0.5, over: .zero)
    try player.play()
    #expect(try render(100).allSatisfy { $0.allSatisfy { abs($0 - 0.5) < 1e-6 } })
    try player.setVolume(0, over: .milliseconds(100))
    let fade = try render(800, block: 50)[0]
    for frame in 0..<800 { #expect(isNear(fade[frame], 0.5 * (1 - Float(frame + 1) / 800), within: 1e-6)) }
    try player.setVolume(1, over: .zero)
    try player.setPan(-1)
    _ = try render(200)
    let left = try render(100)
    #expect(left[0].allSatisfy { $0 == 1 } && left[1].allSatisfy { abs($0) < 1e-6 })
    #expect(player.volume == 1 && player.pan == -1)
    try player.setPan(-2)
    #expect(player.pan == -1)
    #expect(try render(100)[0].allSatisfy { $0 == 1 })
    #expect(throws: EngineError.self) { try player.setPan(.nan) }
    try player.setVolume(100, over: .zero)
    #expect(abs(player.volume - 15.849) < 0.001)
    try player.setVolume(-1, over: .zero)
    #expect(player.volume == 0)
    #expect(try render(300)[0].suffix(10).allSatisfy { $0 == 0 })
    #expect(player.pan == -1)
    // The wire's other values are unchanged.
    let wire = try #require(player.engine.graph.wires.first)
    Swiftlet.Wire(wire.id, in: player.engine).gain.value = .decibels(-6)
    try player.setPan(0.5)
    #expect(player.engine.graph.wire(wire.id)?.gain == -6 && player.engine.graph.wire(wire.id)?.pan == 0.5)
    #expect(throws: EngineError.self) { try player.setVolume(.nan) }
    #expect(throws: EngineError.self) { try player.setRate(.nan) }
  }

  @Test
  func `a level of -6 dB reads back in decibels and as a factor, before and while it plays`() throws {
    let factor: Float = Decibels.amplitude(-6), song = try player([Float](repeating: 1, count: 8000))
    let node = try engine.attachPlayer(channels: 1)
    try node.schedule(.buffer(AudioBuffer([[Float](repeating: 1, count: 8000)]), sampleRate: 8000))
    for isPlaying in [false, true] {
      if isPlaying {
        try song.play()
        try node.play()
        #expect(try render(1000)[0].suffix(100).allSatisfy { abs($0 - factor) < 1e-6 })
        #expect(song.isPlaying && node.isPlaying)
      }
      for level: Float in [0, -6] {
        node.gain.value = .decibels(level)
        #expect(node.gain.value == .decibels(level))
        if isPlaying { _ = try render(160) }
        #expect(node.gain.current == .decibels(level))
        song.player.gain.value = .decibels(level)
        #expect(song.player.gain.value == .decibels(level))
        #expect(abs(song.volume - Decibels.amplitude(level)) < 1e-6)
      }
      for volume in [1, factor] {
        try song.setVolume(volume)
        #expect(song.volume == volume)
        #expect(abs(song.player.gain.value.decibels - (volume == 1 ? 0 : -6)) < 1e-5)
      }
    }
    #expect(try render(1000)[0].suffix(100).allSatisfy { abs($0 - factor) < 1e-6 })
    song.player.gain.value = .decibels(-96)
    #expect(song.volume == 0)
  }

  @Test func `rate and pan read back, whichever property set them`() throws {
    let song = try player([Float](repeating: 1, count: 8000))
    #expect(song.rate == 1 && song.pan == 0)
    try song.setRate(0.9)
    try song.setPan(-0.3)
    #expect(song.rate == 0.9 && song.pan == -0.3)
    try song.player.setStretch(Stretch(speed: 1.5))
    let wire = try #require(engine.wire(from: song.player, to: output))
    try MixTarget.wire(wire, .pan).ramp(to: 0.5, over: .zero)
    #expect(song.rate == 1.5 && song.pan == 0.5)
  }

  @Test(arguments: ["flac", "wav", "m4a"])
  func `a file in memory plays as it does from a disk`(kind: String) throws {
    let path = FileManager.default.temporaryDirectory.path + "/swiftlet-bytes-\(UUID()).\(kind)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    // Too long to be kept as samples, so it is read while it plays.
    var generator = SeededGenerator(seed: 3)
    let noise = (0..<96_000).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path), sampleRate: engine.sampleRate, channelCount: 1)
    try writer.write([noise])
    try writer.close()
    let bytes = try Data(contentsOf: URL(filePath: path))
    let fromDisk = try AudioPlayer(path, on: engine, to: output)
    try fromDisk.play()
    let expected = try render(97_000)[0]
    fromDisk.stop()
    _ = try render(1000)
    let player = try AudioPlayer(bytes: bytes, on: engine, to: output)
    try player.play()
    // The first sound fades in.
    let heard = try render(97_000)[0],
      wrong = heard.indices.dropFirst(4000).first { heard[$0] != expected[$0] }
    #expect(wrong == nil, "\(wrong ?? 0)")
    #expect(expected.contains { abs($0) > 0.4 })
    let error = #expect(throws: EngineError.self) {
      try AudioPlayer(bytes: Array("no sound at all".utf8), on: engine, to: output)
    }
    #expect(
      "\(error.map { "\($0)" } ?? "")".hasPrefix("'a sound in memory' is not a sound file"),
      "\(String(describing: error))")
  }

  @Test func `playback continues from the seek position, whether playing or paused`() throws {
    let sound = staircase(8000), player = try player(sound)
    try player.seek(to: .milliseconds(500))
    try player.play()
    #expect(try Array(render(500)[0][40...]) == Array(sound[4040..<4500]))
    try player.seek(to: .milliseconds(125))
    #expect(try Array(render(500)[0][40...]) == Array(sound[1040..<1500]))
    #expect(player.currentTime.frames(at: 8000) == 1500)
    try player.seek(to: .seconds(100))
    #expect(try render(500)[0][40...].allSatisfy { $0 == 0 } && !player.isPlaying)
  }

  @Test func `events and a meter report playback, and the last reference removes the player`() async throws {
    var player: AudioPlayer? = try self.player([Float](repeating: 0.5, count: 1000))
    let events = try #require(player?.events), meter = try #require(try player?.installMeter())
    try player?.play()
    _ = try render(500)
    #expect(isNear(meter.read().channels[0].averagePower, -6.0206, within: 1e-3))
    _ = try render(1000)
    player = nil
    #expect(engine.nodes.map(\.name) == ["desk"])
    _ = try render(64)
    var kinds: [PlayerEvent.Kind] = []
    for await event in events where event.kind != .consumed { kinds.append(event.kind) }
    #expect(kinds == [.began, .rendered(.finished), .playedBack(.finished)])
  }

  @Test func `a missing file and an empty buffer are refused`() {
    #expect(throws: EngineError.self) { try AudioPlayer("missing.wav", on: engine) }
    #expect(throws: EngineError.self) { try AudioPlayer(AudioBuffer([]), on: engine) }
    #expect(engine.nodes.map(\.name) == ["desk"])
  }
}
