// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

/// Plugins in separate processes, as a program attaches them.
@Suite struct PluginIsolationTests {
  private static let amplifier = "http://lv2plug.in/plugins/eg-amp"

  /// Returns the engine's output for one second of a ramp through the plugin.
  private func render(_ isolation: PluginNode.Isolation, inEdit: Bool) throws -> [Float] {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 1000))
    let input = try engine.attachInput(channels: 1), output = try engine.attachOutput(channels: 1)
    let plugin =
      if inEdit {
        try engine.edit { edit in
          try edit.attach(plugin: Self.amplifier, channels: 1, isolation: isolation, name: "amp")
        }
      } else {
        try engine.attach(plugin: Self.amplifier, channels: 1, isolation: isolation)
      }
    try engine.connect(input, plugin, output)
    try plugin.parameters["gain"].set("-6 dB")
    var sound: [Float] = []
    for block in 0..<48 {
      let samples = (0..<1000).map { Float(block * 1000 + $0) / 48_000 }
      sound += try engine.render(1000, from: [input: AudioBuffer([samples])])[output]?[0] ?? []
    }
    return sound
  }

  @Test(arguments: [PluginNode.Isolation.muting, .bypassing], [false, true])
  func `an isolated plugin sounds like one in the program's process`(
    _ isolation: PluginNode.Isolation, _ inEdit: Bool
  ) throws {
    let own = try render(.none, inEdit: inEdit)
    #expect(own.contains { $0 > 0.4 })
    #expect(try (render(isolation, inEdit: inEdit) == own) as Bool)
  }

  /// The processors that this thread may run on, as listed by the kernel.
  private var processors: String? {
    let status = try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
    return status?.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }.map(String.init)
  }

  @Test func `a thread that makes and renders an isolated plugin keeps its processor affinity`() throws {
    let before = try #require(processors)
    _ = try render(.muting, inEdit: false)
    #expect(processors == before)
  }
}
