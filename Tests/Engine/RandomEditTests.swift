// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import SwiftletTesting
import Synchronization
import Testing

@testable import Swiftlet

/// A slow model of an engine's graph: dictionaries, with a copy for each edit that can be undone.
private struct GraphModel {
  struct State: Equatable {
    /// Whether each node is bypassed.
    var nodes: [String: Bool] = [:]
    var wires: Set<[String]> = []
  }

  enum Change {
    case attach(String), detach(String), connect(String, String), disconnect(String, String)
    case bypass(String, Bool)
  }

  enum Entry {
    case edit([Change]), undo, redo
  }

  var state = State()
  private var past: [State] = [], future: [State] = []

  mutating func perform(_ entry: Entry) {
    switch entry {
    case .edit(let changes):
      let before = state
      for change in changes { perform(change) }
      past.append(before)
      if past.count > 100 { past.removeFirst() }
      future = []
    case .undo:
      guard let last = past.popLast() else {
        Issue.record("the model has nothing to undo")
        return
      }
      future.append(state)
      state = last
    case .redo:
      guard let last = future.popLast() else {
        Issue.record("the model has nothing to redo")
        return
      }
      past.append(state)
      state = last
    }
  }

  /// Every change must be valid after all earlier ones, or the edits were not serialized.
  private mutating func perform(_ change: Change) {
    switch change {
    case .attach(let node):
      #expect(state.nodes.updateValue(false, forKey: node) == nil, "\(node) was there")
    case .detach(let node):
      #expect(state.nodes.removeValue(forKey: node) != nil, "\(node) was not there")
      state.wires = state.wires.filter { !$0.contains(node) }
    case .connect(let source, let destination):
      #expect(state.nodes[source] != nil && state.nodes[destination] != nil)
      #expect(state.wires.insert([source, destination]).inserted)
    case .disconnect(let source, let destination): #expect(state.wires.remove([source, destination]) != nil)
    case .bypass(let node, let isBypassed):
      #expect(state.nodes.updateValue(isBypassed, forKey: node) == !isBypassed)
    }
  }
}

@Suite struct RandomEditTests {
  private typealias Change = GraphModel.Change

  /// The committed changes, in order. An edit that fails at commit retracts its entry.
  private final class Log: Sendable {
    private let entries = Mutex<[GraphModel.Entry?]>([])
    func append(_ entry: GraphModel.Entry) -> Int {
      entries.withLock { entries in
        entries.append(entry)
        return entries.count - 1
      }
    }
    func takeBack(_ number: Int?) { if let number { entries.withLock { $0[number] = nil } } }
    var all: [GraphModel.Entry] { entries.withLock { $0.compactMap(\.self) } }
  }

  private struct Refused: Error {}

  /// Makes one to four random changes in a copy.
  private func change(
    _ edit: inout GraphEdit, _ engine: AudioEngine, _ name: String, _ generator: inout SeededGenerator
  ) throws -> [Change] {
    var changes: [Change] = []
    for number in 0..<(1 + generator.below(4)) {
      let nodes = edit.graph.nodes.filter { $0.role == .processor && $0.name.contains("-") }
      func handle(_ node: Graph.Node) -> AudioNode { AudioNode(name: node.name, id: node.id, engine: engine) }
      let one = nodes.isEmpty ? nil : nodes[generator.below(nodes.count)]
      let two = nodes.isEmpty ? nil : nodes[generator.below(nodes.count)]
      switch generator.below(nodes.count > 24 ? 12 : 8) {
      case 0, 1, 2:
        let new = try edit.attach(.effect("gain", channels: 1), name: "\(name)-\(number)")
        changes.append(.attach(new.name))
        guard let one else { continue }
        try edit.connect(handle(one), new)
        changes.append(.connect(one.name, new.name))
      case 3, 4:
        guard let one, let two, one.id != two.id else { continue }
        let wire = Swiftlet.Wire(Graph.Wire(from: Endpoint(one.id), to: Endpoint(two.id)).id, in: engine)
        if edit.graph.wire(wire.id) != nil {
          try edit.disconnect(wire)
          changes.append(.disconnect(one.name, two.name))
        } else {
          // Many of these close loops, which the commit detects.
          try edit.connect(handle(one), handle(two))
          changes.append(.connect(one.name, two.name))
        }
      case 5:
        guard let one else { continue }
        try edit.setBypassed(!one.isBypassed, of: handle(one))
        changes.append(.bypass(one.name, !one.isBypassed))
      case 6:
        let inner = edit.graph.wires.compactMap { wire -> (AudioNode, AudioNode)? in
          guard let from = nodes.first(where: { $0.id == wire.source.node }),
            let to = nodes.first(where: { $0.id == wire.destination.node })
          else { return nil }
          return (handle(from), handle(to))
        }
        guard !inner.isEmpty else { continue }
        let (from, to) = inner[generator.below(inner.count)]
        let new = try edit.attach(.effect("gain", channels: 1), name: "\(name)-\(number)")
        try edit.insert(new, between: from, and: to)
        changes += [
          .attach(new.name), .disconnect(from.name, to.name), .connect(from.name, new.name),
          .connect(new.name, to.name),
        ]
      default:
        guard let one else { continue }
        try edit.detach(handle(one))
        changes.append(.detach(one.name))
      }
    }
    return changes
  }

  /// Edits a copy, and throws at random.
  private func editCopy(_ engine: AudioEngine, _ log: Log, _ name: String, _ generator: inout SeededGenerator)
    throws
  {
    var edit = GraphEdit(engine)
    let changes: [Change]
    do {
      changes = try change(&edit, engine, name, &generator)
      // Other tasks commit meanwhile.
      if generator.below(3) == 0 { usleep(1000) }
      if generator.below(8) == 0 { throw Refused() }
    } catch {
      edit.discard()
      throw error
    }
    try edit.commit { if !changes.isEmpty { _ = log.append(.edit(changes)) } }
  }

  /// Makes one change of the engine's graph, which never conflicts.
  private func editDirectly(_ engine: AudioEngine, _ log: Log, _ generator: inout SeededGenerator) throws {
    let pick = (generator.below(1000), generator.below(1000), generator.below(3))
    let entry = Mutex<Int?>(nil)
    do {
      try engine.changeGraph { graph throws(GraphError) in
        func note(_ change: Change) { entry.withLock { $0 = log.append(.edit([change])) } }
        let nodes = graph.nodes.filter { $0.role == .processor && $0.name.contains("-") }
        guard nodes.count > 1 else { return }
        let one = nodes[pick.0 % nodes.count], two = nodes[pick.1 % nodes.count]
        switch pick.2 {
        case 0:
          try graph.remove(one.id)
          note(.detach(one.name))
        case 1:
          try graph.setBypass(!one.isBypassed, of: one.id)
          note(.bypass(one.name, !one.isBypassed))
        default:
          let wire = Graph.Wire(from: Endpoint(one.id), to: Endpoint(two.id))
          guard one.id != two.id, graph.wire(wire.id) == nil else { return }
          try graph.connect(wire)
          note(.connect(one.name, two.name))
        }
      }
    } catch {
      log.takeBack(entry.withLock { $0 })
      throw error
    }
  }

  //   sine ──► desk, and up to about thirty gains that are added, removed and connected at random
  @Test(.timeLimit(.minutes(20)))
  func `random concurrent edits and undos match a slow model, and other sound stays intact`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 64))
    let sine = try engine.attach(.source(channels: 1, sineWave), name: "sine")
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(sine, output)
    _ = try engine.render(64)
    engine.core.withLock { $0.history = EditHistory() }
    let log = Log(), isOver = Atomic(false), sound = Mutex<[Float]>([])
    let rendering = DispatchGroup()
    DispatchQueue.global().async(group: rendering) {
      while !isOver.load(ordering: .acquiring) {
        do {
          let block = try engine.render(64)[output]?[0] ?? []
          sound.withLock { $0 += block }
        } catch {
          Issue.record(error)
          return
        }
      }
    }
    let counts = Mutex<[String: Int]>([:])
    DispatchQueue.concurrentPerform(iterations: 8) { task in
      var generator = SeededGenerator(seed: UInt64(task + 1))
      for number in 0..<1250 {
        var what = "edit"
        do {
          switch generator.below(10) {
          case 0:
            what = "undo"
            _ = try engine.applyHistory(.undo) { _ = log.append(.undo) }
          case 1:
            what = "redo"
            _ = try engine.applyHistory(.redo) { _ = log.append(.redo) }
          case 2, 3: try editDirectly(engine, log, &generator)
          default: try editCopy(engine, log, "\(task).\(number)", &generator)
          }
        } catch let error as EngineError {
          switch error {
          case .conflict: what = "conflict"
          case .graph(.cycle): what = "cycle"
          default: Issue.record(error)
          }
        } catch is Refused {
          what = "refused"
        } catch {
          Issue.record(error)
        }
        counts.withLock { $0[what, default: 0] += 1 }
      }
    }
    isOver.store(true, ordering: .releasing)
    rendering.wait()

    var model = GraphModel()
    for entry in log.all { model.perform(entry) }
    let graph = engine.graph
    let others = graph.nodes.filter { $0.name != "sine" && $0.name != "desk" }
    func name(_ id: NodeID) -> String { graph.node(id)?.name ?? "?" }
    #expect(Dictionary(uniqueKeysWithValues: others.map { ($0.name, $0.isBypassed) }) == model.state.nodes)
    #expect(
      Set(graph.wires.map { [name($0.source.node), name($0.destination.node)] })
        == model.state.wires.union([["sine", "desk"]]))
    engine.core.withLock { core in
      #expect(Set(core.records.keys) == Set(graph.nodes.map(\.id)))
      #expect(core.staged.isEmpty && core.stagedNames.isEmpty && core.openedPorts.isEmpty)
      #expect(core.log.isEmpty)
    }
    let counted = counts.withLock { $0 }
    for what in ["conflict", "cycle", "refused", "undo", "redo"] {
      #expect(counted[what, default: 0] > 20, "\(counted)")
    }

    let alone = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 64))
    let other = try alone.attach(.playback(channels: 1), name: "desk")
    try alone.connect(alone.attach(.source(channels: 1, sineWave), name: "sine"), other)
    var wanted: [Float] = []
    let heard = sound.withLock { $0 }
    _ = try alone.render(64)
    while wanted.count < heard.count { wanted += try alone.render(64)[other]?[0] ?? [] }
    #expect(heard.count > 64 * 100)
    #expect(
      heard.elementsEqual(wanted), "\(zip(heard, wanted).enumerated().first { $1.0 != $1.1 }?.offset ?? -1)")
  }
}
