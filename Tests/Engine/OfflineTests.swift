// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletFiles
import SwiftletSignal
import Testing

@testable import Swiftlet

struct OfflineTests {
  //  voice ──► delay ──► desk
  @Test func `between blocks a plugin's preset loads at once, paused or not`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 512))
    let voice = try engine.attach(.capture(channels: 1), name: "voice")
    let delay = try engine.attach(.plugin("urn:zamaudio:ZamDelay", channels: 1), name: "delay")
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(voice, delay, output)
    let preset = try #require(delay.info?.presets.first?.id)
    _ = try engine.render(512)
    let start = ContinuousClock.now
    try delay.set("time", to: 1)
    try delay.load(preset: preset)
    #expect(delay["time"] == 160)
    engine.pause()
    try delay.load(preset: preset)
    #expect(ContinuousClock.now - start < .milliseconds(500))
  }

  //  voice ──► delay ──► desk
  @Test func `a reset clears a plugin's memory from the next frame on`() throws {
    /// Returns the peak of one second of silence after sound.
    func echo(_ isReset: Bool) throws -> Float {
      let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 512))
      let voice = try engine.attach(.capture(channels: 1), name: "voice")
      let delay = try engine.attach(.plugin("urn:zamaudio:ZamDelay", channels: 1), name: "delay")
      let output = try engine.attach(.playback(channels: 1), name: "desk")
      try engine.connect(voice, delay, output)
      for _ in 0..<40 {
        _ = try engine.render(500, from: [voice: AudioBuffer([[Float](repeating: 0.5, count: 500)])])
      }
      if isReset { engine.reset() }
      var loudest: Float = 0
      for _ in 0..<96 {
        let heard = try #require(try engine.render(500)[output])
        loudest = max(loudest, heard[0].map { abs($0) }.max() ?? 0)
      }
      return loudest
    }
    #expect(try echo(false) > 0.1)
    #expect(try echo(true) < 1e-6)
  }

  @Test func `an equalizer reports its frequency response with its current settings`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000))
    let tone = try engine.attach(.effect("equalizer", bands: 2), name: "tone")
    try tone.set("bands[2].frequency", to: 3000)
    try tone.set("bands[2].gain", to: 6)
    try tone.set("bands[2].channels", to: "left")
    let response = try #require(tone.response(at: [3000, 40]))
    #expect(response.totals.map { "\($0.part)" } == ["left", "right"])
    #expect(abs(response.totals[0].points[0].decibels - 6) < 1e-5)
    #expect(abs(response.totals[0].points[1].decibels) < 0.01)
    #expect(response.totals[1].points.allSatisfy { abs($0.decibels) < 1e-9 })
    #expect(response.bands.count == 2)
    // A delay is more than a filter, a mixer is no effect, and a detached node has no response.
    for node in try [engine.attach(.effect("delay"), name: "echo"), engine.attach(.mixer(), name: "sum")] {
      #expect(node.response(at: [3000])?.frequencies == nil)
    }
    try engine.detach(tone)
    #expect(tone.response(at: [3000])?.frequencies == nil)
  }

  //  voice ──► gain ──► desk
  @Test func `an engine renders without a server`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 512))
    let voice = try engine.attach(.capture(channels: 1), name: "voice")
    let gain = try engine.attach(.effect("gain", channels: 1), name: "gain")
    let output = try engine.attach(.playback(channels: 2), name: "desk")
    try engine.connect(voice, gain, output)
    try gain.set("gain", to: -6.0206)
    let out = try engine.render(4, from: [voice: AudioBuffer([[1, 0.5, -1, 0]])])
    let rendered = try #require(out[output])
    #expect(rendered.channelCount == 2)
    for (got, wanted) in zip(rendered[0], [0.5, 0.25, -0.5, 0] as [Float]) {
      #expect(abs(got - wanted) < 1e-5)
    }
    #expect(rendered[0] == rendered[1])
  }

  //  keys ──► through
  @Test func `events are delivered on their frames, and those that find no room are reported`() async throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 64))
    let keys = try engine.attach(.midiInput(), name: "keys")
    let through = try engine.attach(.midiOutput(), name: "through")
    try engine.connect(keys, through)
    var lossEvents = engine.events.makeAsyncIterator()
    var starts: [Int64] = []
    for count in [1, 0, 2000] {
      try engine.render(64) { _, _, _ in
      } play: { node, events, start in
        #expect(node == keys)
        #expect(events.isEmpty)
        starts.append(start)
        for _ in 0..<count {
          var note = UInt32(0x64_3C_90)
          events.append(EventHeader(frame: start, type: EventHeader.midi, size: 3), bytes: &note)
        }
      } deliver: { _, _, _ in
      }
    }
    #expect(starts == [0, 64, 128])
    guard case .eventsLost(let lost)? = await lossEvents.next() else {
      Issue.record("the lost events were not reported")
      return
    }
    // 24 bytes each in 32 KiB, minus a header.
    #expect(lost == 2000 - 1364)
  }

  //  song ──► desk
  @Test func `a player resumes after a pause, and starts over after a stop`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "swiftlet-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "song.wav").path
    // Each sample is its frame number.
    let ramp = (0..<4800).map { Float($0) / 4800 }
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path, named: nil), sampleRate: 48_000, channelCount: 1)
    try writer.write([ramp])
    try writer.close()

    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 480))
    let song = try engine.attach(.player(path), name: "song")
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(song, output)
    func play() throws -> [Float] { try engine.render(480)[output]?[0] ?? [] }
    #expect(try play() == Array(ramp[0..<480]))
    try song.attachedPlayer().pause()
    _ = try play()
    #expect(try play() == [Float](repeating: 0, count: 480))
    #expect(!song.isPlaying)
    try song.play()
    let on = try #require(try play().last)
    #expect(0.1 < on && on < 0.3)
    try song.attachedPlayer().pause()
    try song.seek(to: 0)
    _ = try play()
    try song.play()
    _ = try play()
    #expect(try play() == Array(ramp[480..<960]))
    #expect(throws: EngineError.self) { try output.attachedPlayer() }
  }

  //  tone ──► desk, tapped
  @Test func `a tap delivers every frame, including a last partial buffer`() async throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 512))
    let tone = try engine.attach(
      .source(channels: 1) { block in
        let out = block.output()[0]
        for frame in 0..<out.count { out[frame] = Float(block.frame + Int64(frame)) / 10_000 }
      }, name: "tone")
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(tone, output)
    let tap = try engine.installTap(on: tone, bufferSize: 100)
    for _ in 0..<3 { _ = try engine.render(350) }
    try engine.removeTap(tap)
    var all: [Float] = [], starts: [Int64] = [], sizes: [Int] = []
    for await buffer in tap {
      starts.append(buffer.time.frame)
      sizes.append(buffer.samples.frameCount)
      all += buffer.samples[0]
    }
    #expect(all == (0..<1050).map { Float($0) / 10_000 })
    #expect(sizes == Array(repeating: 100, count: 10) + [50])
    #expect(starts == (0..<11).map { Int64($0 * 100) })
  }

  @Test func `a buffer of another rate than the engine's is refused`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 8000, longestBlock: 64))
    let voice = try engine.attach(.capture(channels: 1), name: "voice")
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(voice, output)
    #expect {
      try engine.render(1, from: [voice: AudioBuffer([[1]], sampleRate: 48_000)])
    } throws: {
      guard case .bufferRate("voice", 48_000, expected: 8000) = $0 as? EngineError else { return false }
      return true
    }
    #expect(try engine.render(1, from: [voice: AudioBuffer([[0.5]])])[output]?.format.sampleRate == 8000)
    let own = try AudioBuffer([[0.5]], sampleRate: 8000)
    #expect(try engine.render(1, from: [voice: own])[output]?.frameCount == 1)
  }
}
