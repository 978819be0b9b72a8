// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletTimeline

/// Lanes by the names of nodes and parameters, in the engine's graph or in a copy.
extension Graph {
  /// The parameters of a node.
  typealias Parameters = (NodeID) -> [ParameterInfo]

  /// Applies a mix in place of all lanes.
  ///
  /// - Parameter master: the node that follows the mix's master; nil for all output nodes for sound.
  mutating func apply(_ mix: AudioMix, master: AudioNode?, _ parameters: Parameters) throws(EngineError) {
    removeLanes()
    try automate(mix.lanes, parameters)
    for (track, part) in mix.tracks.sorted(by: { $0.key < $1.key }) {
      try follow(part, try known(track.name))
    }
    guard mix.master != TrackMix() else { return }
    let masters = if let master { [try known(master.name)] } else { playbacks }
    for node in masters { try follow(mix.master, node) }
  }

  /// Automates parameters, in the order of their names.
  mutating func automate(
    _ lanes: [ParameterPath: Automation], _ parameters: Parameters
  ) throws(EngineError) {
    for (path, lane) in lanes.sorted(by: { $0.key.description < $1.key.description }) {
      let node = try known(path.node)
      try automate(node, path.parameter, of: parameters(node.id), with: lane)
    }
  }

  /// Has a parameter, the volume or the pan of a node follow a lane; nil ends that.
  ///
  /// - Parameter known: the parameters of the node.
  mutating func automate(
    _ node: Node, _ parameter: String, of known: [ParameterInfo], with lane: Automation?, law: PanLaw = .usual
  ) throws(EngineError) {
    let (target, info) = try target(parameter, of: node, known)
    if let info, let bounds = lane?.bounds {
      for value in [bounds.lowerBound, bounds.upperBound] where !info.range.contains(value) {
        throw .laneOutOfRange(node: node.name, parameter: parameter, value: value, range: info.range)
      }
    }
    try graphEdit { () throws(GraphError) in
      try automate(target, with: lane, isWhole: info?.curve.isWhole ?? false, law: law)
    }
  }

  /// Has the volume, ducking and pan of a node follow what a mix has for a track.
  mutating func follow(_ mix: TrackMix, _ node: Node) throws(EngineError) {
    let plain = TrackMix()
    try graphEdit { () throws(GraphError) in
      for (value, lane) in [
        (.volume, mix.volume == plain.volume ? nil : mix.volume), (.ducking, mix.ducking),
        (.pan, mix.pan == plain.pan ? nil : mix.pan),
      ] as [(Lane.Value, Automation?)] {
        if let lane { try automate(Lane.Target(.node(node.id), value), with: lane, law: mix.panLaw) }
      }
    }
  }

  /// The node with a name.
  private func known(_ name: String) throws(EngineError) -> Node {
    if let node = node(named: name) { return node }
    throw .unknownNode(name, nearest: NearestName.nearest(to: name, among: nodes.map(\.name)))
  }

  /// What a node calls a value that may move.
  private func target(
    _ parameter: String, of node: Node, _ known: [ParameterInfo]
  ) throws(EngineError) -> (Lane.Target, ParameterInfo?) {
    if let info = known.first(where: { $0.symbol == parameter }) {
      return (Lane.Target(.node(node.id), .parameter(info.number)), info)
    }
    switch parameter {
    case "volume": return (Lane.Target(.node(node.id), .volume), nil)
    case "pan": return (Lane.Target(.node(node.id), .pan), nil)
    default:
      throw .unknownParameter(
        node: node.name, parameter: parameter,
        nearest: NearestName.nearest(to: parameter, among: known.map(\.symbol) + ["volume", "pan"]))
    }
  }

  /// The output nodes for sound.
  private var playbacks: [Node] {
    nodes.filter { node in
      guard case .output = node.role, case .audio? = node.inputs.first else { return false }
      return true
    }
  }
}
