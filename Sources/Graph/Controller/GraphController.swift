// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletSignal
import Synchronization

/// Makes a renderer run the most recently applied graph, with inaudible transitions.
///
/// An edit of a running graph uses two plans: one that contains the old and the new graph, in which removed elements
/// fade out and new ones fade in; and, once that has been rendered, a plan of the new graph alone. Edits that arrive
/// meanwhile wait and are merged.
///
/// Control threads: only one thread at a time may call it (the engine's lock). `tick` must be called every few
/// milliseconds while sound runs, and before each block offline.
@safe package final class GraphController {
  /// The renderer that runs the plans.
  package let renderer: Renderer
  /// The most recently applied graph.
  package private(set) var graph = Graph() { didSet { mayDiffer = true } }
  /// Whether a backend renders, so that edits fade; otherwise they apply immediately.
  package var isLive = false
  /// Whether the first sound fades in.
  private let fadesIn: Bool

  let store = ProcessorStore()
  private let orderedGraphs = OrderedGraphs()
  /// The graph that runs when all fades under way are done.
  var playing = Graph() { didSet { mayDiffer = true } }
  /// Whether `playing` may differ from `graph`. Comparing them takes longer than a
  /// block of a hundred small plugins.
  private var mayDiffer = false
  private var generation = 0
  /// Plans that the audio thread may hold, by address.
  private var heldPlans: [UnsafeMutableRawPointer: RenderPlan] = unsafe [:]
  var current: RenderPlan?
  /// The plan that must be rendered for a number of frames before the next, and the remaining steps of the transition.
  private var fading: (generation: Int, frames: Int)?
  private var steps: ArraySlice<GraphChange.TransitionStep> = []

  /// Changes for frames far ahead, sorted by frame.
  var later: [ParameterEvent] = []
  /// Changes that arrived while no node runs, in order of arrival.
  var eventsWhileAsleep: [ParameterEvent] = []
  /// Removed nodes whose changes the audio thread may drop.
  var gone: [NodeID] = []
  /// The slots of removed nodes for which the audio thread has been notified. A plan lists those that are in its graph
  /// again.
  var dismissed: Set<Int32> = []
  /// The number of compiled plans, including checks.
  private(set) var compiledPlans = 0
  /// Whether the store may hold objects that no graph needs.
  private var mayHoldMore = false

  /// The reporters with reports that have not been read.
  let reportList = ReportList()
  /// Reports that have not been requested yet.
  var unread: [RenderReport] = []
  /// Whether a processor's latency may differ from the one that the plan in use was compiled for.
  var latenciesMayDiffer = false

  /// The state of a suspension: the frame at which it was requested, and whether no node runs any more. Nil while
  /// running.
  var sleep: (since: Int64, isDeep: Bool)?

  /// Creates a controller with an empty graph.
  package init(sampleRate: Double, longestBlock: Int = 8192, fadesIn: Bool = true) {
    renderer = Renderer(sampleRate: sampleRate, longestBlock: longestBlock)
    self.fadesIn = fadesIn
  }

  deinit {
    // Nothing renders any more: the owner of the controller has stopped the backend. Plans free themselves.
    _ = unsafe renderer.exchange.publish(nil)
  }

  private var compiler: Compiler {
    Compiler(
      sampleRate: renderer.sampleRate, longestBlock: renderer.longestBlock, fadesIn: fadesIn, store: store,
      orderedGraphs: orderedGraphs, dismissed: dismissed, generation: generation + 1, adopted: adopted)
  }

  /// The generation of the plan in use with all changes sent to it; while some of these are pending, the generation
  /// before.
  private var adopted: Int {
    let adopted = renderer.generation.load(ordering: .acquiring)
    return renderer.moves.count() == 0 ? adopted : min(adopted, generation - 1)
  }

  /// The number of published plans.
  package var planNumber: Int { generation }
  /// The plan in use as text.
  package var planText: String { current?.text ?? "" }
  /// Warnings for the user about the plan in use.
  package var warnings: [String] { current?.warnings ?? [] }
  /// Returns the latency of a tap's source, in frames.
  package func latency(of tap: TapID) -> Int { current?.tapLatency[tap] ?? 0 }
  /// Returns the latency of an output node, in frames.
  package func latency(of output: NodeID) -> Int { current?.outputLatency[output] ?? 0 }

  /// Returns whether all recording taps have space for `frames` more frames. Control threads only.
  package func haveTapsRoom(for frames: Int) -> Bool {
    store.taps.values.allSatisfy { ($0 as? TapSink)?.hasRoom(for: frames) ?? true }
  }

  /// Returns the plan that `graph` would get, as text, without running it.
  ///
  /// - Throws: the same errors as `apply`.
  package static func planText(
    for graph: Graph, processors: [NodeID: Processor], sampleRate: Double
  ) throws(GraphError) -> String {
    let store = ProcessorStore()
    store.nodes = processors
    let compiler = Compiler(sampleRate: sampleRate, longestBlock: 64, fadesIn: false, store: store)
    return try compiler.plan(for: graph).text
  }

  /// Runs `graph` from now on. The processors of new nodes and taps must be supplied.
  ///
  /// - Throws: ``GraphError/cycle(_:)``, ``GraphError/missingProcessor(_:)``, ``GraphError/tooLarge``; nothing
  ///   changes then.
  package func apply(
    _ new: Graph, processors: [NodeID: Processor] = [:], taps: [TapID: Processor] = [:]
  ) throws(GraphError) {
    let before = (store.nodes, store.taps)
    store.nodes.merge(processors) { old, _ in old }
    for node in processors.keys {
      if let processor = store.nodes[node] { subscribe(to: processor, as: node) }
    }
    store.taps.merge(taps) { old, _ in old }
    do throws(GraphError) {
      // A change of levels alone cannot fail.
      if !new.differsInLevelsAlone(from: graph) { try compileTrial(of: new) }
    } catch {
      (store.nodes, store.taps) = before
      throw error
    }
    graph = new
    proceed()
  }

  /// Checks that `new` compiles, in a temporary store, so that a failure leaves no trace in the real one.
  private func compileTrial(of new: Graph) throws(GraphError) {
    let trial = ProcessorStore()
    trial.nodes = store.nodes
    trial.lanes = store.lanes
    compiledPlans += 1
    try Compiler(
      sampleRate: renderer.sampleRate, longestBlock: renderer.longestBlock, fadesIn: fadesIn, store: trial,
      orderedGraphs: orderedGraphs
    ).check(new)
  }

  /// Continues transitions, sends changes that come due, collects plans that the audio thread has released, and
  /// follows changed latencies.
  package func tick() {
    collect()
    gatherReports()
    store.releasePredecessors()
    sendDue()
    suspendNodes()
    if let fading {
      guard !isLive || hasRendered(fading.generation, frames: fading.frames) else { return }
      self.fading = nil
      beginNextStep()
    }
    proceed()
    guard fading == nil else { return }
    if sleep == nil { followLatencies() }
    if mayHoldMore, playsLatest() {
      mayHoldMore = false
      gone += store.prune(to: graph)
    }
  }

  /// Publishes a new plan if a processor's latency has changed, or if the held notes of removed wires are released.
  private func followLatencies() {
    guard let current, latenciesMayDiffer || current.hasReleases else { return }
    let adopted = adopted
    if current.hasReleased(adopted: adopted) || current.hasOtherLatencies {
      publish(playing, Compiler.Transition(isLive: isLive))
    } else {
      latenciesMayDiffer = false
    }
  }

  /// Whether all fades are done and all old plans are freed.
  package var isSettled: Bool { fading == nil && playsLatest() && (unsafe heldPlans.count) <= 1 }

  /// Returns whether the graph that runs is the most recently applied one.
  private func playsLatest() -> Bool {
    if mayDiffer { mayDiffer = playing != graph }
    return !mayDiffer
  }

  /// Returns whether the audio thread may run the processor of a node that is not in the most recently applied graph.
  package func mayRun(_ node: NodeID) -> Bool { store.nodes[node] != nil || !isSettled }

  /// Sets the loudness factor of all audio output nodes, 0...1; they glide to it within 200 ms. It also applies to
  /// output nodes that are added later.
  package func setLoudness(_ factor: Float) {
    store.loudness = factor.isNaN ? 1 : min(max(factor, 0), 1)
    for guarding in store.guards.values { guarding.setLoudness(store.loudness) }
  }

  /// The number of plans held: the one in use, one that waits, one that is spent.
  var planCount: Int { unsafe heldPlans.count }

  private func proceed() {
    guard fading == nil, !playsLatest() else { return }
    if !isDeepAsleep, move(to: graph) {
      playing = graph
      return
    }
    mayHoldMore = true
    if isDeepAsleep {
      // Nothing runs: the next plan starts from this graph.
      playing = graph
      return
    }
    guard isLive, !playing.nodes.isEmpty else {
      publish(graph, Compiler.Transition(isLive: false))
      playing = graph
      return
    }
    let change = GraphChange(from: playing, to: graph)
    steps = (change.needsBreak ? change.apart : change.together)[...]
    playing = graph
    if !beginNextStep() {
      steps = change.apart[...]
      beginNextStep()
    }
  }

  /// Publishes the next plan of the transition; if nothing renders, the last one immediately.
  @discardableResult private func beginNextStep() -> Bool {
    if !isLive { steps = steps.suffix(1) }
    guard let step = steps.popFirst() else { return true }
    if step.fades == 0, step.warmsUp, !steps.isEmpty {
      // If nothing has to fill with sound, the plan would be replaced before it is heard.
      guard let frames = try? compiler.warmUp(of: step.graph, step.transition) else { return false }
      if frames == 0 { return beginNextStep() }
    }
    guard publish(step.graph, step.transition) else { return false }
    let frames = step.fades * compiler.fadeFrames + (step.warmsUp ? current?.warmUp ?? 0 : 0)
    if frames == 0, !steps.isEmpty { return beginNextStep() }
    if frames > 0 { fading = (generation, frames) }
    return true
  }

  /// Cancels the fades under way, since they are not heard any more.
  func cutFades() {
    fading = nil
    steps = []
    playing = graph
  }

  /// Compiles and publishes a plan for `graph`; returns false if it cannot be compiled: the plan in use then stays.
  @discardableResult func publish(
    _ graph: Graph, _ transition: Compiler.Transition, isAsleep: Bool = false
  ) -> Bool {
    compiledPlans += 1
    guard let plan = try? compiler.plan(for: graph, transition) else { return false }
    generation += 1
    unsafe plan.memory.pointee.generation = generation
    unsafe plan.memory.pointee.isAsleep = isAsleep
    unsafe heldPlans[UnsafeMutableRawPointer(plan.memory)] = plan
    current = plan
    latenciesMayDiffer = true
    if let unused = unsafe renderer.exchange.publish(plan.memory) { unsafe heldPlans[unused] = nil }
    return true
  }

  private func collect() {
    if let spent = unsafe renderer.exchange.collect() { unsafe heldPlans[spent] = nil }
  }

  private func hasRendered(_ generation: Int, frames: Int) -> Bool {
    guard renderer.generation.load(ordering: .acquiring) >= generation else { return false }
    let start = renderer.adoptedAt.load(ordering: .relaxed)
    return renderer.renderedFrames.load(ordering: .acquiring) - start >= Int64(frames)
  }
}
