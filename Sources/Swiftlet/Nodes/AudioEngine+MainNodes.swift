// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Synchronization

extension AudioEngine {
  /// The input that every engine has, as wide as the engine was made with.
  ///
  /// The node is added to the graph, with its JACK ports, when it is first connected or recorded, or when the engine starts
  /// after a program has asked for it. The ports are connected to those of the sound card. Offline, `render` is given its sound. The node cannot
  /// be detached.
  public var mainInput: InputNode {
    let (id, name) = core.withLock { $0.mainNode(.input) }
    return InputNode(name: name, id: id, engine: self)
  }

  /// The output that every engine has, as wide as the engine was made with: see ``mainInput``. Offline, `render` returns its
  /// sound.
  public var mainOutput: OutputNode {
    let (id, name) = core.withLock { $0.mainNode(.output) }
    return OutputNode(name: name, id: id, engine: self)
  }

  /// The mixer that every engine has, as wide as ``mainOutput`` and connected to it. If a program connects the mixer to
  /// another node, that connection replaces the one to the output.
  public var mainMixer: MixerNode {
    let (id, name) = core.withLock { $0.mainNode(.mixer) }
    return MixerNode(name: name, id: id, engine: self)
  }

  /// Checks that nodes are this engine's, and adds those main nodes to the graph that are used for the first time.
  ///
  /// - Throws: ``EngineError/notAttached(_:)``, ``EngineError/jack(_:)``, ``EngineError/graph(_:)``.
  func use(_ nodes: [AudioNode]) throws(EngineError) {
    try checkOwner(of: nodes)
    try core.withLock { core throws(EngineError) in try core.admitMainNodes(nodes.map(\.id)) }
  }

  /// Checks that a node is this engine's, and none that every engine has.
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
  /// The wire that the engine makes by itself.
  var automaticWire: Graph.Wire.ID? { engine.core.withLock { $0.main.automaticWire?.id } }

  /// As ``AudioEngine/use(_:)``; main nodes that are used for the first time are added to the copy, too.
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
