// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Turns a graph into a plan, in five passes: resolve, order, latency, buffers, emit.
///
/// Each pass is a file. The same graph with the same latencies gives the same plan text. Control thread only.
struct Compiler {
  /// Frames a second.
  let sampleRate: Double
  /// The longest block that will be asked for, in frames.
  let longestBlock: Int
  /// Whether the first sound fades in: somebody listens.
  let fadesIn: Bool
  /// What outlives the plan.
  let store: ProcessorStore
  /// The number that the plan will have, and that of the plan which is played.
  var generation = 1, adopted = 0

  /// How long a fade between two plans takes.
  var fadeFrames: Int { Renderer.fadeFrames(at: sampleRate) }

  /// Wires that are on their way in or out while a plan plays.
  struct Transition {
    /// Wires that start silent, and those that stay so for now.
    var entering: Set<Wire.ID> = [], held: Set<Wire.ID> = []
    /// Wires that fade to silence.
    var leaving: Set<Wire.ID> = []
    /// Wires and nodes that were not there before, and start where they are
    /// meant to be: nobody hears them yet.
    var fresh: Set<Wire.ID> = [], freshNodes: Set<NodeID> = []
    /// Whether sound runs, so that changes glide rather than jump.
    var isLive = false

    /// Whether a wire comes, goes or waits.
    func moves(_ wire: Wire.ID) -> Bool {
      leaving.contains(wire) || entering.contains(wire) || held.contains(wire)
    }
  }

  /// The plan for `graph`.
  ///
  /// - Throws: ``GraphError/cycle(_:)``, ``GraphError/missingProcessor(_:)``, ``GraphError/tooLarge``.
  func plan(for graph: Graph, _ transition: Transition = Transition()) throws(GraphError) -> RenderPlan {
    let parts = try resolve(graph)
    let order = try order(parts)
    let latency = latency(parts, order)
    try checkMemory(parts, latency)
    let schedule = try buffers(parts, order, latency, transition)
    return try emit(schedule, warmUp: warmUp(parts, order, latency, transition))
  }

  /// Refuses delays that no memory could hold, before anything is made for them.
  private func checkMemory(_ parts: Parts, _ latency: Latency) throws(GraphError) {
    var frames = 0
    for (index, wire) in parts.graph.wires.enumerated() where latency.wire[index] > 0 {
      let node = parts.graph.nodes[parts.source(index)]
      let channels = node.outputs[wire.source.bus.index].channelCount
      frames +=
        channels
        * HistoryLine.size(
          longestDelay: WireProcessor.room(for: latency.wire[index]), longestBlock: longestBlock)
      guard frames <= Self.mostBytes / 4 else { throw .tooLarge }
    }
  }
}
