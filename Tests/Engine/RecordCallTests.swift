// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletTesting
import Testing

/// Takes of several nodes with one call.
final class RecordCallTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/swiftlet-record-" + UUID().uuidString
  private let engine: AudioEngine
  private let gain: EffectNode<Gain>

  //  main input ──► gain −6 dB ──► main output
  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    engine = try AudioEngine.offline(longestBlock: 512)
    gain = try engine.attach(Gain.self, channels: 1)
    gain.gain.value = .decibels(-6)
    try engine.connect(engine.mainInput, gain, engine.mainOutput)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func samples(_ name: String) throws -> [[Float]] {
    let file = try AudioFile(reading: "\(folder)/\(name)")
    return try file.read(file.length).channels
  }

  @Test func `one call records several nodes from one instant`() throws {
    var generator = SeededGenerator(seed: 5)
    let noise = (0..<4096).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
    let take = try engine.record([
      .after(engine.mainInput, to: "\(folder)/dry.wav"), .after(gain, to: "\(folder)/wet.wav"),
      .before(engine.mainOutput, to: "\(folder)/out.flac", options: .init(format: "24-bit")),
    ])
    for start in stride(from: 0, to: noise.count, by: 512) {
      let block = AudioBuffer([Array(noise[start..<start + 512])])
      _ = try engine.render(512, from: [engine.mainInput: block])
    }
    let reports = take.finish()
    #expect(reports.map(\.tap) == ["dry", "wet", "out"] && reports.allSatisfy(\.isClean))
    #expect(reports.map(\.frameCount) == [4096, 4096, 4096])
    let factor = Float(pow(10, -6 / 20.0))
    for (name, factor, width) in [("dry.wav", 1, 1), ("wet.wav", factor, 1), ("out.flac", factor, 2)] {
      let channels = try samples(name)
      #expect(channels.count == width)
      for channel in channels {
        #expect(zip(channel, noise).allSatisfy { abs($0 - factor * $1) < 1e-6 }, "\(name)")
      }
    }
  }

  @Test func `if one file cannot be made, nothing is recorded and no tap remains`() throws {
    let error = #expect(throws: EngineError.self) {
      try engine.record([
        .after(engine.mainInput, to: "\(folder)/dry.wav"), .after(gain, to: "\(folder)/wet.text"),
      ])
    }
    guard case .file(let fault)? = error, fault.path.hasSuffix("wet.text") else {
      Issue.record("\(error)")
      return
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    #expect(engine.graph.taps.isEmpty)
  }

  @Test func `a tap is named after its file, and taps with one name after their paths`() throws {
    let files = ["a.wav", "b.c.wav", "more/a.wav"].map { "\(folder)/\($0)" }
    let take = try engine.record(files.map { .after(gain, to: $0) })
    #expect(take.taps == ["a", "b.c", files[2]])
    _ = take.finish()
    // A name of one letter has no extension that selects a format.
    #expect(throws: EngineError.self) { try engine.record([.after(gain, to: "a")]) }
  }
}
