// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletTimeline

/// Lanes addressed by the names of nodes and parameters, in the engine's graph or in a copy.
///
/// Values out of range are clamped; each function returns the events that report it.
extension Graph {
  /// Returns the parameters of a node.
  typealias Parameters = (NodeID) -> [ParameterInfo]

  /// Replaces all lanes by those of a mix.
  ///
  /// - Parameters:
  ///   - mix: the mix.
  ///   - master: the node that follows the mix's master; nil for all audio output nodes.
  ///   - parameters: returns the parameters of a node.
  mutating func apply(
    _ mix: AudioMix, master: AudioNode?, _ parameters: Parameters
  ) throws(EngineError) -> [EngineEvent] {
    removeLanes()
    var clamped = try automate(mix.lanes, parameters)
    for (track, part) in mix.tracks.sorted(by: { $0.key < $1.key }) {
      clamped += try follow(mix.declicked(part), try known(track.name))
    }
    guard mix.master != TrackMix() else { return clamped }
    let masters = if let master { [try known(master.name)] } else { playbacks }
    for node in masters { clamped += try follow(mix.declicked(mix.master), node) }
    return clamped
  }

  /// Automates parameters, in the order of their names.
  mutating func automate(
    _ lanes: [ParameterPath: Automation], _ parameters: Parameters
  ) throws(EngineError) -> [EngineEvent] {
    var clamped: [EngineEvent] = []
    for (path, lane) in lanes.sorted(by: { $0.key.description < $1.key.description }) {
      let node = try known(path.node)
      clamped += try automate(node, path.parameter, of: parameters(node.id), with: lane)
    }
    return clamped
  }

  /// Automates a parameter, the volume or the pan of a node with a lane; nil removes the lane.
  ///
  /// - Parameters:
  ///   - node: the node.
  ///   - parameter: the symbol of the parameter, `volume` or `pan`.
  ///   - known: the parameters of the node.
  ///   - lane: the automation; nil to remove it.
  ///   - law: the pan law.
  mutating func automate(
    _ node: Node, _ parameter: String, of known: [ParameterInfo], with lane: Automation?, law: PanLaw = .usual
  ) throws(EngineError) -> [EngineEvent] {
    let (target, info) = try target(parameter, of: node, known)
    return try graphEdit { () throws(GraphError) in
      try automate(target, info, of: node.name, with: lane, law: law)
    }
  }

  /// Automates a value of a wire with a lane; nil removes the lane.
  mutating func automate(
    _ wire: Wire.ID, _ parameter: Swiftlet.Wire.Parameter, with lane: Automation?
  ) throws(GraphError) -> [EngineEvent] {
    try automate(Lane.Target(.wire(wire), parameter.value), of: ends(of: wire), with: lane)
  }

  /// Automates a value with a lane; nil removes the lane.
  ///
  /// - Parameters:
  ///   - target: the value.
  ///   - info: the description of a parameter; nil for volume, ducking and pan.
  ///   - name: the name of the node or wire in events.
  ///   - lane: the automation; nil to remove it.
  ///   - declick: the length of the glide that smooths jumps of volume, ducking and pan, in seconds.
  ///   - law: the pan law.
  private mutating func automate(
    _ target: Lane.Target, _ info: ParameterInfo? = nil, of name: String, with lane: Automation?,
    declick: Double = Lane.smoothing, law: PanLaw = .usual
  ) throws(GraphError) -> [EngineEvent] {
    // A parameter has a smoothing of its own.
    let isWhole = info?.curve.isWhole ?? false, declick = info == nil ? declick : 0
    guard let lane, let range = info?.range ?? target.value.range else {
      try automate(target, with: lane, isWhole: isWhole, declick: declick, law: law)
      return []
    }
    var used = lane
    let clamped = used.clamp(to: range, info?.symbol ?? "\(target.value)", of: name)
    try automate(target, with: used, isWhole: isWhole, declick: declick, law: law)
    return clamped
  }

  /// Automates the volume, ducking and pan of a node with the lanes of a track's mix.
  mutating func follow(_ mix: TrackMix, _ node: Node) throws(EngineError) -> [EngineEvent] {
    let plain = TrackMix()
    var clamped: [EngineEvent] = []
    try graphEdit { () throws(GraphError) in
      for (value, lane) in [
        (.volume, mix.volume == plain.volume ? nil : mix.volume), (.ducking, mix.ducking),
        (.pan, mix.pan == plain.pan ? nil : mix.pan),
      ] as [(Lane.Value, Automation?)] {
        guard let lane else { continue }
        clamped += try automate(
          Lane.Target(.node(node.id), value), of: node.name, with: lane,
          declick: mix.declick?.seconds ?? 0, law: mix.panLaw)
      }
    }
    return clamped
  }

  /// Returns the node with a name.
  private func known(_ name: String) throws(EngineError) -> Node {
    if let node = node(named: name) { return node }
    throw .unknownNode(name, nearest: NearestName.nearest(to: name, among: nodes.map(\.name)))
  }

  /// Returns the lane target for the name of a value, and the description if it is a parameter.
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

  /// The audio output nodes.
  private var playbacks: [Node] {
    nodes.filter { node in
      guard case .output = node.role, case .audio? = node.inputs.first else { return false }
      return true
    }
  }
}
