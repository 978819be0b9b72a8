// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Compiles a graph into a plan, in five passes: resolve, order, latency, buffers, emit.
///
/// Each pass has its own file. The same graph with the same latencies produces the same plan text. Control threads
/// only.
struct Compiler {
  /// The sample rate in Hz.
  let sampleRate: Double
  /// The longest block, in frames.
  let longestBlock: Int
  /// Whether the first output fades in, as it does live.
  let fadesIn: Bool
  /// The processors and other state that outlive a plan.
  let store: ProcessorStore
  /// Results of earlier passes that can be reused.
  var orderedGraphs = OrderedGraphs()
  /// The slots of removed nodes. The audio thread drops their events until a plan lists them as returning.
  var dismissed: Set<Int32> = []
  /// The generation of the new plan, and that of the plan in use.
  var generation = 1, adopted = 0

  /// The length of a fade between two plans, in frames.
  var fadeFrames: Int { Renderer.fadeFrames(at: sampleRate) }

  /// Wires and nodes that change while a plan is in use.
  struct Transition {
    /// Wires that start silent, and wires that stay silent for now.
    var entering: Set<Graph.Wire.ID> = [], held: Set<Graph.Wire.ID> = []
    /// Wires that fade to silence.
    var leaving: Set<Graph.Wire.ID> = []
    /// New wires and nodes that start at their target values, since they are not audible yet.
    var fresh: Set<Graph.Wire.ID> = [], freshNodes: Set<NodeID> = []
    /// Whether sound runs, so that changes must glide instead of jump.
    var isLive = false
  }

  /// Compiles a plan for `graph`.
  ///
  /// - Throws: ``GraphError/cycle(_:)``, ``GraphError/missingProcessor(_:)``, ``GraphError/tooLarge``.
  func plan(for graph: Graph, _ transition: Transition = Transition()) throws(GraphError) -> RenderPlan {
    let (parts, order) = try ordered(graph)
    let latency = latency(parts, order)
    try checkMemory(parts, latency)
    let schedule = try buffers(parts, order, latency, transition)
    return try emit(schedule, warmUp: warmUp(parts, order, latency, transition))
  }

  /// Returns the time that new nodes and held wires of a graph need to fill with sound, in frames, without compiling
  /// it.
  func warmUp(of graph: Graph, _ transition: Transition) throws(GraphError) -> Int {
    let (parts, order) = try ordered(graph)
    return warmUp(parts, order, latency(parts, order), transition)
  }

  /// Throws the error that ``plan(for:_:)`` would throw for a graph, without allocating a plan's memory.
  func check(_ graph: Graph) throws(GraphError) {
    let (parts, order) = try ordered(graph)
    let latency = latency(parts, order)
    try checkMemory(parts, latency)
    if !fitsSurely(parts) { _ = try slabSize(buffers(parts, order, latency, Transition())) }
  }
}
