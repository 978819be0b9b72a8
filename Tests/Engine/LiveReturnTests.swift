// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import Synchronization
import Testing

/// The events of an engine.
private final class EngineEventLog: Sendable {
  private let events = Mutex<[EngineEvent]>([]), token = Mutex<EventObservation?>(nil)
  init(_ engine: AudioEngine) {
    let observation = engine.observe { [weak self] event in self?.events.withLock { $0.append(event) } }
    token.withLock { $0 = observation }
  }
  var interruptions: [Interruption] {
    events.withLock {
      $0.compactMap { if case .interruption(let interruption) = $0 { interruption } else { nil } }
    }
  }
  /// For each return of the engine, whether sound resumed.
  var returns: [Bool] {
    interruptions.compactMap { if case .ended(.serverShutdown, let resumes) = $0 { resumes } else { nil } }
  }
  var losses: Int {
    interruptions.count { if case .began(.serverShutdown) = $0 { true } else { false } }
  }
  var otherRates: [Double] {
    events.withLock { $0.compactMap { if case .otherRate(let rate, 48_000) = $0 { rate } else { nil } } }
  }
}

/// A server that is killed and restarted under a running engine.
extension LiveTests {
  private static func scratch() throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "swiftlet-return-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Writes a file in which each sample is its frame number, counted from 1.
  private static func staircase(_ path: String, frames: Int) throws {
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path), sampleRate: 48_000, channelCount: 1)
    try writer.write([(1...frames).map { Float($0) / 0x1p23 }])
    try writer.close()
  }

  //   song ──► desk        (recorded behind the song; desk has a connection by rule, one by hand and one removed)
  @Test(arguments: [true, false])
  func `players, takes and connections survive a server that dies and returns`(isKilled: Bool) throws {
    server.stop()
    let folder = try Self.scratch()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Self.staircase("\(folder)/song.wav", frames: 48_000 * 120)
    let mortal = KillableServer(isKilled ? 1 : 2)
    try mortal.start()
    defer { mortal.stop() }
    let engine = try AudioEngine(.jack(name: "return", server: mortal.name))
    let diary = EngineEventLog(engine)
    let song = try engine.attach(.player("\(folder)/song.wav"), name: "song")
    let output = try engine.attach(.playback(channels: 2), name: "desk")
    try engine.connect(song, output)
    let recorder = Recorder(engine, folder: folder)
    try recorder.add("song", on: song, file: "take.wav")
    try recorder.start()
    try engine.start()
    let jackClient = try #require(engine.jackClient)
    try jackClient.connect(PortConnection(from: "return:desk_1", to: "system:playback_2"))
    try jackClient.disconnect(PortConnection(from: "return:desk_2", to: "system:playback_2"))
    #expect(soon { engine.now.seconds > 1 })

    isKilled ? mortal.kill() : mortal.stop()
    #expect(soon { diary.losses == 1 })
    #expect(!engine.isRunning)
    #expect(recorder.status.map(\.tap) == ["song"])
    // Ports appear and disappear meanwhile.
    let mic = try engine.attach(.capture(channels: 1, connect: .none), name: "mic")
    _ = mic
    let spare = try engine.attach(.capture(channels: 2, connect: .none), name: "spare")
    try engine.detach(spare)
    let stood = engine.now.frame
    try mortal.start(period: 128)
    #expect(soon { diary.returns == [true] })
    #expect(engine.isRunning)
    #expect(soon { engine.now.frame > stood + 24_000 })
    #expect(
      try Set(jackClient.connections(of: "return:desk_1")) == ["system:playback_1", "system:playback_2"])
    #expect(try jackClient.connections(of: "return:desk_2").isEmpty)
    #expect(
      try jackClient.ports().map(\.name).filter { $0.hasPrefix("return:") } == [
        "return:desk_1", "return:desk_2", "return:mic",
      ])

    let report = try #require(recorder.finish().first)
    #expect(report.failure == nil)
    let take = try AudioFileReader(report.path).read(report.frameCount)[0]
    // Outside of gaps the take is the song, frame by frame. One gap is where sound stopped.
    var next: Float?, lost = 0
    for sample in take {
      guard sample != 0 else {
        lost += 1
        continue
      }
      if let next, sample != next {
        Issue.record("\(sample * 0x1p23) comes where \(next * 0x1p23) should")
        break
      }
      next = sample + 1 / 0x1p23
    }
    #expect(report.lostFrames > 0 && lost >= report.lostFrames)
    #expect(report.gaps.contains { $0.count == 128 })
    engine.close()
  }

  @Test func `an engine paused meanwhile stays paused, and it can return repeatedly`() throws {
    server.stop()
    let mortal = KillableServer(3)
    try mortal.start()
    defer { mortal.stop() }
    let engine = try AudioEngine(.jack(name: "patient", server: mortal.name))
    let diary = EngineEventLog(engine)
    let tone = try engine.attach(.source(channels: 2, sineWave), name: "tone")
    let output = try engine.attach(.playback(channels: 2), name: "desk")
    try engine.connect(tone, output)
    try engine.start()
    #expect(soon { engine.now.seconds > 0.2 })
    mortal.kill()
    #expect(soon { diary.losses == 1 })
    engine.pause()
    try mortal.start()
    #expect(soon { diary.returns == [false] })
    #expect(!engine.isRunning)
    mortal.kill()
    #expect(soon { diary.losses == 2 })
    // Started without a server, it plays when a server is there.
    try engine.start()
    try mortal.start()
    #expect(soon { diary.returns == [false, true] })
    let now = engine.now.frame
    #expect(soon { engine.now.frame > now + 4800 })
    engine.close()
  }

  @Test func `a server at another rate is reported once, and joined when it has the engine's rate`() throws {
    server.stop()
    let mortal = KillableServer(4)
    try mortal.start()
    defer { mortal.stop() }
    let engine = try AudioEngine(.jack(name: "tuned", server: mortal.name))
    let diary = EngineEventLog(engine)
    let output = try engine.attach(.playback(channels: 2), name: "desk")
    _ = output
    try engine.start()
    #expect(soon { engine.now.frame > 0 })
    mortal.kill()
    #expect(soon { diary.losses == 1 })
    try mortal.start(rate: 44_100)
    #expect(soon { diary.otherRates == [44_100] })
    mortal.stop()
    try mortal.start()
    #expect(soon { diary.returns == [true] })
    #expect(diary.otherRates == [44_100])
    engine.close()
  }

  @Test func `closing an engine that waits for a server returns at once`() throws {
    server.stop()
    let mortal = KillableServer(5)
    try mortal.start()
    let engine = try AudioEngine(.jack(name: "brief", server: mortal.name))
    let diary = EngineEventLog(engine)
    try engine.start()
    mortal.kill()
    #expect(soon { diary.losses == 1 })
    engine.close()
    #expect(throws: EngineError.self) { try engine.start() }
    // Cleans up after the killed server.
    try mortal.start()
    mortal.stop()
    #expect(diary.returns.isEmpty)
  }
}
