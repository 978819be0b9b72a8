// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTesting
import Synchronization
import Testing

@testable import SwiftletGraph

/// Ten thousand random edits of a playing graph of constants.
///
/// Since every source is constant, only the fades move the output. While a wire's factor moves in a straight line
/// over `n` frames, the output moves by at most (the wire's level) × (the weight of its end in the output) ÷ `n` per
/// frame. The sum of that over the edits of the last 5000 frames is the bound for a step between two frames.
@Suite struct RandomEditTests {
  private final class Weak {
    weak var object: AnyObject?
    init(_ object: AnyObject) { self.object = object }
  }

  private struct EditSimulation {
    let rig = Rig(sampleRate: 24_000, longestBlock: 256)
    var sketch = Sketch()
    var kinds: [NodeID: SteadyGraph.Kind] = [:]
    var lates: [NodeID: Processor] = [:]
    var made: [Weak] = [], plans: [Weak] = []
    var random: SeededGenerator
    /// How far each recent edit may move the output per frame.
    var moves: [(frame: Int64, step: Double)] = []
    var last: Float = 0
    var serial = 0

    init(seed: UInt64) throws {
      random = SeededGenerator(seed: seed)
      _ = try sketch.output()
    }

    mutating func pick(_ accepts: (Graph.Node) -> Bool = { _ in true }) -> NodeID? {
      sketch.graph.nodes.filter(accepts).randomElement(using: &random)?.id
    }

    /// Makes one random edit. Throws if the edit is invalid.
    mutating func edit() throws {
      serial += 1
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<15: try addSource()
      case 15..<35: try insert()
      case 35..<50: if sketch.graph.nodes.count > 4, let id = pick() { try sketch.graph.remove(id) }
      case 50..<65:
        guard let a = pick({ !$0.outputs.isEmpty }), let b = pick({ !$0.inputs.isEmpty }) else { return }
        try sketch.wire(a, b, gain: Float.random(in: -12...0, using: &random))
      case 65..<75:
        if let wire = sketch.graph.wires.randomElement(using: &random) {
          try sketch.graph.disconnect(wire.id)
        }
      case 75..<85:
        if var wire = sketch.graph.wires.randomElement(using: &random) {
          wire.gain = Bool.random(using: &random) ? 0 : Float.random(in: -20...0, using: &random)
          try sketch.graph.update(wire)
        }
      case 85..<92:
        if let id = pick({ $0.role == .processor }), let node = sketch.graph.node(id) {
          try sketch.graph.setBypass(!node.isBypassed, of: id)
        }
      case 92..<95: try swap()
      case 95..<97: if sketch.graph.nodes.count < 12 { _ = try sketch.output("out\(serial)", serial % 2) }
      default:
        lates.values.randomElement(using: &random)?.publish(latency: Int.random(in: 0..<300, using: &random))
      }
    }

    private mutating func addSource() throws {
      guard sketch.graph.nodes.count < 14, let target = pick({ !$0.inputs.isEmpty }) else { return }
      let value = Float.random(in: 0.2...1, using: &random)
      let source = try make("source\(serial)", Emitter.constant(value), inputs: [])
      kinds[source] = .constant(Double(value))
      try sketch.wire(source, target)
    }

    /// Inserts a node into a wire.
    private mutating func insert() throws {
      guard sketch.graph.nodes.count < 14, let wire = sketch.graph.wires.randomElement(using: &random) else {
        return
      }
      let node: NodeID
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        let factor = Float.random(in: 0.3...1, using: &random)
        node = try make("scale\(serial)", Scale(factor, worksInPlace: Bool.random(using: &random)))
        kinds[node] = .factor(Double(factor))
      case 1:
        let late = Late(Int.random(in: 0..<300, using: &random))
        node = try make("late\(serial)", late)
        kinds[node] = .factor(1)
        lates[node] = late
      default: node = try sketch.mixer("mixer\(serial)")
      }
      try sketch.graph.disconnect(wire.id)
      try sketch.wire(wire.source.node, node, gain: wire.gain)
      try sketch.wire(node, wire.destination.node)
    }

    /// Reverses a wire. Old and new wire together form a loop.
    private mutating func swap() throws {
      guard let wire = sketch.graph.wires.randomElement(using: &random) else { return }
      try sketch.graph.disconnect(wire.id)
      try sketch.wire(wire.destination.node, wire.source.node)
    }

    private mutating func make(_ name: String, _ processor: Processor, inputs: [BusFormat] = [mono]) throws
      -> NodeID
    {
      made.append(Weak(processor))
      return try sketch.node(name, processor, inputs: inputs)
    }

    /// Applies the sketch to the controller, and notes how far that may move the output.
    mutating func play() throws -> Bool {
      guard let output = SteadyGraph(sketch.graph, kinds).output(), output < 4 else { return false }
      let change = GraphChange(from: rig.controller.playing, to: sketch.graph)
      let old = Dictionary(uniqueKeysWithValues: rig.controller.playing.wires.map { ($0.id, $0) })
      let new = Dictionary(uniqueKeysWithValues: sketch.graph.wires.map { ($0.id, $0) })
      // If both together form a loop, they never play together.
      let both = SteadyGraph(change.union, kinds)
      let pictures =
        both.values() == nil
        ? [SteadyGraph(rig.controller.playing, kinds), SteadyGraph(sketch.graph, kinds)] : [both]
      var step = 0.0
      for picture in pictures {
        guard let values = picture.values(), let weights = picture.weights() else { continue }
        for id in Set(old.keys).union(new.keys) where old[id] != new[id] {
          let factor = max(old[id].map(SteadyGraph.factor) ?? 0, new[id].map(SteadyGraph.factor) ?? 0)
          step += (values[id.source.node] ?? 0) * (weights[id.destination.node] ?? 0) * factor
        }
        // A bypass moves between its node's input and output, neither above the values of its sources.
        for node in sketch.graph.nodes
        where rig.controller.playing.node(node.id)?.isBypassed != node.isBypassed {
          let input = sketch.graph.wires.filter { $0.destination.node == node.id }
            .reduce(0) { $0 + (values[$1.source.node] ?? 0) }
          step += max(input, values[node.id] ?? 0, 1) * (weights[node.id] ?? 0)
        }
      }
      // A smooth fade takes 240 frames, and is at most 1.5 times as steep as a line. If another fade interrupts it, its
      // speed and the rest of its distance add up.
      moves.append((rig.frame, step / 80))
      do {
        try rig.play(sketch)
      } catch is GraphError {
        return false
      }
      sketch.processors = [:]
      let graph = sketch.graph
      lates = lates.filter { graph.node($0.key) != nil }
      if let plan = rig.controller.current { plans.append(Weak(plan)) }
      return true
    }

    /// Makes one to three edits at once. Returns false if they were invalid, formed a loop or got too loud for the
    /// bounds of this test.
    mutating func attempt() throws -> Bool {
      let before = (sketch, kinds, lates)
      do {
        for _ in 0..<Int.random(in: 1...3, using: &random) { try edit() }
        if try play() { return true }
      } catch is GraphError {}
      (sketch, kinds, lates) = before
      return false
    }

    /// Renders, and compares every step with the bound.
    mutating func render(_ frames: Int, at location: SourceLocation = #_sourceLocation) {
      var left = frames
      while left > 0 {
        let block = min(left, Int.random(in: 1...256, using: &random))
        moves.removeAll { $0.frame < rig.frame - 5000 }
        let bound = Float(moves.reduce(0) { $0 + $1.step }) + 1e-4
        for sample in rig.render(block, block: block) {
          let step = abs(sample - last)
          if !(step <= bound) {
            Issue.record(
              "a step of \(step) at \(rig.frame), where \(bound) is allowed", sourceLocation: location)
          }
          last = sample
        }
        left -= block
      }
      #expect(rig.controller.planCount <= 3, sourceLocation: location)
    }
  }

  @Test(arguments: 0..<10) func `a thousand random edits make no click`(seed: UInt64) throws {
    var made: [Weak] = [], plans: [Weak] = []
    do {
      var player = try EditSimulation(seed: seed)
      #expect(try player.play())
      player.render(100)
      var done = 0
      while done < 1000 {
        if try player.attempt() { done += 1 }
        player.render(Int.random(in: 1...300, using: &player.random))
        if done % 40 == 0 {
          player.render(8000)
          #expect(player.rig.controller.isSettled)
          let expected = SteadyGraph(player.sketch.graph, player.kinds).output() ?? 0
          let heard = Double(player.rig.heard[0][0].last ?? 0)
          #expect(
            abs(heard - expected) < 1e-3,
            "after \(done) edits it plays \(heard) where \(expected) was asked for")
          let alive = player.made.filter { $0.object != nil }.count
          let wanted = player.sketch.graph.nodes.filter { $0.role == .processor }.count
          #expect(alive == wanted, "of the processors, \(alive) live where \(wanted) are wanted")
          let plans = Set(player.plans.compactMap { $0.object.map(ObjectIdentifier.init) })
          #expect(plans.count <= 1)
        }
      }
      (made, plans) = (player.made, player.plans)
    }
    #expect(made.allSatisfy { $0.object == nil }, "processors are freed")
    #expect(plans.allSatisfy { $0.object == nil }, "plans are freed")
  }
}
