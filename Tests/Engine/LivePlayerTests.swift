// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import Testing

extension LiveTests {
  //   song ──► desk ──► card: playback ┄ its connection ┄ capture ──► voice, taken twice
  @Test func `a take recorded to playback is aligned with what the performer heard`() throws {
    let card = try #require(
      SoundCard(server: server.name, period: 256, playbackLatency: 700, captureLatency: 500))
    let engine = try AudioEngine(.jack(name: "live-loop", server: server.name))
    let voice = try engine.attach(
      .capture(channels: 1, connect: .ports(["card:capture"])), name: "voice")
    let output = try engine.attach(
      .playback(channels: 1, connect: .ports(["card:playback"]), ceiling: -1), name: "desk")
    var state: UInt32 = 7
    let song = (0..<24_000).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: state)) / Float(Int32.max) * 0.25
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: "swiftlet-loop-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let player = try AudioPlayer(AudioBuffer([song]), on: engine, to: output)
    let sung = try AudioRecorder(folder.path + "/sung.wav", of: voice, options: .init(heardThrough: output))
    let plain = try AudioRecorder(folder.path + "/plain.wav", of: voice)
    try engine.start()
    try player.prepare()
    let jackClient = try #require(engine.jackClient)
    let deadline = ContinuousClock.now + .seconds(10)
    func isKnown() -> Bool {
      jackClient.playbackLatency(of: "desk") == 700...700
        && jackClient.captureLatency(of: "voice") == 500...500
    }
    // The first sound of an engine fades in over 300 ms.
    while !isKnown() || engine.now.seconds < 0.5, ContinuousClock.now < deadline { usleep(10_000) }
    #expect(isKnown())
    let start = engine.now + .milliseconds(500)
    try sung.record(at: start, for: .milliseconds(600))
    try plain.record(at: start, for: .milliseconds(600))
    try player.play(at: start)
    while engine.now.seconds < start.seconds + 1, ContinuousClock.now < deadline + .seconds(10) {
      usleep(10_000)
    }
    let reports = [sung.stop(), plain.stop()]
    engine.close()
    let late = 1200 + output.latency
    for (report, delay) in zip(reports, [0, late]) {
      let take = try AudioFileReader(try #require(report).path).read(28_800)[0]
      // If the server loses frames on a busy machine, the rest is displaced.
      let around = max(delay - 5, 0)...delay + 5
      let best = around.max { likeness(take, song, at: $0) < likeness(take, song, at: $1) } ?? -1
      #expect(abs(best - delay) <= 1 && likeness(take, song, at: best) > 0.9, "\(best), not \(delay)")
    }
    withExtendedLifetime(card) {}
  }

  /// The correlation of a song's beginning with a take from a frame on: 1 is identical.
  private func likeness(_ take: [Float], _ song: [Float], at offset: Int) -> Double {
    var (both, one, other) = (0.0, 1e-9, 1e-9)
    for frame in 0..<4800 where offset + frame < take.count {
      let (a, b) = (Double(take[offset + frame]), Double(song[frame]))
      both += a * b
      one += a * a
      other += b * b
    }
    return both / (one * other).squareRoot()
  }

  @Test func `players and recorders with their own engines join the server under free names`() async throws {
    let tone = AudioBuffer([sine(48_000, 440, rate: 48_000)])
    let players = try (0..<2).map { _ in
      try AudioPlayer(tone, sampleRate: 48_000, server: server.name)
    }
    let events = players[0].events
    for player in players { try player.play() }
    #expect(players.map { $0.engine.jackClient?.name } == ["player", "player-2"])
    let instant = ContinuousClock.now + .milliseconds(200)
    players[1].stop()
    try players[1].play(at: instant)
    var kinds: [PlayerEvent.Kind] = [], played: Int64 = 0, rendered: Int64 = 0
    for await event in events where event.kind != .consumed {
      kinds.append(event.kind)
      if case .rendered = event.kind { rendered = event.time.frame }
      if case .playedBack = event.kind {
        played = event.time.frame
        break
      }
    }
    #expect(kinds == [.began, .rendered(.finished), .playedBack(.finished)])
    // The dummy sound card adds one or two periods of latency.
    #expect(played - rendered == 256 || played - rendered == 512)
    // Close here, not with the last reference, which one of their threads may hold: the next test has another server.
    for player in players { player.engine.close() }
    let folder = FileManager.default.temporaryDirectory.appending(path: "swiftlet-memo-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let recorder = try AudioRecorder(
      folder.path + "/memo.caf", options: .init(format: "ima4", rate: 22_050), server: server.name)
    try recorder.record(for: .milliseconds(500))
    for await event in recorder.events { if case .ended = event { break } }
    recorder.engine.close()
    let info = try AudioFileReader(folder.path + "/memo.caf").info
    #expect(info.sampleRate == 22_050 && info.channelCount == 1 && abs(info.frameCount - 11_025) <= 64)
  }

  @Test(arguments: [
    ("LoopPlayer", ["a.wav", "1"], "again and again"), ("VoiceMemo", ["1"], "memo-001.m4a: 1s"),
    ("Looper", ["a.wav", "b.wav", "c.wav", "1"], "at 1.25"),
  ])
  func `examples play and record`(name: String, arguments: [String], words: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "swiftlet-examples-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (number, file) in ["a.wav", "b.wav", "c.wav"].enumerated() {
      let path = folder.path + "/" + file
      let writer = try AudioFileWriter(
        path, format: RecordingFormat(path: path), sampleRate: 48_000, channelCount: 1)
      try writer.write([sine(24_000, 220 * Double(number + 1), rate: 48_000)])
      try writer.close()
    }
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let process = Process(), pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: tests).deletingLastPathComponent().appending(path: name)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["JACK_DEFAULT_SERVER": server.name]) { $1 }
    process.standardOutput = pipe
    try process.run()
    let printed = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && printed.contains(words), "\(printed)")
  }
}
