// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletFiles
import Synchronization
import Testing

@testable import Swiftlet

extension LiveTests {
  //   two tracks ──► two ears: they wait, start on one frame, and loop without a gap
  @Test func `a local timeline waits, starts and loops without affecting JACK's transport`() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString + ".wav"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let samples = (0..<96_000).map { Float($0 + 1) / 131_072 }
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path, named: "32-float"), sampleRate: 48_000, channelCount: 1)
    try writer.write([samples])
    try writer.close()

    let engine = try AudioEngine(.jack(name: "live-loop", server: server.name))
    defer { engine.close() }
    let heard = Mutex<[[Float]]>([[], []])
    for index in 0..<2 {
      let segment = try Segment(of: AssetReference(path), .zero..<(.seconds(2)), at: .zero..<(.seconds(2)))
      let track = try engine.attach(.track(Track(TrackID("track\(index)"), segments: [segment])))
      let sink = try engine.attach(
        .sink(channels: 1) { block in
          let input = block.input()[0]
          heard.withLock { $0[index] += (0..<input.count).map { input[$0] } }
        })
      try engine.connect(track, sink)
    }
    // 9,600 frames that play once, then 4,800 repeatedly.
    let loop = MediaTime.milliseconds(200)..<MediaTime.milliseconds(300)
    try engine.setTransportRole(.local(try TempoMap(), loop: loop, isPaused: true))
    try engine.start()
    try await Task.sleep(for: .milliseconds(600))
    #expect(heard.withLock { $0.allSatisfy { $0.allSatisfy { $0 == 0 } } })
    try engine.startTransport()
    try await Task.sleep(for: .milliseconds(1500))
    #expect(engine.transport.isRolling && engine.jackClient?.transport.isRolling == false)
    try engine.stopTransport()
    try await Task.sleep(for: .milliseconds(200))

    let both = heard.withLock { $0 }
    let starts = both.map { $0.firstIndex { $0 != 0 } }
    let start = try #require(starts[0])
    #expect(starts[1] == start && both[0].count == both[1].count)
    // Until the final fade-out.
    let end = try #require(both[0].lastIndex { $0 != 0 }) - 240
    try #require(end - start > 48_000)
    for track in both {
      var wrong = 0
      for frame in start..<end {
        let offset = frame - start, frameInLoop = offset < 14_400 ? offset : 9600 + (offset - 14_400) % 4800
        if track[frame] != samples[frameInLoop] { wrong += 1 }
      }
      #expect(wrong == 0)
    }
    #expect(engine.nodes.allSatisfy { $0.underruns.count == 0 })
  }
}
