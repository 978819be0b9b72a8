// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletManifest
import Testing

/// Which manifests get the warning that a sound is heard twice, and which have parallel effects.
@Suite struct `Doubled sound in manifests` {
  /// Returns the warnings of a manifest with a microphone, a mixer `main`, an output, and the given additions.
  private func warnings(_ nodes: String, _ wires: [String], _ more: String = "") throws -> [String] {
    let lines = (["mic -> main -> desk"] + wires).map { "  - \($0)\n" }.joined()
    let text = """
      swiftlet: 1
      nodes:
        mic: capture
        main: { mixer: stereo }
        desk: playback
        \(nodes)
      wires:
      \(lines)
      \(more)
      """
    return try ManifestText(text, file: "a.yaml").check().warnings.map(\.message)
  }

  @Test(arguments: [
    "{ effect: delay }", "{ effect: delay, preset: slapback }", "{ effect: chorus, set: { mix: 50 % } }",
    "{ effect: reverb, preset: plate, set: { mix: 25 % } }", "{ effect: compressor, bypass: true }",
    "{ mixer: stereo }",
  ])
  func `a wire parallel to nodes that pass the dry signal on causes a warning`(node: String) throws {
    let found = try warnings("side: \(node)", ["mic -> side -> main"])
    #expect(found.count == 1)
    #expect(
      found.allSatisfy {
        $0.hasPrefix("'mic' is heard twice at 'main': directly, and through 'side'")
          && $0.contains("remove 'mic -> main'")
      }, "\(found)")
  }

  @Test(arguments: [
    // A send to an effect.
    ("{ effect: delay, set: { mix: 100 % } }", ["mic -> side -> main"]),
    // Parallel compression, a parallel filter.
    ("{ effect: compressor }", ["mic -> side -> main"]), ("{ effect: equalizer }", ["mic -> side -> main"]),
    // The preset sets more wet than dry signal.
    ("{ effect: chorus, preset: vibrato }", ["mic -> side -> main"]),
    // A level is set explicitly.
    ("{ effect: delay }", ["mic -> side", "side -> main: -12 dB"]),
    ("{ mixer: stereo, gain: -6 dB }", ["mic -> side -> main"]),
    // Into another output, or beside the main input.
    ("{ effect: delay }", ["mic -> side"]),
  ])
  func `parallel effects and sends cause no warning`(node: String, wires: [String]) throws {
    let found = try warnings("side: \(node)", wires).filter { $0.contains("twice") }
    #expect(found == [])
  }

  @Test func `an automated mix or wire causes no warning`() throws {
    for lane in [
      "side.mix: [ { at: 1 s, value: 100 % } ]", "\"mic->main.volume\": [ { at: 1 s, value: 0 } ]",
    ] {
      let more = "timeline:\n  lanes:\n    \(lane)\n"
      let found = try warnings("side: { effect: delay }", ["mic -> side -> main"], more)
      #expect(found.filter { $0.contains("twice") } == [], "\(lane)")
    }
  }

  @Test func `a chain of 2,000 nodes with parallel wires into one mixer is checked quickly`() throws {
    let count = 2000
    let nodes = (0..<count).map { "n\($0): { effect: delay }" }.joined(separator: "\n  ")
    let wires = (1..<count).map { "n\($0 - 1) -> n\($0)" } + (0..<count).map { "n\($0) -> main" }
    let start = ContinuousClock.now
    let found = try warnings(nodes, wires).filter { $0.contains("twice") }
    #expect(found.count > 10 && found.count <= 100)
    #expect(ContinuousClock.now - start < .seconds(30))
  }
}
