// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import SwiftletJack
import Testing

/// libjack supports one server at a time in a process, so these tests run in a separate process that `make test`
/// starts.
@Suite(
  .serialized, .timeLimit(.minutes(10)),
  .enabled(if: ProcessInfo.processInfo.environment["SWIFTLET_LIVE_TESTS"] == "1"))
struct LiveTests {
  let server: DummyServer

  init() throws {
    server = try Self.serve()
  }

  /// Starts a server as soon as the clients of the previous test have left theirs. Some leave on another thread.
  private static func serve() throws -> DummyServer {
    let deadline = ContinuousClock.now + .seconds(20)
    while true {
      do throws(JackError) {
        return try DummyServer(
          .init(period: 256, captureCount: 2, playbackCount: 2, waitsForClients: true), timeout: 120)
      } catch {
        guard case .otherServer = error, ContinuousClock.now < deadline else { throw error }
        usleep(50_000)
      }
    }
  }

  //  sine ──► gain ──► desk        (tapped behind the sine)
  @Test func `a live engine plays, is tapped without a gap, and closes`() async throws {
    let engine = try AudioEngine(.jack(name: "live", server: server.name))
    let sine = try engine.attach(.source(channels: 1, sineWave), name: "sine")
    let gain = try engine.attach(.effect("gain", channels: 1), name: "gain")
    let output = try engine.attach(.playback(channels: 2), name: "desk")
    try engine.connect(sine, gain, output)
    let tap = try engine.installTap(on: sine, bufferSize: 512)
    try engine.start()
    #expect(engine.isRunning)
    var next: Int64?, count = 0
    for await buffer in tap {
      if let next { #expect(buffer.time.frame == next) }
      next = buffer.time.frame + Int64(buffer.samples.frameCount)
      #expect(buffer.samples.frameCount == 512)
      count += 1
      if count == 20 { break }
    }
    #expect(count == 20)
    engine.close()
    #expect(!engine.isRunning)
  }

  //  sine ──► desk, then sine ──► gain ──► desk
  @Test func `inserting and removing a node while live makes no click`() async throws {
    let engine = try AudioEngine(.jack(name: "live-edit", server: server.name))
    let sine = try engine.attach(.source(channels: 2, sineWave), name: "sine")
    let output = try engine.attach(.playback(channels: 2), name: "desk")
    try engine.connect(sine, output)
    let tap = try engine.installTap(on: output, side: .before, bufferSize: 4800)
    try engine.start()
    try await Task.sleep(for: .milliseconds(100))
    let gain = try engine.attach(.effect("gain"), name: "gain")
    try await engine.edit { edit in try edit.insert(gain, between: sine, and: output) }
    try await Task.sleep(for: .milliseconds(100))
    try await engine.edit { edit in
      try edit.detach(gain)
      try edit.connect(sine, output)
    }
    try await Task.sleep(for: .milliseconds(100))
    try engine.removeTap(tap)
    var all: [Float] = [], lost = 0
    for await buffer in tap {
      all += buffer.samples[0]
      lost += buffer.lostFrames
    }
    engine.close()
    // A sine of 100 Hz bends by at most (2π · 100 / 48000)² per frame; a linear crossfade of equal signals adds
    // nothing.
    let bend = zip(zip(all, all.dropFirst()), all.dropFirst(2)).map { abs($0.0 - 2 * $0.1 + $1) }
    #expect(all.count > 10_000)
    if lost == 0 { #expect((bend.max() ?? 1) < 4e-4) }
  }

  @Test func `a failed edit leaves exactly the previous ports`() throws {
    let engine = try AudioEngine(.jack(name: "live-undo", server: server.name))
    let jackClient = try #require(engine.jackClient)
    func ports() throws -> [String] {
      try jackClient.ports(matching: "live-undo:.*").map(\.name).sorted()
    }
    let output = try engine.attach(.playback(channels: 2), name: "desk")
    try engine.start()
    for _ in 0..<2 {
      #expect(throws: EngineError.self) {
        try engine.edit { edit in
          _ = try edit.attach(.capture(channels: 1), name: "voice")
          try edit.detach(try edit.attach(.midiInput(), name: "keys"))
          try edit.detach(output)
          // Fails once the ports are registered.
          let one = try edit.attach(.mixer()), two = try edit.attach(.mixer())
          try edit.connect(one, two)
          try edit.connect(two, one)
        }
      }
      // Longer than the housekeeping thread takes to unregister ports.
      usleep(100_000)
      #expect(try ports() == ["live-undo:desk_1", "live-undo:desk_2"])
    }
    _ = try engine.attach(.capture(channels: 1), name: "voice")
    try engine.edit { edit in try edit.detach(output) }
    #expect(try soon { try ports() == ["live-undo:voice"] })
    engine.close()
  }

  @Test func `ports return with their names and the connections of their rules`() throws {
    let engine = try AudioEngine(.jack(name: "live-redo", server: server.name))
    let jackClient = try #require(engine.jackClient)
    func ports() throws -> [String] { try jackClient.ports(matching: "live-redo:.*").map(\.name).sorted() }
    let output = try engine.attach(
      .playback(channels: 2, connect: .ports(["system:playback_1", "system:playback_2"])), name: "desk")
    try engine.connect(engine.attach(.source(channels: 2, sineWave), name: "sine"), output)
    try engine.start()
    for waits in [false, true] {
      try engine.detach(output)
      if waits { #expect(try soon { try ports().isEmpty }) }
      try engine.undo()
      #expect(try ports() == ["live-redo:desk_1", "live-redo:desk_2"])
      #expect(try soon { try jackClient.connections(of: "live-redo:desk_1") == ["system:playback_1"] })
      usleep(100_000)
      #expect(try ports() == ["live-redo:desk_1", "live-redo:desk_2"])
    }
    _ = try engine.attach(.capture(channels: 1), name: "voice")
    try engine.undo()
    #expect(try soon { try ports().count == 2 })
    try engine.redo()
    #expect(try ports().contains("live-redo:voice"))
    engine.close()
  }

  @Test func `a lost server is reported, and its take is complete without a return`() async throws {
    let engine = try AudioEngine(.jack(name: "live-lost", server: server.name))
    engine.reconnects = false
    let output = try engine.attach(.playback(channels: 2), name: "desk")
    let sine = try engine.attach(.source(channels: 2, sineWave), name: "sine")
    try engine.connect(sine, output)
    let folder = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let recorder = Recorder(engine, folder: folder)
    try recorder.add("take", on: sine, file: "a.wav")
    let events = engine.events
    try engine.start()
    try recorder.start()
    try await Task.sleep(for: .milliseconds(200))
    server.stop()
    var isReported = false, take: TakeReport?
    for await event in events {
      if case .serverLost = event { isReported = true }
      if case .takeEnded(let report) = event { take = report }
      if isReported, take != nil { break }
    }
    #expect(isReported && !engine.isRunning)
    // The take was not ended by the program.
    #expect(take?.failure == nil && !recorder.taps.contains(where: recorder.isRecording))
    let whole = try AudioFileReader(folder + "/a.wav").info.frameCount
    #expect(whole > 4800 && whole == take?.frameCount)
    #expect(throws: EngineError.self) { try engine.start() }
    engine.close()
  }

  @Test func `a missing server is reported at once`() throws {
    let start = ContinuousClock.now
    #expect(throws: EngineError.self) { try AudioEngine(.jack(name: "nobody", server: "swiftlet-none")) }
    #expect(ContinuousClock.now - start < .seconds(1))
  }
}

/// A sine of 100 Hz at half of full scale, which depends on the absolute frame alone.
@Sendable func sineWave(_ block: Block) {
  let bus = block.output()
  for channel in 0..<bus.channelCount {
    let samples = bus[channel]
    for frame in 0..<samples.count {
      let phase = Double((block.frame + Int64(frame)) % 480) / 480
      samples[frame] = Float(0.5 * sin(2 * .pi * phase))
    }
  }
}

/// A stream of ones.
@Sendable func ones(_ block: Block) {
  let samples = block.output()[0]
  for frame in 0..<samples.count { samples[frame] = 1 }
}
