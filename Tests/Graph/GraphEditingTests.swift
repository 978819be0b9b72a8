// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletGraph

/// A graph refuses invalid edits and stays unchanged.
@Suite struct GraphEditingTests {
  /// Expects the graph to refuse an edit with `error` and this message, and to stay unchanged.
  private func refuses(
    _ error: GraphError, _ words: String, in sketch: Sketch, _ edit: (inout Sketch) throws -> Void,
    at location: SourceLocation = #_sourceLocation
  ) {
    var edited = sketch
    #expect(throws: error, sourceLocation: location) { try edit(&edited) }
    #expect(edited.graph == sketch.graph, sourceLocation: location)
    #expect(error.description == words, sourceLocation: location)
  }

  /// `mic ──► gate ──► desk` and a MIDI input node.
  private func graphWithMicrophone() throws -> (
    sketch: Sketch, mic: NodeID, gate: NodeID, output: NodeID, keys: NodeID
  ) {
    var sketch = Sketch()
    let mic = try sketch.input("mic"), gate = try sketch.node("gate", inputs: [mono, mono])
    let output = try sketch.output("desk", 0, stereo), keys = try sketch.input("keys", 1, .events)
    try sketch.chain(mic, gate, output)
    return (sketch, mic, gate, output, keys)
  }

  @Test func `a node's name must be unique`() throws {
    let (sketch, _, gate, _, _) = try graphWithMicrophone()
    refuses(.duplicateName("gate"), "there is a node 'gate' already: choose another name", in: sketch) {
      _ = try $0.node("gate")
    }
    var freed = sketch
    try freed.graph.remove(gate)
    _ = try freed.node("gate")
    #expect(freed.graph.node(named: "gate")?.id != gate)
  }

  @Test func `nodes and taps of other graphs are refused`() throws {
    let (sketch, mic, gate, _, _) = try graphWithMicrophone()
    let stranger = NodeID(slot: 77), words = "the node is not in this graph: attach it first"
    refuses(.unknownNode(stranger), words, in: sketch) { try $0.wire(mic, stranger) }
    refuses(.unknownNode(stranger), words, in: sketch) { try $0.graph.remove(stranger) }
    refuses(.unknownNode(stranger), words, in: sketch) { try $0.graph.setBypass(true, of: stranger) }
    refuses(.unknownNode(stranger), words, in: sketch) { _ = try $0.graph.tap(stranger) }
    refuses(.unknownNode(stranger), words, in: sketch) { try $0.unwire(gate, stranger) }
    let tap = TapID(number: 5)
    refuses(.unknownTap(tap), "the tap is not in this graph: add it first", in: sketch) {
      try $0.graph.remove(tap)
    }
  }

  @Test func `buses and channels must exist`() throws {
    let (sketch, mic, gate, output, _) = try graphWithMicrophone()
    refuses(
      .unknownBus(node: "gate", bus: 2, isInput: true, count: 2), "'gate' has no input bus 2: it has 2",
      in: sketch
    ) { try $0.wire(Endpoint(mic), Endpoint(gate, bus: 2)) }
    refuses(
      .unknownBus(node: "mic", bus: -1, isInput: false, count: 1), "'mic' has no output bus -1: it has 1",
      in: sketch
    ) { try $0.wire(Endpoint(mic, bus: -1), Endpoint(gate)) }
    refuses(
      .unknownBus(node: "desk", bus: 0, isInput: false, count: 0), "'desk' has no output bus 0: it has 0",
      in: sketch
    ) { _ = try $0.graph.tap(output) }
    refuses(
      .unknownChannel(node: "desk", bus: 0, channel: 2, count: 2),
      "bus 0 of 'desk' has no channel 3: it has 2",
      in: sketch
    ) { try $0.wire(Endpoint(gate), Endpoint(output, channel: 2)) }
  }

  @Test func `a wire between samples and events is refused`() throws {
    let (sketch, mic, gate, _, keys) = try graphWithMicrophone()
    refuses(
      .mismatch(source: "keys", destination: "gate"),
      "cannot wire 'keys' to 'gate': one carries audio, the other events", in: sketch
    ) { try $0.wire(keys, gate) }
    refuses(
      .unknownChannel(node: "keys", bus: 0, channel: 0, count: 0),
      "bus 0 of 'keys' has no channel 1: it has 0",
      in: sketch
    ) { try $0.wire(Endpoint(keys, channel: 0), Endpoint(mic)) }
  }

  @Test func `two ends can be connected only once and disconnected only once`() throws {
    let (sketch, mic, gate, output, _) = try graphWithMicrophone()
    refuses(
      .duplicateWire(source: "mic", destination: "gate"),
      "'mic' is wired to 'gate' already: disconnect it first", in: sketch
    ) { try $0.wire(mic, gate) }
    refuses(
      .unknownWire(source: "mic", destination: "desk"), "'mic' is not wired to 'desk': connect it first",
      in: sketch
    ) {
      try $0.unwire(mic, output)
    }
    refuses(
      .unknownWire(source: "mic", destination: "desk"), "'mic' is not wired to 'desk': connect it first",
      in: sketch
    ) {
      try $0.graph.update(Graph.Wire(from: Endpoint(mic), to: Endpoint(output)))
    }
    var again = sketch
    try again.unwire(mic, gate)
    try again.wire(mic, gate)
    try again.graph.remove(gate)
    #expect(again.graph.wires.isEmpty)
  }

  @Test func `gain, pan, glide and feedback delay must be in range`() throws {
    let (sketch, mic, _, output, keys) = try graphWithMicrophone()
    let words =
      "the wire from 'mic' to 'desk' has a gain or trim above +60 dB, a pan outside −1 to 1, or a glide outside "
      + "0 s to 1 h"
    for (gain, pan) in [(61, 0), (.nan, 0), (.infinity, 0), (0, 1.1), (0, .nan)] as [(Float, Float)] {
      refuses(.badLevel(source: "mic", destination: "desk"), words, in: sketch) {
        try $0.wire(mic, output, gain: gain, pan: pan)
      }
    }
    refuses(
      .panNeedsStereo(destination: "desk"),
      "'desk' is not stereo: a pan needs a destination with two channels",
      in: sketch
    ) {
      let end = Endpoint(output, channel: 1)
      try $0.graph.connect(Graph.Wire(from: Endpoint(mic), to: end, pan: 0.5))
    }
    for frames in [15, 480_001, -1, .min] {
      refuses(
        .badFeedback(source: "mic", destination: "desk", frames: frames),
        "the feedback wire from 'mic' to 'desk' has a delay of \(frames) frames: "
          + "16 to 480000 are allowed, for audio only",
        in: sketch
      ) { try $0.wire(mic, output, feedback: frames) }
    }
    var events = sketch
    let out = try events.output("midi", 5, .events)
    #expect(throws: GraphError.badFeedback(source: "keys", destination: "midi", frames: 1024)) {
      try events.wire(keys, out, feedback: 1024)
    }
  }

  @Test func `a node must have the buses that its role requires`() throws {
    let sketch = Sketch(),
      words = "'x' has input or output buses that its role does not allow: change the buses or the role"
    let shapes: [(Graph.Role, [BusFormat], [BusFormat])] = [
      (.input(0), [mono], [mono]), (.input(0), [], []), (.input(-1), [], [mono]),
      (.output(0), [mono], [mono]),
      (.output(0), [], []), (.output(-2), [mono], []), (.mixer, [mono], [stereo]), (.mixer, [], []),
      (.mixer, [mono, mono], [mono, mono]),
    ]
    for (role, inputs, outputs) in shapes {
      refuses(.badShape(node: "x"), words, in: sketch) {
        _ = try $0.graph.add("x", role, inputs: inputs, outputs: outputs)
      }
    }
    for channels in [0, -1, 65, .max] {
      refuses(
        .channels(node: "x", channels), "'x' cannot have \(channels) channels: use 1 to 64", in: sketch
      ) { _ = try $0.mixer("x", .audio(channels: channels)) }
    }
  }

  @Test func `an error names a node without a processor, and the playing graph is kept`() throws {
    let rig = Rig()
    var sketch = Sketch()
    let tone = try sketch.source("tone", Emitter.constant(1))
    try sketch.chain(tone, try sketch.output())
    try rig.play(sketch)
    var broken = sketch
    _ = try broken.graph.add("lost", .processor, inputs: [], outputs: [mono])
    #expect(throws: GraphError.missingProcessor("lost")) { try rig.play(broken) }
    #expect(
      GraphError.missingProcessor("lost").description
        == "'lost' has no processor: attach it with its processor")
    #expect(rig.controller.graph == sketch.graph)
    #expect(rig.render(64) == Array(repeating: 1, count: 64))
  }

  //   1100 sources of 64 channels ──► one node, each into its own bus; a channel takes 32 KB for a block of 8192
  @Test func `a graph that needs more memory than a plan may use is refused`() throws {
    let wide = BusFormat.audio(channels: 64)
    let rig = Rig(longestBlock: 8192)
    var sketch = Sketch()
    let all = try sketch.node("all", inputs: Array(repeating: wide, count: 1100))
    for index in 0..<1100 {
      let source = try sketch.source("n\(index)", Emitter.constant(0), wide)
      try sketch.wire(Endpoint(source), Endpoint(all, bus: Bus(index: index)))
    }
    try sketch.wire(all, try sketch.output())
    #expect(throws: GraphError.tooLarge) { try rig.play(sketch) }
    #expect(
      GraphError.tooLarge.description
        == "the graph needs more memory than a plan may take: use fewer nodes or shorter latencies")
  }

  @Test func `a graph accepts 65536 nodes in its lifetime`() throws {
    var sketch = Sketch()
    for index in 0..<Graph.mostNodes { _ = try sketch.mixer("n\(index)") }
    #expect(throws: GraphError.tooLarge) { _ = try sketch.mixer("one too many") }
  }

  @Test func `graphs with equal contents are equal`() throws {
    let (sketch, _, _, _, _) = try graphWithMicrophone()
    var other = sketch
    let extra = try other.node("extra")
    #expect(other.graph != sketch.graph)
    try other.graph.remove(extra)
    #expect(other.graph == sketch.graph)
    try other.graph.setBypass(true, of: sketch.graph.nodes[1].id)
    #expect(other.graph != sketch.graph)
  }
}
