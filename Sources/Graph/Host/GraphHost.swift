// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletSignal
import Synchronization

/// Keeps a renderer playing the graph that was asked for last, and makes the way there inaudible.
///
/// An edit of a running graph is two plans: one that holds old and new, in which what goes fades
/// out and what comes fades in, and, once that has been rendered, the new graph alone. Edits that
/// arrive meanwhile wait and merge.
///
/// Control thread: call from one thread at a time (the engine's lock). `tick` is called every few
/// milliseconds while sound runs, and before each block offline.
@safe package final class GraphHost {
  /// What plays the plans.
  package let renderer: Renderer
  /// The graph that was asked for last.
  package private(set) var graph = Graph() { didSet { mayDiffer = true } }
  /// Whether somebody renders, so that edits fade; where nobody does, they apply at once.
  package var isLive = false
  /// Whether the first sound fades in.
  private let fadesIn: Bool

  let store = ProcessorStore()
  private let orderedGraphs = OrderedGraphs()
  /// The graph that plays when all fades under way are done.
  var playing = Graph() { didSet { mayDiffer = true } }
  /// Whether `playing` may differ from `graph`. To compare them costs more than a block of a hundred small plugins.
  private var mayDiffer = false
  private var generation = 0
  /// Plans that the audio thread may hold, by address.
  private var flying: [UnsafeMutableRawPointer: RenderPlan] = unsafe [:]
  var current: RenderPlan?
  /// The plan that must be heard for so many frames before the next, and what comes then.
  private var hearing: (generation: Int, frames: Int)?
  private var stages: ArraySlice<GraphChange.Stage> = []

  /// Changes for frames far ahead, in the order of their frames.
  var later: [ParameterEvent] = []
  /// Changes that came while no node runs, in the order they came.
  var heldBack: [ParameterEvent] = []
  /// Nodes that are gone, whose changes the audio thread need not keep.
  var gone: [NodeID] = []
  /// The slots of nodes that the audio thread was told to be removed. A plan lists those that are in its graph again.
  var dismissed: Set<Int32> = []
  /// How many plans were compiled, trials among them.
  private(set) var compiledPlans = 0
  /// Whether the store may hold what no graph needs.
  private var mayHoldMore = false

  /// Who has something to report.
  let reportList = ReportList()
  /// What was reported and nobody has asked for.
  var unread: [RenderReport] = []
  /// Whether a processor may have another latency than the plan in use was compiled for.
  var latenciesMayDiffer = false

  /// Whether silence was asked for, since which frame, and whether nothing runs any more.
  var sleep: (since: Int64, isDeep: Bool)?

  /// A host that plays nothing yet.
  package init(sampleRate: Double, longestBlock: Int = 8192, fadesIn: Bool = true) {
    renderer = Renderer(sampleRate: sampleRate, longestBlock: longestBlock)
    self.fadesIn = fadesIn
  }

  deinit {
    // Nobody renders any more: whoever owns the host has stopped the backend. Plans free themselves.
    _ = unsafe renderer.exchange.publish(nil)
  }

  private var compiler: Compiler {
    Compiler(
      sampleRate: renderer.sampleRate, longestBlock: renderer.longestBlock, fadesIn: fadesIn, store: store,
      orderedGraphs: orderedGraphs, dismissed: dismissed, generation: generation + 1, adopted: adopted)
  }

  /// The plan that is played, with all that was sent to it; where something of that is still on its way, the one
  /// before it.
  private var adopted: Int {
    let adopted = renderer.generation.load(ordering: .acquiring)
    return renderer.moves.count() == 0 ? adopted : min(adopted, generation - 1)
  }

  /// Counts the plans that were published.
  package var planNumber: Int { generation }
  /// The plan in use as text.
  package var planText: String { current?.text ?? "" }
  /// What the user should know of the plan in use.
  package var warnings: [String] { current?.warnings ?? [] }
  /// How late a tap hears its source, in frames.
  package func latency(of tap: TapID) -> Int { current?.tapLatency[tap] ?? 0 }
  /// How late a way out plays its source, in frames.
  package func latency(of output: NodeID) -> Int { current?.outputLatency[output] ?? 0 }

  /// The plan that `graph` would get, as text, without running it.
  ///
  /// - Throws: as `apply`.
  package static func planText(
    for graph: Graph, processors: [NodeID: Processor], sampleRate: Double
  ) throws(GraphError) -> String {
    let store = ProcessorStore()
    store.nodes = processors
    let compiler = Compiler(sampleRate: sampleRate, longestBlock: 64, fadesIn: false, store: store)
    return try compiler.plan(for: graph).text
  }

  /// Plays `graph` from now on. New nodes and taps bring their processors.
  ///
  /// - Throws: ``GraphError/cycle(_:)``, ``GraphError/missingProcessor(_:)``,
  ///   ``GraphError/tooLarge``; then all stays.
  package func apply(
    _ new: Graph, processors: [NodeID: Processor] = [:], taps: [TapID: Processor] = [:]
  ) throws(GraphError) {
    let before = (store.nodes, store.taps)
    store.nodes.merge(processors) { old, _ in old }
    for node in processors.keys { if let processor = store.nodes[node] { listen(to: processor, as: node) } }
    store.taps.merge(taps) { old, _ in old }
    do throws(GraphError) {
      // Where only levels are different, nothing can fail.
      if !new.differsInLevelsAlone(from: graph) { try compileTrial(of: new) }
    } catch {
      (store.nodes, store.taps) = before
      throw error
    }
    graph = new
    proceed()
  }

  /// All that can fail fails here, in a trial that leaves no trace in the store's wires.
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

  /// Carries on with fades, sends changes that come due, collects what the audio thread has let go of, and
  /// follows changed latencies.
  package func tick() {
    collect()
    gatherReports()
    store.releaseHeritage()
    sendDue()
    fallAsleep()
    if let hearing {
      guard !isLive || hasRendered(hearing.generation, frames: hearing.frames) else { return }
      self.hearing = nil
      nextStage()
    }
    proceed()
    guard hearing == nil else { return }
    if sleep == nil { followLatencies() }
    if mayHoldMore, playsLatest() {
      mayHoldMore = false
      gone += store.prune(to: graph)
    }
  }

  /// Publishes the plan anew where a processor's latency is no longer what it was compiled for, or where the notes of
  /// wires that have gone are released.
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
  package var isSettled: Bool { hearing == nil && playsLatest() && (unsafe flying.count) <= 1 }

  /// Whether the graph that plays is the one that was set last.
  private func playsLatest() -> Bool {
    if mayDiffer { mayDiffer = playing != graph }
    return !mayDiffer
  }

  /// Whether the audio thread may run the processor of a node that is not in the graph that was asked for last.
  package func mayRun(_ node: NodeID) -> Bool { store.nodes[node] != nil || !isSettled }

  /// How many plans are held: the one in use, one that waits, one that is spent.
  var planCount: Int { unsafe flying.count }

  private func proceed() {
    guard hearing == nil, !playsLatest() else { return }
    if !isDeepAsleep, move(to: graph) {
      playing = graph
      return
    }
    mayHoldMore = true
    if isDeepAsleep {
      // Nothing runs: the next plan starts from here.
      playing = graph
      return
    }
    guard isLive, !playing.nodes.isEmpty else {
      publish(graph, Compiler.Transition(isLive: false))
      playing = graph
      return
    }
    let change = GraphChange(from: playing, to: graph)
    stages = (change.needsBreak ? change.apart : change.together)[...]
    playing = graph
    if !nextStage() {
      stages = change.apart[...]
      nextStage()
    }
  }

  /// Publishes the next plan of the way to the graph that was asked for; where
  /// nobody listens, the last at once.
  @discardableResult private func nextStage() -> Bool {
    if !isLive { stages = stages.suffix(1) }
    guard let stage = stages.popFirst() else { return true }
    if stage.fades == 0, stage.warmsUp, !stages.isEmpty {
      // Where nothing has to fill with sound, the plan would be replaced before anybody hears it.
      guard let frames = try? compiler.warmUp(of: stage.graph, stage.transition) else { return false }
      if frames == 0 { return nextStage() }
    }
    guard publish(stage.graph, stage.transition) else { return false }
    let frames = stage.fades * compiler.fadeFrames + (stage.warmsUp ? current?.warmUp ?? 0 : 0)
    if frames == 0, !stages.isEmpty { return nextStage() }
    if frames > 0 { hearing = (generation, frames) }
    return true
  }

  /// Gives up the fades under way: nobody hears them any more.
  func cutFades() {
    hearing = nil
    stages = []
    playing = graph
  }

  /// Lays a plan for `graph` out for the audio thread; false where there is
  /// none, and what plays goes on playing.
  @discardableResult func publish(
    _ graph: Graph, _ transition: Compiler.Transition, isAsleep: Bool = false
  ) -> Bool {
    compiledPlans += 1
    guard let plan = try? compiler.plan(for: graph, transition) else { return false }
    generation += 1
    unsafe plan.memory.pointee.generation = generation
    unsafe plan.memory.pointee.isAsleep = isAsleep
    unsafe flying[UnsafeMutableRawPointer(plan.memory)] = plan
    current = plan
    latenciesMayDiffer = true
    if let unused = unsafe renderer.exchange.publish(plan.memory) { unsafe flying[unused] = nil }
    return true
  }

  private func collect() {
    if let spent = unsafe renderer.exchange.collect() { unsafe flying[spent] = nil }
  }

  private func hasRendered(_ generation: Int, frames: Int) -> Bool {
    guard renderer.generation.load(ordering: .acquiring) >= generation else { return false }
    let start = renderer.adoptedAt.load(ordering: .relaxed)
    return renderer.renderedFrames.load(ordering: .acquiring) - start >= Int64(frames)
  }
}
