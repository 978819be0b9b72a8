// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletSignal
import Synchronization

/// Keeps a renderer playing the graph that was asked for last, and makes the way there inaudible.
///
/// An edit of a running graph is two plans: one that holds old and new, in which what goes fades out and what comes
/// fades in, and, once that has been rendered, the new graph alone. Edits that arrive meanwhile wait and merge.
///
/// Control thread: call from one thread at a time (the engine's lock). `tick` is called every few milliseconds while
/// sound runs, and before each block offline.
@safe public final class GraphHost {
  /// What plays the plans.
  public let renderer: Renderer
  /// The graph that was asked for last.
  public private(set) var graph = Graph()
  /// Whether somebody renders, so that edits fade; where nobody does, they apply at once.
  public var isLive = false
  /// Whether the first sound fades in.
  private let fadesIn: Bool

  let store = ProcessorStore()
  /// The graph that the last published plan plays when its fades are done.
  var playing = Graph()
  private var generation = 0
  /// Plans that the audio thread may hold, by address.
  private var flying: [UnsafeMutableRawPointer: RenderPlan] = unsafe [:]
  var current: RenderPlan?
  /// The generation whose fades must be heard before the next plan, and what comes then.
  private var fading: (generation: Int, next: Graph, entering: Set<Wire.ID>)?

  /// Changes for frames far ahead, in the order of their frames.
  private var later: [ParameterEvent] = []

  /// Whether silence was asked for, since which frame, and whether nothing runs any more.
  var sleep: (since: Int64, isDeep: Bool)?

  /// How many cycles had been rendered when profiling was switched on.
  var profiledFrom = 0

  /// A host that plays nothing yet.
  public init(sampleRate: Double, longestBlock: Int = 8192, fadesIn: Bool = true) {
    renderer = Renderer(sampleRate: sampleRate, longestBlock: longestBlock)
    self.fadesIn = fadesIn
  }

  deinit {
    // Nobody renders any more: whoever owns the host has stopped the backend. Plans free themselves.
    _ = unsafe renderer.exchange.publish(nil)
  }

  private var compiler: Compiler {
    Compiler(
      sampleRate: renderer.sampleRate, longestBlock: renderer.longestBlock, fadesIn: fadesIn, store: store)
  }

  /// The plan in use as text.
  public var planText: String { current?.text ?? "" }
  /// What the user should know of the plan in use.
  public var warnings: [String] { current?.warnings ?? [] }
  /// How late a tap hears its source, in frames.
  public func latency(of tap: TapID) -> Int { current?.tapLatency[tap] ?? 0 }
  /// How late a way out plays its source, in frames.
  public func latency(of output: NodeID) -> Int { current?.outputLatency[output] ?? 0 }

  /// The plan that `graph` would get, as text, without running it.
  ///
  /// - Throws: as `apply`.
  public static func planText(
    for graph: Graph, processors: [NodeID: Processor], sampleRate: Double
  ) throws(GraphError) -> String {
    let store = ProcessorStore()
    store.nodes = processors
    let compiler = Compiler(sampleRate: sampleRate, longestBlock: 64, fadesIn: false, store: store)
    return try compiler.plan(for: graph).text
  }

  /// Plays `graph` from now on. New nodes and taps bring their processors.
  ///
  /// - Throws: ``GraphError/cycle(_:)``, ``GraphError/missingProcessor(_:)``, ``GraphError/tooLarge``; then all stays.
  public func apply(
    _ new: Graph, processors: [NodeID: Processor] = [:], taps: [TapID: Processor] = [:]
  ) throws(GraphError) {
    let before = (store.nodes, store.taps)
    store.nodes.merge(processors) { old, _ in old }
    store.taps.merge(taps) { old, _ in old }
    do throws(GraphError) {
      // All that can fail fails here, in a trial that leaves no trace in the store's wires.
      let trial = ProcessorStore()
      trial.nodes = store.nodes
      _ = try Compiler(
        sampleRate: renderer.sampleRate, longestBlock: renderer.longestBlock, fadesIn: fadesIn, store: trial
      ).plan(for: new)
    } catch {
      (store.nodes, store.taps) = before
      throw error
    }
    graph = new
    proceed()
  }

  /// How far ahead of their frame changes go to the audio thread, and how many may wait for that.
  static let lookahead: Int64 = 1 << 15, mostLater = 1 << 16

  /// Carries on with fades, sends changes that come due, collects what the audio thread has let go of, and follows changed latencies.
  public func tick() {
    collect()
    sendDue()
    fallAsleep()
    if let fading {
      guard !isLive || hasRendered(fading.generation, frames: compiler.fadeFrames) else { return }
      self.fading = nil
      if fading.entering.isEmpty {
        publish(fading.next, Compiler.Transition(isLive: isLive))
      } else {
        let entering = Compiler.Transition(entering: fading.entering, isLive: isLive)
        publish(fading.next, entering)
        self.fading = (generation, fading.next, [])
      }
      playing = fading.next
    }
    proceed()
    if fading == nil, sleep == nil, current?.isOutdated == true { publish(playing, Compiler.Transition(isLive: isLive)) }
    if fading == nil, playing == graph { store.prune(to: graph) }
  }

  /// Changes a node's parameter: at an absolute frame of the source, or as soon as possible.
  ///
  /// - Throws: ``GraphError/tooManyEvents`` where more changes wait than there is room for.
  public func set(
    _ parameter: Int, of node: NodeID, to value: Float, over frames: Int, at frame: Int64? = nil
  ) throws(GraphError) {
    try send(
      ParameterEvent(
        frame: frame ?? .min / 2, slot: Int32(node.slot), parameter: Int32(clamping: parameter), value: value,
        glide: Int32(clamping: max(frames, 0))))
  }

  /// Makes a node forget all sound, as soon as possible.
  public func reset(_ node: NodeID) throws(GraphError) {
    try send(
      ParameterEvent(
        frame: .min / 2, slot: Int32(node.slot), parameter: ParameterEvent.reset, value: 0, glide: 0))
  }

  private func send(_ event: ParameterEvent) throws(GraphError) {
    guard event.frame > renderer.position.load(ordering: .relaxed) + Self.lookahead else {
      guard renderer.parameters.push(event) else { throw .tooManyEvents }
      return
    }
    guard later.count < Self.mostLater else { throw .tooManyEvents }
    let place = later.lastIndex { $0.frame <= event.frame }.map { $0 + 1 } ?? 0
    later.insert(event, at: place)
  }

  /// Hands over the changes that will be due before the next tick or two.
  private func sendDue() {
    let horizon = renderer.position.load(ordering: .relaxed) + Self.lookahead
    let due = later.prefix { $0.frame <= horizon }
    let sent = due.prefix { renderer.parameters.push($0) }.count
    later.removeFirst(sent)
  }

  /// Whether all fades are done and all old plans are freed.
  public var isSettled: Bool { fading == nil && playing == graph && (unsafe flying.count) <= 1 }

  private func proceed() {
    guard fading == nil, playing != graph else { return }
    if sleep?.isDeep == true {
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
    guard change.isAudible else {
      publish(graph, change.transition(isLive: true))
      playing = graph
      return
    }
    if (try? compiler.plan(for: change.union, change.transition(isLive: true))) != nil {
      publish(change.union, change.transition(isLive: true))
      fading = (generation, graph, [])
    } else {
      // Old and new together would feed back into each other: first out, then in.
      let out = Compiler.Transition(leaving: change.leaving, isLive: true)
      publish(playing, out)
      fading = (generation, graph, change.entering)
    }
  }

  func publish(_ graph: Graph, _ transition: Compiler.Transition) {
    // It compiled before, with the same processors; if it does not now, what plays goes on playing.
    guard let plan = try? compiler.plan(for: graph, transition) else { return }
    generation += 1
    unsafe plan.memory.pointee.generation = generation
    unsafe flying[UnsafeMutableRawPointer(plan.memory)] = plan
    current = plan
    if let unused = unsafe renderer.exchange.publish(plan.memory) { unsafe flying[unused] = nil }
  }

  private func collect() {
    if let spent = unsafe renderer.exchange.collect() { unsafe flying[spent] = nil }
  }

  private func hasRendered(_ generation: Int, frames: Int) -> Bool {
    guard renderer.generation.load(ordering: .acquiring) >= generation else { return false }
    let start = renderer.adoptedAt.load(ordering: .relaxed)
    return renderer.position.load(ordering: .acquiring) - start >= Int64(frames)
  }
}
