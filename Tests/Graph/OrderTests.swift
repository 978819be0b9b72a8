// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletGraph

/// Pass 2: the order of nodes.
@Suite struct OrderTests {
  //   dry ──► echo ──► out
  //     └───────────────┘
  @Test func `a node runs after all its sources, whatever the order in which nodes were added`() throws {
    for order in permutations([0, 1, 2]) {
      var sketch = Sketch()
      var nodes: [Int: NodeID] = [:]
      for index in order { nodes[index] = try sketch.node(["dry", "echo", "out"][index]) }
      guard let dry = nodes[0], let echo = nodes[1], let out = nodes[2] else { continue }
      try sketch.chain(dry, echo, out)
      try sketch.wire(dry, out)
      #expect(try sketch.steps().filter { !$0.hasPrefix("wire") } == ["dry", "echo", "out"])
    }
  }

  //   a ──┐
  //   b ──┼──► mix
  //   c ──┘
  @Test func `nodes without wires between them keep the order in which they were added`() throws {
    var sketch = Sketch()
    let c = try sketch.node("c"), a = try sketch.node("a"), mix = try sketch.node("mix"),
      b = try sketch.node("b")
    for node in [b, a, c] { try sketch.wire(node, mix) }
    #expect(try sketch.steps().filter { !$0.hasPrefix("wire") } == ["c", "a", "b", "mix"])
  }

  //   a ─► b ─► c        x ─► y
  @Test func `the order of wires changes only the order of mixing`() throws {
    let ends = [(0, 1), (1, 2), (3, 4), (0, 4), (2, 4)]
    var plans: Set<[String]> = []
    for order in permutations(Array(ends.indices)) {
      var sketch = Sketch()
      let nodes = try ["a", "b", "c", "x", "y"].map { try sketch.node($0) }
      for index in order { try sketch.wire(nodes[ends[index].0], nodes[ends[index].1]) }
      plans.insert(try sketch.steps().filter { !$0.hasPrefix("wire") })
    }
    #expect(plans == [["a", "b", "c", "x", "y"]])
  }

  //   ┌──────────────┐
  //   └► echo ─► gate┘
  @Test func `a loop is refused, and the error names its nodes in signal direction`() throws {
    var sketch = Sketch()
    let mic = try sketch.input("mic"), echo = try sketch.node("echo"), gate = try sketch.node("gate")
    let output = try sketch.output()
    try sketch.chain(mic, echo, gate, output)
    try sketch.wire(gate, echo)
    #expect(throws: GraphError.cycle(["echo", "gate", "echo"])) { try sketch.steps() }
    #expect(
      GraphError.cycle(["echo", "gate", "echo"]).description
        == "nodes feed back into each other: echo → gate → echo; mark one wire as feedback")
  }

  //   ┌──────┐
  //   └► echo┘
  @Test func `a node wired to itself is a loop of one`() throws {
    var sketch = Sketch()
    let echo = try sketch.node("echo")
    try sketch.wire(echo, echo)
    #expect(throws: GraphError.cycle(["echo", "echo"])) { try sketch.steps() }
  }

  //   ┌───────────────────────┐           a feedback wire closes the outer loop,
  //   └► a ─► b ─► c ─► d ────┘ feedback  b and c form a loop without feedback
  //           └◄───┘
  @Test func `a loop without feedback is refused inside a feedback loop`() throws {
    var sketch = Sketch()
    let nodes = try ["a", "b", "c", "d"].map { try sketch.node($0) }
    try sketch.chain(nodes[0], nodes[1], nodes[2], nodes[3])
    try sketch.wire(nodes[3], nodes[0], feedback: 1024)
    try sketch.wire(nodes[2], nodes[1])
    #expect(throws: GraphError.cycle(["b", "c", "b"])) { try sketch.steps() }
  }

  //   a ─► x ─► y ─► out     x and y feed back; b was added between them
  //        └◄───┘ feedback
  //   b ─► out
  @Test func `nodes of one feedback loop are contiguous`() throws {
    var sketch = Sketch()
    let a = try sketch.node("a"), x = try sketch.node("x"), b = try sketch.node("b"), y = try sketch.node("y")
    let out = try sketch.node("out")
    try sketch.chain(a, x, y, out)
    try sketch.wire(y, x, feedback: 512)
    try sketch.wire(b, out)
    let steps = try sketch.steps().filter { !$0.hasPrefix("wire") }
    #expect(steps == ["a", "return y 512 late", "x", "y", "send back y", "b", "out"])
  }

  //   a ─► b        c ─► d        e
  @Test func `unconnected parts of a graph all run`() throws {
    var sketch = Sketch()
    let nodes = try ["a", "b", "c", "d", "e"].map { try sketch.node($0) }
    try sketch.wire(nodes[0], nodes[1])
    try sketch.wire(nodes[2], nodes[3])
    #expect(try sketch.steps() == ["a", "b", "c", "d", "e"])
  }
}

/// All permutations of `things`.
func permutations<Thing>(_ things: [Thing]) -> [[Thing]] {
  guard things.count > 1 else { return [things] }
  return things.indices.flatMap { index in
    var rest = things
    let first = rest.remove(at: index)
    return permutations(rest).map { [first] + $0 }
  }
}
