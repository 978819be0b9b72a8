// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Synchronization
import Testing

extension LiveTests {
  /// The observations of a completion.
  private final class Seen: Sendable {
    let reports = Mutex<[TakeReport]?>(nil)
  }

  //  player ──► desk, recorded
  @Test func `a callback on the engine's thread can finish takes and close the engine`() throws {
    let engine = try AudioEngine(.jack(name: "live-callback", server: server.name))
    let output = try engine.attach(.playback(channels: 1, connect: .none))
    let folder = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let player = try PlayerNode(engine, channels: 1)
    try engine.connect(player.node, output)
    let recorder = Recorder(engine, folder: folder), seen = Seen()
    try recorder.add("take", on: player.node, file: "{take}.wav")
    try engine.start()
    try recorder.start()
    try player.schedule(.buffer(AudioBuffer([[Float](repeating: 0.25, count: 9600)]))) { event in
      guard case .rendered(.finished) = event.kind else { return }
      let reports = recorder.finish()
      engine.close()
      seen.reports.withLock { $0 = reports }
    }
    try player.play()
    #expect(soon { seen.reports.withLock { $0 } != nil })
    let take = try #require(seen.reports.withLock { $0 }?.first)
    #expect(take.frameCount >= 9600)
    #expect(throws: (any Error).self) { try engine.start() }
  }
}
