// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletTimeline

extension Graph {
  /// Returns the lane of a value; nil if the value is not automated.
  package func lane(of target: Lane.Target) -> Lane? { laneList[target] }

  /// Automates a value with a lane, which replaces the previous one; nil removes the lane. A parameter then keeps its
  /// value, a volume returns to 1, a wire's pan to the wire's own, and a node's pan to the center.
  ///
  /// A pan lane uses the same formula as a constant pan: the same value produces the same samples.
  ///
  /// - Parameters:
  ///   - isWhole: whether values are rounded to whole numbers.
  ///   - declick: the length of the glide that smooths jumps of a volume or pan, in seconds; default: none.
  ///   - law: the pan law for a node's pan; a wire has its own.
  /// - Throws: ``GraphError/unknownNode(_:)``, ``GraphError/unknownWire(source:destination:)``,
  ///   ``GraphError/noSound(node:)``, ``GraphError/panNeedsStereo(destination:)``,
  ///   ``GraphError/badLane(_:value:range:)``.
  package mutating func automate(
    _ target: Lane.Target, with automation: Automation?, isWhole: Bool = false, declick: Double = 0,
    law: PanLaw = .usual
  ) throws(GraphError) {
    guard let automation else { return removeLane(of: target) }
    try check(target, automation)
    set(Lane(target: target, automation: automation, isWhole: isWhole, declick: declick, panLaw: law))
  }

  /// Removes the lane of a value, if it has one.
  mutating func removeLane(of target: Lane.Target) {
    guard let (lane, serial) = laneList.remove(target) else { return }
    delta?.note(.lane(.init(before: lane, serial: serial)))
  }

  /// Sets a lane whose values were validated.
  ///
  /// - Parameter serial: the serial number of a lane that is restored; nil for a new one.
  mutating func set(_ lane: Lane, serial: Int? = nil) {
    let before = laneList[lane.target]
    if before != nil {
      laneList.replace(lane)
    } else if let serial {
      laneList.insert(lane, serial: serial)
    } else {
      laneList.append(lane)
    }
    guard lane != before else { return }
    delta?.note(.lane(.init(before: before, after: lane, serial: laneList.serial(of: lane.target) ?? 0)))
  }

  /// Removes all lanes.
  package mutating func removeLanes() { removeLanes { _ in true } }

  /// Removes the lanes of nodes and wires.
  mutating func removeLanes(where isGone: (Lane.Owner) -> Bool) {
    for (lane, serial) in laneList.removeAll(where: { isGone($0.target.owner) }) {
      delta?.note(.lane(.init(before: lane, serial: serial)))
    }
  }

  private func check(_ target: Lane.Target, _ automation: Automation) throws(GraphError) {
    let (name, width) = try described(target.owner)
    // The caller validates the values of a parameter, since it knows the processor.
    guard let range = target.value.range else { return }
    if target.value == .pan, width != 2 { throw .panNeedsStereo(destination: name) }
    guard width > 0 else { throw .noSound(node: name) }
    let bounds = automation.bounds
    for value in [bounds.lowerBound, bounds.upperBound] where !range.contains(value) {
      throw .badLane(name, value: value, range: range)
    }
  }

  /// Returns the name of a node or wire for messages, and its number of audio channels.
  private func described(_ owner: Lane.Owner) throws(GraphError) -> (name: String, width: Int) {
    switch owner {
    case .node(let id):
      let node = try known(id)
      return (node.name, (node.outputs.first ?? node.inputs.first)?.channelCount ?? 0)
    case .wire(let id):
      let source = try known(id.source.node), destination = try known(id.destination.node)
      guard wireList.contains(id) else {
        throw .unknownWire(source: source.name, destination: destination.name)
      }
      let bus = destination.inputs[id.destination.bus.index]
      return (
        "\(source.name) -> \(destination.name)", id.destination.channel == nil ? bus.channelCount : 1
      )
    }
  }
}
