// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTesting
import SwiftletTimeline
import Synchronization
import Testing

@testable import SwiftletGraph

/// The position of a sum's wires in a plan, and the buffers that it saves.
@Suite struct MixingOrderTests {
  private func schedule(_ sketch: Sketch) throws -> Schedule {
    let store = ProcessorStore()
    store.nodes = sketch.processors
    store.taps = sketch.taps
    let compiler = Compiler(sampleRate: 48_000, longestBlock: 64, fadesIn: false, store: store)
    let parts = try compiler.resolve(sketch.graph), order = try compiler.order(parts)
    return try compiler.buffers(parts, order, compiler.latency(parts, order), .init())
  }

  //   mic ─┬─► n0 ─┬─► bus ──► desk
  //        ├─► n1 ─┤
  //        …       …
  @Test func `parallel nodes share a buffer, however many there are`() throws {
    for count in [2, 100] {
      var sketch = Sketch()
      let mic = try sketch.input("mic"), bus = try sketch.mixer("bus")
      for index in 0..<count { try sketch.chain(mic, try sketch.node("n\(index)"), bus) }
      try sketch.wire(bus, try sketch.output())
      #expect(try schedule(sketch).bufferCount == 2)
    }
  }

  //   mic ──► n0 ──► n1 ──► n2 …     each of them is also wired to the bus
  @Test func `a chain whose nodes all feed one mixer needs three buffers`() throws {
    var sketch = Sketch()
    let bus = try sketch.mixer("bus")
    var last = try sketch.input("mic")
    for index in 0..<100 {
      let node = try sketch.node("n\(index)")
      try sketch.chain(last, node, bus)
      last = node
    }
    try sketch.wire(bus, try sketch.output())
    #expect(try schedule(sketch).bufferCount == 3)
  }

  //   a ──┐          the wire from b was made first
  //   b ──┴──► desk
  @Test func `a sum adds its wires in the order in which they were made`() throws {
    var sketch = Sketch()
    let mic = try sketch.input("mic"), a = try sketch.node("a"), b = try sketch.node("b")
    let c = try sketch.node("c"), output = try sketch.output()
    for node in [a, b, c] { try sketch.wire(mic, node) }
    for node in [b, a, c] { try sketch.wire(node, output) }
    #expect(
      try sketch.steps() == [
        "a", "b", "wire b -> desk", "wire a -> desk", "c", "wire c -> desk", "send out desk",
      ])
  }

  //   a ──┬─► m0 ──► n0 ──► o0
  //   b ──┼─► m1 ──► n1 ──► o1        two sources, many sums
  //       …
  @Test func `sums of few sources are scheduled where they are needed`() throws {
    var sketch = Sketch()
    let mic = try sketch.input("mic"), a = try sketch.node("a"), b = try sketch.node("b")
    for node in [a, b] { try sketch.wire(mic, node) }
    for index in 0..<20 {
      let mixer = try sketch.mixer("m\(index)")
      for node in [a, b] { try sketch.wire(node, mixer) }
      try sketch.chain(mixer, try sketch.node("n\(index)"), try sketch.output("o\(index)", index))
    }
    #expect(try schedule(sketch).bufferCount <= 5)
  }

  @Test(arguments: 0..<40) func `a plan has at most as many buffers as the bound for its graph`(seed: Int)
    throws
  {
    var random = SeededGenerator(seed: UInt64(seed))
    var sketch = try randomSketch(nodes: 40, wires: 80, using: &random)
    for wire in sketch.graph.wires {
      guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
      let tap = try sketch.graph.tap(wire.id, Bool.random(using: &random) ? .before : .after)
      sketch.taps[tap] = CaptureProcessor()
      try sketch.graph.automate(.init(.wire(wire.id), .volume), with: Automation(0.5))
      try sketch.graph.automate(.init(.node(wire.source.node), .volume), with: Automation(0.5))
    }
    let store = ProcessorStore()
    store.nodes = sketch.processors
    let compiler = Compiler(sampleRate: 48_000, longestBlock: 64, fadesIn: false, store: store)
    let most = try compiler.mostBuffers(compiler.resolve(sketch.graph))
    #expect(try schedule(sketch).bufferCount <= most ?? 0)
  }

  @Test(arguments: 0..<20)
  func `a plan from cached results equals a plan compiled from scratch`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var sketch = try randomSketch(nodes: 40, wires: 80, using: &random)
    let store = ProcessorStore(), ordered = OrderedGraphs()
    store.nodes = sketch.processors
    func text(_ graph: Graph, _ ordered: OrderedGraphs) throws -> String {
      try Compiler(
        sampleRate: 48_000, longestBlock: 64, fadesIn: false, store: store, orderedGraphs: ordered
      ).plan(for: graph).text
    }
    var graphs = [sketch.graph]
    for _ in 0..<30 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        if let wire = sketch.graph.wires.randomElement(using: &random) {
          try sketch.graph.disconnect(wire.id)
        }
      case 1:
        if let node = sketch.graph.nodes.randomElement(using: &random) {
          store.nodes[node.id]?.publish(latency: Int.random(in: 0..<300, using: &random))
        }
      case 2:
        if var wire = sketch.graph.wires.randomElement(using: &random) {
          wire.gain = Float.random(in: -20...0, using: &random)
          try sketch.graph.update(wire)
        }
      default:
        let ends = (0..<2).compactMap { _ in sketch.graph.nodes.randomElement(using: &random)?.id }.sorted()
        if ends[0] != ends[1] { _ = try? sketch.wire(ends[0], ends[1]) }
      }
      graphs = graphs.suffix(2) + [sketch.graph]
      // Also the graph before the last edit, as the transition steps of an edit do.
      for graph in graphs { #expect(try text(graph, ordered) == text(graph, OrderedGraphs())) }
    }
  }
}
