// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import Testing

@testable import Swiftlet

extension LiveTests {
  //  noise ──► plugin ──► desk
  //  noise ── inverted ──► desk
  @Test func `paths are aligned again after a plugin's latency has changed by a parameter, preset or state`()
    async throws
  {
    let folder = try LatePluginFolder()
    try folder.saveState(delay: LatencyChange.state.latency)
    let engine = try AudioEngine(.jack(name: "live-latency", server: server.name))
    defer { engine.close() }
    let noise = try engine.attachSource(channels: 1, state: UInt32(1), name: "noise") { seed, block in
      for frame in 0..<block.frameCount {
        seed = seed &* 1_664_525 &+ 1_013_904_223
        block.output()[0][frame] = Float(Int32(bitPattern: seed) >> 8) / 16_777_216
      }
    }
    let plugin = try folder.attach("late", to: engine)
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(noise, plugin, output)
    var dry = Graph.Wire(from: Endpoint(noise.id), to: Endpoint(output.id))
    dry.isInverted = true
    try engine.connect(dry)
    try engine.start()
    try await Task.sleep(for: .milliseconds(500))
    for change in LatencyChange.allCases + LatencyChange.allCases.reversed() {
      try change.apply(to: plugin, folder)
      try await Task.sleep(for: .milliseconds(1500))
      #expect(plugin.latency == change.latency, "\(change)")
      let taps = try [
        engine.installTap(on: output, side: .before, bufferSize: 4800),
        engine.installTap(on: plugin, bufferSize: 4800),
      ]
      try await Task.sleep(for: .milliseconds(400))
      var heard: [[Float]] = []
      for tap in taps {
        try engine.removeTap(tap)
        var samples: [Float] = []
        for await buffer in tap { samples += buffer.samples[0] }
        heard.append(samples)
      }
      #expect(heard[0].count > 4800 && heard[0].allSatisfy { $0 == 0 }, "\(change)")
      #expect((heard[1].map(abs).max() ?? 0) > 0.4, "the paths carry sound")
    }
  }
}
