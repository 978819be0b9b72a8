// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Synchronization

extension AudioEngine {
  /// The main input, with the width that was given to the engine's initializer.
  ///
  /// The node is added to the graph, with its JACK ports, when it is first connected or recorded, or when the engine
  /// starts after a program has asked for it. The ports are connected to those of the sound card. Offline, the node
  /// outputs the sound passed to `render`. The node cannot be detached.
  public var mainInput: InputNode {
    let (id, name) = core.withLock { $0.mainNode(.input) }
    return InputNode(name: name, id: id, engine: self)
  }

  /// The main output, with the width that was given to the engine's initializer: see ``mainInput``. Offline, `render`
  /// returns its sound.
  public var mainOutput: OutputNode {
    let (id, name) = core.withLock { $0.mainNode(.output) }
    return OutputNode(name: name, id: id, engine: self)
  }

  /// The main mixer, as wide as ``mainOutput`` and connected to it. If a program connects the mixer to another node,
  /// that connection replaces the one to the output.
  public var mainMixer: MixerNode {
    let (id, name) = core.withLock { $0.mainNode(.mixer) }
    return MixerNode(name: name, id: id, engine: self)
  }

  /// Checks that nodes belong to this engine, and adds main nodes to the graph that are used for the first time.
  ///
  /// - Throws: ``EngineError/notAttached(_:)``, ``EngineError/jack(_:)``, ``EngineError/graph(_:)``.
  func use(_ nodes: [AudioNode]) throws(EngineError) {
    try checkOwner(of: nodes)
    try core.withLock { core throws(EngineError) in try core.admitMainNodes(nodes.map(\.id)) }
  }

  /// Checks that a node belongs to this engine and is not a main node.
  ///
  /// - Throws: ``EngineError/notAttached(_:)``, ``EngineError/mainNode(_:)``.
  func checkDetachable(_ node: AudioNode) throws(EngineError) {
    try checkOwner(of: [node])
    guard !core.withLock({ $0.main.nodes.values.contains { $0.id == node.id } }) else {
      throw .mainNode(node.name)
    }
  }
}

extension GraphEdit {
  /// The wire from the main mixer to the main output that the engine makes by itself.
  var automaticWire: Graph.Wire.ID? { engine.core.withLock { $0.main.automaticWire?.id } }

  /// As ``AudioEngine/use(_:)``. Also adds main nodes that are used for the first time to the edited copy.
  mutating func use(_ nodes: [AudioNode]) throws(EngineError) {
    try engine.use(nodes)
    let (added, wire) = engine.core.withLock { core in
      let added = MainNodes.Kind.allCases.compactMap {
        core.main.nodes[$0].flatMap { core.graph.node($0.id) }
      }
      .filter { graph.node($0.id) == nil }
      let wire = core.main.automaticWire.flatMap { core.graph.wire($0.id) }
      return (added, added.contains { $0.role == .mixer } ? wire : nil)
    }
    if !added.isEmpty { graph.adopt(added, wire.map { [$0] } ?? []) }
  }
}
