// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import Testing

/// A composition has the same bits in an export and on a real server.
extension LiveTests {
  /// Returns one attempt's recording, or nil if frames were lost on a busy machine.
  private func clean(
    _ reports: [TakeReport], _ nodes: [AudioNode], _ count: Int = Show.frameCount
  ) throws -> [[Float]]? {
    let report = try #require(reports.first)
    guard report.lostFrames == 0, nodes.allSatisfy({ $0.underruns.count == 0 }) else { return nil }
    return try AudioFileReader(report.path).read(count)
  }

  /// Tries up to three times until nothing was lost, since lost frames say nothing about equality.
  private func take(_ body: (Int) async throws -> [[Float]]?) async throws -> [[Float]] {
    for attempt in 0..<3 { if let heard = try await body(attempt) { return heard } }
    throw Busy()
  }
  private struct Busy: Error, CustomStringConvertible {
    var description: String { "three takes in a row lost frames" }
  }

  private func recorder(_ engine: AudioEngine, _ show: Show, on node: AudioNode) throws -> Recorder {
    let recorder = Recorder(engine, folder: show.folder)
    try recorder.add("main", on: node, file: "{tap}-{take}.wav", options: .init(format: "32-float"))
    return recorder
  }

  private func wait(for engine: AudioEngine, until seconds: Double) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while engine.now.seconds < seconds, .now < deadline {
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  //   main ──► desk ┄ its ports' connections ┄ ear: another client
  @Test func `live sound equals the export from its first frame, at mixer and ports`() async throws {
    let show = try Show()
    let wanted = try await show.export()
    var atPorts: [[Float]] = []
    let atMixer = try await take { attempt in
      let (engine, main, _, tracks) = try show.makeEngine(.jack(name: "show-\(attempt)", server: server.name))
      let listener = try AudioEngine(.jack(name: "ear-\(attempt)", server: server.name))
      let ports = (1...2).map { "show-\(attempt):desk_\($0)" }
      let hearing = try listener.attach(.capture(channels: 2, connect: .ports(ports)), name: "hearing")
      let (own, other) = try (recorder(engine, show, on: main), recorder(listener, show, on: hearing))
      try listener.start()
      try other.start()
      try own.start()
      try engine.start()
      try await wait(for: engine, until: Double(Show.seconds) + 0.3)
      let reports = [own.finish(), other.finish()]
      engine.close()
      listener.close()
      guard let port = try reports[1].first.map({ try AudioFileReader($0.path) }),
        reports[1][0].lostFrames == 0
      else { return nil }
      atPorts = try port.read(port.info.frameCount)
      return try clean(reports[0], tracks)
    }
    expectSame(atMixer, wanted, "live")

    // The other client began before the show, and was connected shortly after its first frame. A second of the show
    // locates it. The engine's fade-in over 300 ms is linear, and is computed bit by bit.
    let ramp = Float(0.3 * Double(Show.rate))
    let faded = wanted.map { channel in
      channel.enumerated().map {
        $0.element * (Float($0.offset + 1) < ramp ? Float($0.offset + 1) / ramp : 1)
      }
    }
    let start = try #require(index(of: wanted[0], in: atPorts[0]))
    let firstFrames = atPorts.compactMap { channel in channel.firstIndex { $0 != 0 } }
    let first = try #require(firstFrames.max()) - start
    #expect(0..<Show.rate / 10 ~= first, "heard from frame \(first) of the show on")
    expectSame(
      atPorts.map { Array($0[(start + first)..<(start + Show.frameCount)]) },
      faded.map { Array($0[first...]) },
      "live, at the ports")
  }

  /// Returns the index of the show's first frame in a recording, located by some frames after one second.
  private func index(of show: [Float], in heard: [Float]) -> Int? {
    let pattern = show[Show.rate..<Show.rate + 32]
    return heard.indices.dropLast(pattern.count).first { index in
      heard[index] == pattern.first && heard[index..<index + pattern.count].elementsEqual(pattern)
    }.map { $0 - Show.rate }
  }

  @Test func `a server that begins to freewheel during a show renders the same bits`() async throws {
    let show = try Show()
    let wanted = try await show.export()
    let heard = try await take { attempt in
      let (engine, main, _, tracks) = try show.makeEngine(.jack(name: "show-\(attempt)", server: server.name))
      let recorder = try recorder(engine, show, on: main)
      try recorder.start()
      try engine.start()
      // In the middle, as when a program bounces a song.
      try await wait(for: engine, until: 0.5)
      try engine.jackClient?.setFreewheel(true)
      try await wait(for: engine, until: Double(Show.seconds) + 0.3)
      try engine.jackClient?.setFreewheel(false)
      let reports = recorder.finish()
      engine.close()
      return try clean(reports, tracks)
    }
    expectSame(heard, wanted, "freewheeling")
  }

  @Test func `a freewheeling server waits for slow tracks`() async throws {
    let show = try Show(), count = 20 * Show.rate
    let (offline, main, _) = try show.crowd(.offline(sampleRate: Double(Show.rate)))
    let export = try ExportSession(offline)
    let format = try RecordingFormat(path: "crowd.wav", named: "32-float")
    try export.add(ExportFile(show.path("crowd.wav"), format: format, of: main))
    _ = try await export.run()
    let wanted = try AudioFileReader(show.path("crowd.wav")).read(count)

    let heard = try await take { attempt in
      let (engine, main, tracks) = try show.crowd(.jack(name: "crowd-\(attempt)", server: server.name))
      let recorder = try recorder(engine, show, on: main)
      try recorder.start()
      try engine.start()
      try await wait(for: engine, until: 0.5)
      try engine.jackClient?.setFreewheel(true)
      try await wait(for: engine, until: 20.3)
      try engine.jackClient?.setFreewheel(false)
      let reports = recorder.finish()
      engine.close()
      return try clean(reports, tracks, count)
    }
    expectSame(heard, wanted, "freewheeling")
  }

  @Test func `a minute on the transport of a freewheeling server renders the same bits`() async throws {
    let show = try Show()
    let wanted = try await show.export()
    let (engine, main, _, _) = try show.makeEngine(.jack(name: "bounce", server: server.name))
    try engine.setTransportRole(.follow)
    let recorder = try recorder(engine, show, on: main)
    try engine.start()
    try engine.stopTransport()
    try engine.locateTransport(to: .zero)
    try await wait(for: engine, until: 0.2)
    try recorder.start()
    // Not before the take has begun.
    try await wait(for: engine, until: engine.now.seconds + 0.2)
    try engine.jackClient?.setFreewheel(true)
    try engine.startTransport()
    let began = ContinuousClock.now
    while engine.transport.position < 60 * Int64(Show.rate), ContinuousClock.now - began < .seconds(55) {
      try await Task.sleep(for: .milliseconds(5))
    }
    // Faster than real time.
    #expect(engine.transport.position >= 60 * Int64(Show.rate))
    try engine.jackClient?.setFreewheel(false)
    let report = try #require(recorder.finish().first)
    try engine.stopTransport()
    engine.close()
    #expect(report.lostFrames == 0)
    let all = try AudioFileReader(report.path).read(62 * Show.rate)
    let first = all[0].firstIndex { $0 != 0 } ?? -1
    let start = try #require(
      index(of: wanted[0], in: all[0]), "heard from \(first) of \(all[0].count) on, \(report)")
    #expect(start > 0 && all[0][..<start].allSatisfy { $0 == 0 })
    expectSame(all.map { Array($0.dropFirst(start).prefix(Show.frameCount)) }, wanted, "bounced")
  }
}
