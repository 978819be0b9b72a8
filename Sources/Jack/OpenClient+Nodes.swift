// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack

extension OpenClient {
  /// Registers a node's ports and shows them to the audio thread; gives the node's bus number.
  func addNode(
    _ node: String, _ content: JackPort.Content, _ direction: JackPort.Direction, channels: Int,
    rule: ConnectionRule, prettyName: String
  ) throws(JackError) -> Int {
    guard 1...64 ~= channels else { throw .channels(node: node, channels) }
    if case .pattern(let pattern) = rule { _ = try ConnectionRule.expression(pattern) }
    return try edit { edits throws(JackError) -> Int in
      guard !edits.nodes.contains(where: { $0.name == node }) else { throw .duplicateNode(node) }
      let taken = Set(edits.nodes.filter { $0.direction == direction }.map(\.number))
      guard let number = (0..<PortTable.capacity).first(where: { !taken.contains($0) }) else {
        throw .tooManyNodes(node: node, most: PortTable.capacity)
      }
      let handles = try register(node, content, direction, channels)
      let group = UnsafeMutablePointer<PortGroup>.allocate(capacity: 1)
      group.initialize(to: PortGroup(handles, content, direction))
      switch direction {
      case .input: edge.pointee.inputs.show(group, as: number)
      case .output: edge.pointee.outputs.show(group, as: number)
      }
      for (channel, handle) in handles.enumerated() {
        describe(
          handle, prettyName: Self.prettyName(prettyName, channel: channel, of: channels),
          order: edits.portCount, group: channels > 1 ? prettyName : nil)
        edits.portCount += 1
      }
      let ports = NodePorts(
        name: node, direction: direction, content: content, number: number, handles: handles)
      edits.nodes.append(ports)
      let all = edits.nodes
      show { $0.nodes = all }
      edits.keeper.add(
        ConnectionKeeper.Node(
          name: node, direction: direction, content: content,
          ports: handles.map { String(cString: jack_port_name($0)) }, rule: rule))
      if edits.isActive { connect(&edits) }
      return number
    }
  }

  /// Takes a node's ports away. The plan that is rendered does not use its bus any more.
  func removeNode(_ node: String) throws(JackError) {
    try edit { edits throws(JackError) in
      guard let place = edits.nodes.firstIndex(where: { $0.name == node }) else { return }
      let ports = edits.nodes[place]
      edits.keeper.remove(node)
      let group =
        switch ports.direction {
        case .input: edge.pointee.inputs.hide(ports.number)
        case .output: edge.pointee.outputs.hide(ports.number)
        }
      // An audio thread that hangs keeps its memory and its number.
      guard waitForCycle() else { return }
      edits.nodes.remove(at: place)
      let all = edits.nodes
      show { $0.nodes = all }
      for handle in ports.handles {
        jack_remove_properties(client, jack_port_uuid(handle))
        jack_port_unregister(client, handle)
      }
      group?.pointee.deallocate()
      group?.deallocate()
    }
  }

  private func register(
    _ node: String, _ content: JackPort.Content, _ direction: JackPort.Direction, _ channels: Int
  ) throws(JackError) -> [OpaquePointer] {
    let type = content == .audio ? JACK_DEFAULT_AUDIO_TYPE : JACK_DEFAULT_MIDI_TYPE
    let flags = direction == .input ? JackPortIsInput : JackPortIsOutput
    var handles: [OpaquePointer] = []
    for channel in 0..<channels {
      let port = channels == 1 ? node : "\(node)_\(channel + 1)"
      guard let handle = jack_port_register(client, port, type, UInt(flags.rawValue), 0) else {
        for handle in handles { jack_port_unregister(client, handle) }
        throw .portRefused("\(name):\(port)")
      }
      handles.append(handle)
    }
    return handles
  }

  private static func prettyName(_ node: String, channel: Int, of count: Int) -> String {
    switch count {
    case 1: node
    case 2: "\(node) \(channel == 0 ? "left" : "right")"
    default: "\(node) \(channel + 1)"
    }
  }

  /// What JACK's metadata keys begin with. libjack's own constants are variables, which Swift does not trust.
  private static let metadata = "http://jackaudio.org/metadata/"

  /// Tells other programs how to show a port.
  private func describe(_ port: OpaquePointer, prettyName: String, order: Int, group: String?) {
    let subject = jack_port_uuid(port)
    jack_set_property(client, subject, Self.metadata + "pretty-name", prettyName, "text/plain")
    jack_set_property(
      client, subject, Self.metadata + "order", String(order), "http://www.w3.org/2001/XMLSchema#integer")
    if let group { jack_set_property(client, subject, Self.metadata + "port-group", group, "text/plain") }
  }
}
