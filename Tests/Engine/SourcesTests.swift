// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

/// An effect with separate parameters for each channel.
struct SourcesTests {
  //  band (3) ──► room ──► desk
  //                └ reverb ──► hall
  @Test func `an environment has a source for each channel, and a second output`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 4096))
    let band = try engine.attach(.capture(channels: 3), name: "band")
    let room = try engine.attach(.effect("environment", channels: 3), name: "room")
    let output = try engine.attach(.playback(channels: 2), name: "desk")
    let hall = try engine.attach(.playback(channels: 1), name: "hall")
    try engine.connect(band, room)
    try engine.connect(room, output)
    try engine.connect(room, bus: 1, to: hall)
    try room.set("sources[3].x", to: 2, over: .zero)
    try room.set("sources[3].z", to: 0, over: .zero)
    try room.set("sources[3].reverb-blend", to: 50, over: .zero)
    let silence = [Float](repeating: 0, count: 2048), ones = [Float](repeating: 1, count: 2048)
    let heard = try engine.render(2048, from: [band: AudioBuffer([silence, silence, ones])])
    let (out, wet) = (try #require(heard[output]), try #require(heard[hall]))
    // To the right, two metres away: half as loud, and half of that in the reverb.
    #expect(abs(out[0][2047]) < 1e-6 && abs(out[1][2047] - 0.25) < 1e-6 && abs(wet[0][2047] - 0.25) < 1e-6)
    #expect(throws: EngineError.self) { try room.set("sources[4].x", to: 0) }
  }

  @Test func `an error on the wrong number of sources states how many are possible`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000))
    for bands in [1, 3] {
      do {
        _ = try engine.attach(.effect("environment", channels: 2, bands: bands), name: "room")
        Issue.record("\(bands) sources of 2 channels")
      } catch {
        #expect("\(error)".contains("cannot have \(bands) bands: it has one for each channel, 2 in all"))
      }
    }
  }

  @Test func `a file without valid HRTF measurements is named`() throws {
    let path = FileManager.default.temporaryDirectory.path + "/swiftlet-\(UUID().uuidString).sofa"
    try Data("no ears".utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let engine = try AudioEngine(.offline(sampleRate: 48_000))
    do {
      _ = try engine.attach(.effect("environment", files: ["hrtf": path]), name: "room")
      Issue.record("made with a broken file")
    } catch {
      #expect("\(error)".contains(path) && "\(error)".contains("damaged"), "\(error)")
    }
  }
}
