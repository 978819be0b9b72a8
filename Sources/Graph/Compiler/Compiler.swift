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
  /// The results of earlier passes that can be used again.
  var orderedGraphs = OrderedGraphs()
  /// The slots of removed nodes. The audio thread drops their events until a plan lists them as returning.
  var dismissed: Set<Int32> = []
  /// The number that the plan will have, and that of the plan which is played.
  var generation = 1, adopted = 0

  /// How long a fade between two plans takes.
  var fadeFrames: Int { Renderer.fadeFrames(at: sampleRate) }

  /// Wires that are on their way in or out while a plan plays.
  struct Transition {
    /// Wires that start silent, and those that stay so for now.
    var entering: Set<Graph.Wire.ID> = [], held: Set<Graph.Wire.ID> = []
    /// Wires that fade to silence.
    var leaving: Set<Graph.Wire.ID> = []
    /// Wires and nodes that were not there before, and start where they are
    /// meant to be: nobody hears them yet.
    var fresh: Set<Graph.Wire.ID> = [], freshNodes: Set<NodeID> = []
    /// Whether sound runs, so that changes glide rather than jump.
    var isLive = false
  }

  /// The plan for `graph`.
  ///
  /// - Throws: ``GraphError/cycle(_:)``, ``GraphError/missingProcessor(_:)``, ``GraphError/tooLarge``.
  func plan(for graph: Graph, _ transition: Transition = Transition()) throws(GraphError) -> RenderPlan {
    let (parts, order) = try ordered(graph)
    let latency = latency(parts, order)
    try checkMemory(parts, latency)
    let schedule = try buffers(parts, order, latency, transition)
    return try emit(schedule, warmUp: warmUp(parts, order, latency, transition))
  }

  /// How long new nodes and held wires of a graph take to fill with sound, in frames, without compiling it.
  func warmUp(of graph: Graph, _ transition: Transition) throws(GraphError) -> Int {
    let (parts, order) = try ordered(graph)
    return warmUp(parts, order, latency(parts, order), transition)
  }

  /// Throws what ``plan(for:_:)`` would throw for a graph, without the memory that a plan takes.
  func check(_ graph: Graph) throws(GraphError) {
    let (parts, order) = try ordered(graph)
    let latency = latency(parts, order)
    try checkMemory(parts, latency)
    if !fitsSurely(parts) { _ = try slabSize(buffers(parts, order, latency, Transition())) }
  }
}
