// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletGraph
internal import SwiftletThreads
internal import Synchronization

/// The costs of editing a graph while it plays: medians, in seconds of processor time.
package struct EditCosts: Sendable, Equatable {
  /// The cost of the call that adds or removes a wire.
  package var call: Double
  /// The cost of the calls that attach a plugin and connect it, without the time in which the plugin itself is made;
  /// nil unless measured.
  package var plugin: Double?
  /// The elapsed time of the call that detaches 48 plugins in one edit; nil unless measured.
  package var removal: Double?
  /// The cost of a cycle that adopts a plan, and of one that does not.
  package var adoptingCycle: Double, otherCycle: Double
}

extension AudioEngine {
  /// Measures the cost of adding and removing a wire while another thread renders as JACK's would.
  ///
  /// - Parameters:
  ///   - edits: the number of edits.
  ///   - frameCount: the length of a cycle in frames.
  ///   - uri: a plugin to attach and connect after each edit; nil for none.
  /// - Returns: the costs; nil if no wire can be added, because the graph has fewer than two.
  /// - Throws: the errors of `render(_:from:)`, and an error if the plugin cannot be made or connected.
  package func measureEdits(
    _ edits: Int, of frameCount: Int, attaching uri: String? = nil
  ) throws(EngineError) -> EditCosts? {
    guard let extra = extraWire() else { return nil }
    let costs = CycleCosts(), render = try renderingCycle(of: frameCount)
    let thread = RenderingThread(.pause(.microseconds(200))) { [self] in costs.measure(self, render) }
    defer { thread.stop() }
    var calls: [Double] = [], attached: [Double] = []
    for edit in 0..<max(edits, 2) {
      waitUntilSettled()
      let start = processorSeconds()
      if edit.isMultiple(of: 2) {
        try connect(extra)
      } else {
        try Wire(extra.id, in: self).disconnect()
      }
      calls.append(processorSeconds() - start)
      guard let uri else { continue }
      waitUntilSettled()
      attached.append(try attach(uri, along: extra))
    }
    let removal = try uri.map { uri throws(EngineError) in try removePlugins(48, uri, along: extra) }
    waitUntilSettled()
    thread.stop()
    let cycles = costs.all
    let adopting = zip(cycles, cycles.dropFirst()).filter { $0.plan != $1.plan }.map(\.1.seconds)
    let others = zip(cycles, cycles.dropFirst()).filter { $0.plan == $1.plan }.map(\.1.seconds)
    return EditCosts(
      call: median(calls), plugin: uri.map { _ in median(attached) }, removal: removal,
      adoptingCycle: median(adopting), otherCycle: median(others))
  }

  /// Waits until fades have ended and old plans are freed, so that the cycles in between only play.
  private func waitUntilSettled() {
    for _ in 0..<40 {
      tick()
      Waiting.sleep(.milliseconds(5))
    }
  }

  /// Attaches a plugin, connects it in place of a wire so that it is heard, and detaches it.
  ///
  /// - Returns: the cost of attaching and connecting, without making the plugin.
  private func attach(_ uri: String, along wire: Graph.Wire) throws(EngineError) -> Double {
    let made = try make(.plugin(uri, channels: 1), "measured"), nodes = nodes
    let source = nodes.first { $0.id == wire.source.node },
      end = nodes.first { $0.id == wire.destination.node }
    let start = processorSeconds()
    let plugin = try add(made, isNamed: false)
    if let source { try connect(source, to: plugin) }
    if let end { try connect(plugin, to: end) }
    let cost = processorSeconds() - start
    try detach(plugin)
    return cost
  }

  /// Attaches plugins in parallel, and detaches them in one edit.
  ///
  /// - Returns: the elapsed time of the edit that detaches them, in seconds.
  private func removePlugins(
    _ count: Int, _ uri: String, along wire: Graph.Wire
  ) throws(EngineError) -> Double {
    let nodes = nodes
    guard let source = nodes.first(where: { $0.id == wire.source.node }),
      let end = nodes.first(where: { $0.id == wire.destination.node })
    else { return 0 }
    let plugins = try edit { edit in
      var plugins: [AudioNode] = []
      for number in 0..<count {
        let plugin = try edit.attach(.plugin(uri, channels: 1), name: "removed-\(number)")
        try edit.connect(source, to: plugin)
        try edit.connect(plugin, to: end)
        plugins.append(plugin)
      }
      return plugins
    }
    waitUntilSettled()
    let start = ContinuousClock.now
    try edit { edit in for plugin in plugins { try edit.detach(plugin) } }
    return (ContinuousClock.now - start) / .seconds(1)
  }

  /// Returns a wire that does not exist yet, near the middle of the list of wires: from the source of one wire to the
  /// destination of the next one that was made.
  private func extraWire() -> Graph.Wire? {
    let graph = graph, wires = graph.wires
    for offset in wires.indices.dropLast() {
      let index = (offset + wires.count / 2) % (wires.count - 1)
      let extra = Graph.Wire(from: wires[index].source, to: wires[index + 1].destination)
      var trial = graph
      guard extra.source.node != extra.destination.node, wires[index].feedback == nil,
        wires[index + 1].feedback == nil, (try? trial.connect(extra)) != nil,
        !trial.inputs(of: extra.source.node).contains(extra.destination.node)
      else { continue }
      return extra
    }
    return nil
  }

  private func median(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }
}

/// Records the cost of each cycle of a rendering thread.
private final class CycleCosts: Sendable {
  struct Cost { var plan: Int, seconds: Double }
  private let costs = Mutex<[Cost]>([])

  /// The costs of all cycles so far.
  var all: [Cost] { costs.withLock { $0 } }

  /// Records the cost of the cycle that `render` renders. The rendering thread.
  func measure(_ engine: AudioEngine, _ render: () -> Void) {
    let start = processorSeconds()
    render()
    let cost = Cost(plan: engine.renderer.planNumber, seconds: processorSeconds() - start)
    costs.withLock { $0.append(cost) }
  }
}

/// Returns this thread's processor time in seconds.
private func processorSeconds() -> Double { SystemClock.seconds(of: CLOCK_THREAD_CPUTIME_ID) }
