// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import Synchronization
import Testing

extension LiveTests {
  /// The samples of a block, and its transport.
  private struct ReceivedBlock: Sendable {
    let transport: Transport
    let samples: [Float]
  }

  //   music ──► ear: JACK's transport is relocated, and the music follows to the frame
  @Test func `a player follows JACK's transport to the frame`() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString + ".wav"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let samples = (0..<480_000).map { Float($0 + 1) / 1_048_576 }
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path, named: "32-float"), sampleRate: 48_000, channelCount: 1)
    try writer.write([samples])
    try writer.close()

    let engine = try AudioEngine(.jack(name: "live-song", server: server.name))
    let heard = Mutex<[ReceivedBlock]>([])
    let music = try engine.attach(.player(path))
    let sink = try engine.attach(
      .sink(channels: 1) { block in
        let input = block.input()[0]
        let entry = ReceivedBlock(
          transport: block.transport, samples: (0..<input.count).map { input[$0] })
        heard.withLock { $0.append(entry) }
      })
    try engine.connect(music, sink)
    try engine.setTransportRole(.timebase(TempoMap(120)))
    try engine.start()
    for seconds in [2, 1, 1] {
      try engine.locateTransport(to: .seconds(seconds))
      try engine.startTransport()
      try await Task.sleep(for: .milliseconds(400))
      try engine.stopTransport()
      try await Task.sleep(for: .milliseconds(100))
    }
    engine.close()

    var starts: [Int64] = [], rolled = 0, wrong = 0, silent = 0
    var start: Int64?
    for entry in heard.withLock({ $0 }) {
      guard entry.transport.isRolling else {
        start = nil
        continue
      }
      let position = entry.transport.position
      if start == nil {
        start = position
        starts.append(position)
      }
      for (offset, sample) in entry.samples.enumerated() {
        let frame = position + Int64(offset)
        // It fades in over 5 ms.
        guard frame >= (start ?? 0) + 241, frame < 480_000 else { continue }
        rolled += 1
        if sample == 0 { silent += 1 } else if sample != samples[Int(frame)] { wrong += 1 }
      }
    }
    #expect(starts == [96_000, 48_000, 48_000])
    #expect(rolled > 20_000 && wrong == 0, "\(wrong) of \(rolled) frames")
    // Silent where the disk was too slow for a moment, and on time again after that.
    #expect(silent < rolled / 2)
    let last = try #require(heard.withLock { $0.last { $0.transport.isRolling } })
    #expect(last.transport.tempo == 120 && last.transport.bar == Int32(last.transport.position / 96_000) + 1)
  }

  //   music ──► ear, started, paused and started again while JACK's transport rolls
  @Test func `a player joins a rolling transport to the frame`() throws {
    let path = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString + ".wav"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let samples = (0..<2_000_000).map { Float($0 + 1) / 0x1p23 }
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path, named: "32-float"), sampleRate: 48_000, channelCount: 1)
    try writer.write([samples])
    try writer.close()

    let engine = try AudioEngine(.jack(name: "live-join", server: server.name))
    #expect(engine.transport.position == 0)
    let heard = Mutex<[ReceivedBlock]>([])
    let music = try engine.attach(.player(path))
    let sink = try engine.attach(
      .sink(channels: 1) { block in
        let input = block.input()[0]
        let entry = ReceivedBlock(transport: block.transport, samples: (0..<input.count).map { input[$0] })
        heard.withLock { $0.append(entry) }
      })
    try engine.connect(music, sink)
    try engine.setTransportRole(.follow)
    try engine.locateTransport(to: .seconds(3))
    try engine.startTransport()
    #expect(soon { engine.transport.isRolling && engine.transport.position > 160_000 })
    for _ in 0..<2 {
      try engine.start()
      // Half a second until it joins, and some time after that.
      #expect(soon { heard.withLock { $0.last?.samples.last ?? 0 } != 0 })
      usleep(1_000_000)
      let entries = heard.withLock { $0.suffix(50) }
      engine.pause()
      usleep(300_000)
      var wrong = 0
      for entry in entries {
        for (offset, sample) in entry.samples.enumerated()
        where sample != samples[Int(entry.transport.position) + offset] { wrong += 1 }
      }
      #expect(entries.count == 50 && wrong == 0, "\(wrong) frames of \(entries.count) blocks")
    }
    engine.close()
    // A transport without a server stands still.
    #expect(engine.transport == Transport())
  }
}
