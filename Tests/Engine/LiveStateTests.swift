// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
@testable import Swiftlet
import Testing

extension LiveTests {
  //  source ──► amp ──► amp ──► amp ──► output        (on a stereo bus a mono plugin has two instances)
  @Test(arguments: [1, 2])
  func `a state is loaded without a click into a plugin that the plan calls directly`(channels: Int)
    async throws
  {
    let engine = try AudioEngine(client: "live-state", server: server.name)
    defer { engine.close() }
    let source = try engine.attachSource(channels: channels, name: "source") { block in
      for channel in 0..<channels {
        for frame in 0..<block.frameCount { block.output()[channel][frame] = 0.25 }
      }
    }
    let amps = try (0..<3).map {
      try engine.attach(plugin: "http://lv2plug.in/plugins/eg-amp", channels: channels, name: "amp-\($0)")
    }
    try engine.connect(source, amps[0], amps[1], amps[2], engine.mainOutput)
    let folder = NSTemporaryDirectory() + "swiftlet-live-\(UUID().uuidString).state"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try amps[1].parameters["gain"].set("-20 dB")
    try engine.start()
    try await Task.sleep(for: .milliseconds(200))
    try amps[1].saveState(to: folder)
    try amps[1].parameters["gain"].set("0 dB")
    try await Task.sleep(for: .milliseconds(200))
    let tap = try engine.installTap(on: amps[2], bufferSize: 4800)
    // Three times, since a direct call that keeps an exchanged body fails only after that body was freed.
    for _ in 0..<3 {
      try amps[1].loadState(from: folder)
      try await Task.sleep(for: .milliseconds(100))
      try amps[1].parameters["gain"].set("0 dB")
      try await Task.sleep(for: .milliseconds(100))
    }
    try amps[1].loadState(from: folder)
    try await Task.sleep(for: .milliseconds(200))
    try engine.removeTap(tap)
    var sound = [[Float]](repeating: [], count: channels)
    for await buffer in tap { for channel in 0..<channels { sound[channel] += buffer.samples[channel] } }
    for samples in sound {
      #expect(samples.contains { abs($0 - 0.25) < 1e-4 })
      #expect(abs((samples.last ?? 0) - 0.025) < 1e-5)
      // The instances crossfade from 0.25 to 0.025 within 240 frames, without silence. When the test sets 0 dB the
      // amplifier jumps, but up.
      let falls = zip(samples, samples.dropFirst()).map { $0 - $1 }
      #expect((falls.max() ?? 1) < 0.225 / 240 * 1.01)
      #expect((samples.min() ?? 0) > 0.0249)
    }
  }
}
