// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletJack

/// A node that is ready to be attached: its processor is made and its files are open.
struct NewNode {
  /// The name for error messages; the node's name if it is free, or if the caller chose it.
  let name: String
  let role: Graph.Role
  let inputs: [BusFormat], outputs: [BusFormat]
  var record: EngineCore.Record

  init(
    _ name: String, _ role: Graph.Role, _ inputs: [BusFormat], _ outputs: [BusFormat],
    _ kind: EngineCore.Record.Kind, values: [Int: Float] = [:]
  ) {
    (self.name, self.role, self.inputs, self.outputs) = (name, role, inputs, outputs)
    record = EngineCore.Record(kind: kind, values: values)
  }

  /// Creates a mixer.
  static func mixer(channels: Int, _ name: String) -> NewNode {
    let format = [BusFormat.audio(channels: channels)]
    return NewNode(name, .mixer, format, format, .mixer)
  }

  /// Creates an input or output node.
  ///
  /// - Parameters:
  ///   - format: the format of the node's bus.
  ///   - isInput: whether it is an input node.
  ///   - name: the node's name.
  ///   - rule: the ports to connect to.
  ///   - limiter: the limiter before an output node.
  static func port(
    _ format: BusFormat, isInput: Bool, _ name: String, _ rule: ConnectionRule,
    behind limiter: (effect: EngineCore.Record.LoadedEffect, ceiling: Float)? = nil
  ) -> NewNode {
    let ports = NodePorts(format: format, isInput: isInput, rule: rule)
    return NewNode(
      // The bus number is assigned when the ports are registered.
      name, ports.role(0), isInput ? [] : [format], isInput ? [format] : [],
      .port(ports, limiter: limiter?.effect),
      values: limiter.map { [NodeKind.ceiling.number: $0.ceiling] } ?? [:])
  }

  /// Returns the node for the graph.
  func node(_ id: NodeID, named name: String) -> Graph.Node {
    Graph.Node(id: id, name: name, role: role, inputs: inputs, outputs: outputs)
  }
}

/// The JACK ports of an input or output node. They are registered when an edit that adds the node is committed, also
/// when an undo brings the node back.
struct NodePorts {
  let format: BusFormat, isInput: Bool, rule: ConnectionRule

  /// Returns the role of the node with a bus number.
  func role(_ number: Int) -> Graph.Role { isInput ? .input(number) : .output(number) }

  /// Registers the ports.
  ///
  /// - Returns: their bus number.
  func register(_ name: String, with client: JackClient) throws(EngineError) -> Int {
    do throws(JackError) {
      return switch (format, isInput) {
      case (.audio(let channels), true): try client.addCapture(node: name, channels: channels, rule: rule)
      case (.audio(let channels), false): try client.addPlayback(node: name, channels: channels, rule: rule)
      case (.events, true): try client.addMIDIIn(node: name, rule: rule)
      case (.events, false): try client.addMIDIOut(node: name, rule: rule)
      }
    } catch {
      throw .jack(error)
    }
  }
}
