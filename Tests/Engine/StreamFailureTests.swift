// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import Synchronization
import Testing

@Suite struct StreamFailureTests {
  //   song ──► desk        (the file is truncated to its first half second when a quarter of a second has been heard)
  @Test(arguments: [false, true])
  func `a file truncated during playback is reported once, by its name`(isTrack: Bool) throws {
    let path = FileManager.default.temporaryDirectory.path + "/swiftlet-cut-\(UUID()).wav"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path), sampleRate: 48_000, channelCount: 1)
    // Files of up to ten seconds are kept in memory and not affected.
    try writer.write([[Float](repeating: 0.5, count: 960_000)])
    try writer.close()

    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 1000))
    let reported = Mutex<[EngineEvent]>([])
    let observation = engine.observe { event in reported.withLock { $0.append(event) } }
    defer { observation.cancel() }
    let segment = try Segment(of: AssetReference(path), .zero..<(.seconds(20)), at: .zero..<(.seconds(20)))
    let song = try engine.attach(
      isTrack ? .track(Track("song", segments: [segment])) : .player(path), name: "song")
    let output = try engine.attach(.playback(channels: 1))
    try engine.connect(song, output)
    for _ in 0..<12 { #expect(try engine.render(1000)[output]?[0] == [Float](repeating: 0.5, count: 1000)) }
    #expect(truncate(path, 24_000 * 4) == 0)
    // The prefetched sound plays, and then ends without a click.
    var heard: [Float] = [0.5]
    for _ in 0..<100 { heard += try engine.render(1000)[output]?[0] ?? [] }
    let step = zip(heard, heard.dropFirst()).map { abs($1 - $0) }.max() ?? 1
    #expect(heard.last == 0 && step <= 0.5 / 240 * 1.01, "\(step)")
    let failures = reported.withLock { events in
      events.compactMap { event -> (node: String, error: FileError)? in
        if case .streamFailed(let node, let error) = event { (node, error) } else { nil }
      }
    }
    #expect(failures.map(\.node) == ["song"])
    #expect(failures.first?.error.path == path)
    #expect(try engine.render(1000)[output]?[0] == [Float](repeating: 0, count: 1000))
  }
}
