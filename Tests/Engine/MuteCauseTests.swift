// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletGraph
import SwiftletSignal
import Synchronization
import Testing

@testable import Swiftlet

/// Reports of a muted playback node whose fault was over before the cause was found.
@Suite struct MuteCauseTests {
  /// Renders silent blocks with one bad sample, and returns the events that name nodes.
  private func named(behind plugin: String?, seconds: Int, closes: Bool = false) throws -> [String] {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 480))
    let one = try engine.attach(
      .source(channels: 1) { block in
        let bus = block.output()
        for frame in 0..<block.frameCount { bus[0][frame] = block.frame + Int64(frame) == 1447 ? .nan : 0 }
      }, name: "one")
    let other = try engine.attach(.capture(channels: 1), name: "other")
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    let folder = try LatePluginFolder()
    if let plugin {
      try engine.connect(one, try folder.attach("late", to: engine, as: plugin), output)
    } else {
      try engine.connect(one, output)
    }
    try engine.connect(other, try engine.attach(.mixer(channels: 1), name: "mixer"), output)
    let found = Mutex<[String]>([])
    let observation = engine.observe { event in
      switch event {
      case .muted(let node, _): found.withLock { $0.append("muted \(node)") }
      case .culprit(let node): found.withLock { $0.append("culprit \(node)") }
      case .suspects(let nodes): found.withLock { $0.append("suspects \(nodes.joined(separator: " "))") }
      default: break
      }
    }
    for _ in 0..<seconds * 100 { _ = try engine.render(480) }
    if closes { engine.close() }
    withExtendedLifetime(observation) {}
    return found.withLock { $0 }
  }

  @Test func `without plugins, all nodes except mixers are suspects after one second`() throws {
    #expect(try named(behind: nil, seconds: 1) == ["muted desk"])
    #expect(try named(behind: nil, seconds: 2) == ["muted desk", "suspects one other"])
  }

  @Test func `only plugins are suspects, at the latest when the engine is closed`() throws {
    #expect(try named(behind: "p", seconds: 1, closes: true) == ["muted desk", "suspects p"])
  }
}
