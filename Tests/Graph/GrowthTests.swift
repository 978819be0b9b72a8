// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Glibc
import SwiftletTimeline
import Testing

@testable import SwiftletGraph

/// The cost of ten times as many nodes, wires or lanes, in this thread's processor time: about ten times as much if
/// it grows in proportion, a hundred times as much if it grows with the square.
@Suite(.serialized) struct GrowthTests {
  /// Lies between 10, with room for n log n and for caches that are too small, and 100.
  private static let limit = 30.0

  /// Seconds of this thread's processor time that `body` takes.
  private func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = threadTime()
    try body()
    return threadTime() - start
  }

  /// Returns the ratio of the times that `body` takes for `10 * count` and for `count` elements, the best of three
  /// each.
  private func growth(from count: Int, _ body: (Sketch) throws -> Void, on make: (Int) throws -> Sketch)
    throws
    -> Double
  {
    let few = try make(count), many = try make(10 * count)
    func best(_ sketch: Sketch) throws -> Double {
      try (0..<3).map { _ in try seconds { try body(sketch) } }.min() ?? 0
    }
    return try best(many) / best(few)
  }

  //   mic ─► n0 ─► n1 ─► … ─► desk
  private func chain(_ count: Int) throws -> Sketch {
    var sketch = Sketch()
    let processor = Scale()
    var last = try sketch.input("mic")
    for index in 0..<count {
      let node = try sketch.node("n\(index)", processor)
      try sketch.wire(last, node)
      last = node
    }
    try sketch.wire(last, try sketch.output())
    return sketch
  }

  @Test func `the time to change, find and automate every wire is proportional to their number`() throws {
    let times = try growth(from: 800) { sketch in
      var graph = sketch.graph
      for wire in sketch.graph.wires {
        var louder = wire
        louder.gain = -6
        try graph.update(louder)
        try #require(graph.wire(wire.id)?.gain == -6)
        try graph.automate(Lane.Target(.wire(wire.id), .volume), with: Automation(0.5))
      }
      for wire in sketch.graph.wires {
        try #require(graph.lane(of: Lane.Target(.wire(wire.id), .volume)) != nil)
      }
    } on: {
      try chain($0)
    }
    #expect(times < Self.limit)
  }

  @Test func `the time to add and find a tap on every node is proportional to their number`() throws {
    let times = try growth(from: 800) { sketch in
      var graph = sketch.graph
      for node in sketch.graph.nodes where node.role == .processor {
        let tap = try graph.tap(node.id)
        try #require(graph.tap(tap)?.node == node.id)
      }
    } on: {
      try chain($0)
    }
    #expect(times < Self.limit)
  }

  //   n0 ─┐
  //    …  ├─► bus ─► desk      every wire panned by a lane
  //   n9 ─┘
  @Test func `the time to compile wires with pan lanes is proportional to their number`() throws {
    let times = try growth(from: 200) { sketch in
      _ = try sketch.plan()
    } on: { count in
      var sketch = Sketch()
      let bus = try sketch.mixer("bus", stereo)
      for index in 0..<count {
        let node = try sketch.node("n\(index)", inputs: [])
        let wire = try sketch.wire(node, bus)
        try sketch.graph.automate(Lane.Target(.wire(wire.id), .pan), with: Automation(0.5))
      }
      try sketch.wire(bus, try sketch.output("desk", 0, stereo))
      return sketch
    }
    #expect(times < Self.limit)
  }

  @Test func `the time of an edit of one wire is proportional to the size of the playing graph`() throws {
    func edit(_ count: Int) throws -> Double {
      var sketch = try chain(count)
      let rig = Rig(inputs: [mono], longestBlock: 64)
      try rig.play(sketch)
      rig.render(64)
      let ends = (sketch.graph.nodes[count / 2].id, sketch.graph.nodes[count / 2 + 2].id)
      return try (0..<3).map { _ in
        try sketch.wire(ends.0, ends.1)
        let seconds = try seconds { try rig.play(sketch) }
        rig.settle()
        try sketch.unwire(ends.0, ends.1)
        try rig.play(sketch)
        rig.settle()
        return seconds
      }.min() ?? 0
    }
    #expect(try edit(8000) / edit(800) < Self.limit)
  }

  @Test func `a plan that would be replaced before it plays is not compiled`() throws {
    var sketch = try chain(10)
    let rig = Rig(inputs: [mono], longestBlock: 64)
    try rig.play(sketch)
    rig.render(64)
    let before = rig.controller.compiledPlans
    try sketch.wire(sketch.graph.nodes[3].id, sketch.graph.nodes[6].id)
    try rig.play(sketch)
    // The check for errors, and the plan in which the wire fades in.
    #expect(rig.controller.compiledPlans == before + 2)
  }
}
