// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Synchronization
import Testing

@testable import SwiftletGraph

/// Adoption of a new plan: the renderer first brings a large plan into the cache, one part in each cycle.
@Suite struct AdoptingTests {
  /// Returns a chain of `count` nodes that pass sound on unchanged.
  private func chain(_ count: Int) throws -> (sketch: Sketch, last: NodeID, output: NodeID) {
    var sketch = Sketch()
    let processor = Scale(1)
    var last = try sketch.input("mic")
    for index in 0..<count {
      let node = try sketch.node("n\(index)", processor)
      try sketch.wire(last, node)
      last = node
    }
    let output = try sketch.output()
    try sketch.wire(last, output)
    return (sketch, last, output)
  }

  /// Returns how many cycles pass before an edit of a graph with `count` nodes is heard, and the sound meanwhile.
  private func wait(for count: Int, isFreewheeling: Bool = false) throws -> (cycles: Int, sound: [Float]) {
    let rig = Rig(inputs: [.audio(channels: 1)])
    rig.source = { _, _, _ in 0.25 }
    rig.isFreewheeling = isFreewheeling
    let (sketch, last, _) = try chain(count)
    try rig.controller.apply(sketch.graph, processors: sketch.processors)
    rig.render(64)
    let first = rig.controller.renderer.generation.load(ordering: .relaxed)
    #expect(first == rig.controller.planNumber, "the first plays at once")
    rig.settle()
    var graph = sketch.graph
    let tap = try graph.tap(last)
    try rig.controller.apply(graph, taps: [tap: CaptureProcessor()])
    let asked = rig.controller.planNumber
    var cycles = 0
    rig.ticks = false
    while rig.controller.renderer.generation.load(ordering: .relaxed) < asked, cycles < 1000 {
      rig.render(64)
      cycles += 1
    }
    rig.ticks = true
    rig.settle()
    return (cycles, rig.heard[0][0])
  }

  @Test func `an edit of a graph with a hundred nodes takes effect in the next cycle`() throws {
    #expect(try wait(for: 100).cycles == 1)
  }

  @Test func `sound continues while an edit of a graph with ten thousand nodes waits a few cycles`() throws {
    let (cycles, sound) = try wait(for: 10_000)
    #expect(2...40 ~= cycles)
    #expect(sound.allSatisfy { $0 == 0.25 })
  }

  @Test func `while freewheeling, an edit of a graph of any size takes effect in the next cycle`() throws {
    #expect(try wait(for: 10_000, isFreewheeling: true).cycles == 1)
  }
}
