// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

/// The main input, output and mixer, which every engine has.
///
/// Each is made when a program first asks for it. It is added to the graph, and gets its JACK ports, when it is first
/// connected or the engine starts, whichever comes first, and then stays. Adding it is not an edit: no undo removes
/// it.
struct MainNodes {
  enum Kind: String, CaseIterable {
    // The order in which they are added to the graph.
    case input = "main-input"
    case output = "main-output"
    case mixer = "main-mixer"
  }

  private let inputs: Int, outputs: Int
  /// The nodes that a program has asked for.
  fileprivate(set) var nodes: [Kind: (id: NodeID, name: String)] = [:]

  /// - Parameters:
  ///   - inputs: the channels of the main input.
  ///   - outputs: the channels of the main output and of the main mixer.
  /// - Throws: ``EngineError/graph(_:)`` for a number that is not 1 to 64.
  init(inputs: Int = 1, outputs: Int = 2) throws(EngineError) {
    for (kind, channels) in [(Kind.input, inputs), (.output, outputs)]
    where !(1...BusFormat.mostChannels ~= channels) {
      throw .graph(.channels(node: kind.rawValue, channels))
    }
    (self.inputs, self.outputs) = (inputs, outputs)
  }

  /// Makes a node that is not attached yet.
  func make(_ kind: Kind, _ name: String) -> NewNode {
    switch kind {
    case .input: .port(.audio(channels: inputs), isInput: true, name, .automatic)
    case .output: .port(.audio(channels: outputs), isInput: false, name, .automatic)
    case .mixer: .mixer(channels: outputs, name)
    }
  }

  /// The wire from the mixer to the output. It is made with the mixer, and replaced when a program connects the
  /// mixer.
  var automaticWire: Graph.Wire? {
    guard let mixer = nodes[.mixer], let output = nodes[.output] else { return nil }
    var wire = Graph.Wire(from: Endpoint(mixer.id), to: Endpoint(output.id))
    wire.isAutomatic = true
    return wire
  }
}

extension EngineCore {
  /// Returns the identity and the name of a main node, which is made at the first call.
  mutating func mainNode(_ kind: MainNodes.Kind) -> (id: NodeID, name: String) {
    if let node = main.nodes[kind] { return node }
    if kind == .mixer { _ = mainNode(.output) }
    let name = freeName(for: kind.rawValue)
    // If no identity is free, the node is not in the graph, and every use of it throws.
    let id = (try? graph.reserveNode()) ?? NodeID(slot: Graph.mostNodes)
    main.nodes[kind] = (id, name)
    staged[id] = main.make(kind, name).record
    stagedNames.insert(name)
    return (id, name)
  }

  /// Adds main nodes that are about to be used to the graph, with their ports.
  ///
  /// - Parameter nodes: the nodes that are used; nil for all that a program has asked for.
  /// - Throws: ``EngineError/jack(_:)`` if ports cannot be registered, ``EngineError/graph(_:)``; then nothing has
  ///   changed.
  mutating func admitMainNodes(_ nodes: [NodeID]? = nil) throws(EngineError) {
    guard !main.nodes.isEmpty else { return }
    let usesMixer = main.nodes[.mixer].map { nodes?.contains($0.id) ?? true } ?? false
    let missing = MainNodes.Kind.allCases.filter { kind in
      guard let id = main.nodes[kind]?.id, graph.node(id) == nil else { return false }
      return nodes?.contains(id) ?? true || usesMixer && kind == .output
    }
    guard !missing.isEmpty else { return }
    do throws(EngineError) {
      try edit(.admission) { core throws(EngineError) in try core.addMainNodes(missing) }
      for kind in missing { main.nodes[kind].map { _ = stagedNames.remove($0.name) } }
    } catch {
      // The nodes are added when they are next used.
      for kind in missing {
        guard let id = main.nodes[kind]?.id, let record = detached.nodes.removeValue(forKey: id) else {
          continue
        }
        staged[id] = record
      }
      throw error
    }
  }

  private mutating func addMainNodes(_ kinds: [MainNodes.Kind]) throws(EngineError) {
    for kind in kinds {
      guard let (id, name) = main.nodes[kind] else { continue }
      let node = main.make(kind, name).node(id, named: name)
      try graphEdit { () throws(GraphError) in
        guard id.slot < Graph.mostNodes else { throw .tooLarge }
        try graph.check(node)
      }
      try perform(GraphDelta(adding: node), isReturn: false)
    }
    guard kinds.contains(.mixer), let wire = main.automaticWire else { return }
    try graphEdit { () throws(GraphError) in try graph.connect(wire) }
  }
}
