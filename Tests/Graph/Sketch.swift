// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

@testable import SwiftletGraph

let mono = BusFormat.audio(channels: 1), stereo = BusFormat.audio(channels: 2)

/// A graph with its processors.
struct Sketch {
  var graph = Graph()
  var processors: [NodeID: Processor] = [:]
  var taps: [TapID: Processor] = [:]

  mutating func input(_ name: String, _ number: Int = 0, _ format: BusFormat = mono) throws -> NodeID {
    try graph.add(name, .input(number), inputs: [], outputs: [format])
  }

  mutating func output(_ name: String = "desk", _ number: Int = 0, _ format: BusFormat = mono) throws
    -> NodeID
  {
    try graph.add(name, .output(number), inputs: [format], outputs: [])
  }

  mutating func mixer(_ name: String, _ format: BusFormat = mono) throws -> NodeID {
    try graph.add(name, .mixer, inputs: [format], outputs: [format])
  }

  mutating func node(
    _ name: String, _ processor: Processor = Scale(), inputs: [BusFormat] = [mono],
    outputs: [BusFormat] = [mono]
  ) throws -> NodeID {
    let id = try graph.add(name, .processor, inputs: inputs, outputs: outputs)
    processors[id] = processor
    return id
  }

  /// Adds a node without inputs.
  mutating func source(_ name: String, _ processor: Processor, _ format: BusFormat = mono) throws -> NodeID {
    try node(name, processor, inputs: [], outputs: [format])
  }

  @discardableResult mutating func wire(
    _ source: NodeID, _ destination: NodeID, gain: Float = 0, pan: Float? = nil, feedback: Int? = nil
  ) throws -> Graph.Wire {
    let wire = Graph.Wire(
      from: Endpoint(source), to: Endpoint(destination), gain: gain, pan: pan, feedback: feedback)
    try graph.connect(wire)
    return wire
  }

  mutating func wire(_ source: Endpoint, _ destination: Endpoint) throws {
    try graph.connect(Graph.Wire(from: source, to: destination))
  }

  /// Wires each node to the next.
  mutating func chain(_ nodes: NodeID...) throws {
    for (source, destination) in zip(nodes, nodes.dropFirst()) { try wire(source, destination) }
  }

  mutating func unwire(_ source: NodeID, _ destination: NodeID) throws {
    try graph.disconnect(Graph.Wire.ID(source: Endpoint(source), destination: Endpoint(destination)))
  }

  mutating func tap(_ node: NodeID, _ side: Graph.Tap.Side = .after, _ capture: CaptureProcessor) throws
    -> TapID
  {
    let id = try graph.tap(node, side)
    taps[id] = capture
    return id
  }

  /// Returns the plan as text, without its first line.
  func plan() throws -> String {
    try GraphController.planText(for: graph, processors: processors, sampleRate: 48_000)
      .split(separator: "\n").dropFirst().joined(separator: "\n")
  }

  /// Returns the names of the steps, in order.
  func steps() throws -> [String] {
    let store = ProcessorStore()
    store.nodes = processors
    store.taps = taps
    return try Compiler(sampleRate: 48_000, longestBlock: 64, fadesIn: false, store: store).plan(for: graph)
      .labels
  }
}

extension Rig {
  func play(_ sketch: Sketch) throws {
    try controller.apply(sketch.graph, processors: sketch.processors, taps: sketch.taps)
  }
}
