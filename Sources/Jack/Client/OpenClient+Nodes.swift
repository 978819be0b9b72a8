// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import SwiftletThreads
internal import Synchronization

extension OpenClient {
  /// Registers a node's ports and publishes them to the audio thread. Returns the node's bus number.
  func addNode(_ request: PortRequest) throws(JackError) -> Int {
    try edit { edits throws(JackError) -> Int in
      let number = try edits.layout.number(for: request)
      edits.layout.add(request, as: number)
      do throws(JackError) {
        if edits.layout.shows(request) { try register(request, as: number, &edits) }
      } catch {
        // A server that is ending registers no ports. They are registered on the next server.
        if isDying { return number }
        edits.layout.remove(request.name)
        throw error
      }
      if edits.isActive { connect(&edits) }
      return number
    }
  }

  /// Whether the server has ended. JACK may report that a moment after it has refused a request, so this waits for the
  /// report, at most 200 ms.
  private var isDying: Bool {
    Waiting.until(every: .milliseconds(5), tries: 40) { mailbox.isShutDown.load(ordering: .acquiring) }
  }

  /// Registers all ports that the client had on a server that has ended.
  func restore(_ layout: PortLayout) throws(JackError) {
    try edit { edits throws(JackError) in
      edits.layout = layout
      for node in layout.nodes where layout.shows(node.request) {
        try register(node.request, as: node.number, &edits)
      }
      edits.layout.manager.noteReturned(among: JackPort.all(of: client))
    }
  }

  private func register(_ request: PortRequest, as number: Int, _ edits: inout Edits) throws(JackError) {
    let handles = try register(request)
    let group = UnsafeMutablePointer<PortGroup>.allocate(capacity: 1)
    group.initialize(to: PortGroup(handles, request.content, request.direction))
    switch request.direction {
    case .input: edge.pointee.inputs.show(group, as: number)
    case .output: edge.pointee.outputs.show(group, as: number)
    }
    for (channel, handle) in handles.enumerated() {
      describe(
        handle, prettyName: Self.prettyName(request.prettyName, channel: channel, of: request.channels),
        order: edits.portCount, group: request.channels > 1 ? request.prettyName : nil)
      edits.portCount += 1
    }
    edits.nodes.append(
      NodePorts(
        name: request.name, direction: request.direction, content: request.content, number: number,
        handles: handles))
    let all = edits.nodes
    show { $0.nodes = all }
    edits.watch?.noteOwnPorts()
  }

  /// Adds the ports of nodes that are to have ports, removes those of the others, and follows the rules within these
  /// limits.
  func serve(
    hiding hidden: Set<JackPort.Direction>, connectionPolicy: ConnectionPolicy, reach: [PortPattern]?
  ) throws(JackError) {
    try edit { edits throws(JackError) in
      edits.layout.hidden = hidden
      edits.layout.manager.connectionPolicy = connectionPolicy
      edits.layout.manager.reach = reach
      for node in edits.layout.nodes {
        let isThere = edits.nodes.contains { $0.name == node.request.name }
        if edits.layout.shows(node.request), !isThere {
          try register(node.request, as: node.number, &edits)
        } else if !edits.layout.shows(node.request), isThere {
          withdraw(node.request.name, &edits)
        }
      }
      if edits.isActive { connect(&edits) }
    }
  }

  /// Removes a node's ports. The plan that is rendered must no longer use its bus.
  func removeNode(_ node: String) throws(JackError) {
    try edit { edits throws(JackError) in
      edits.layout.forgetRule(of: node)
      // If the audio thread hangs, the memory and the number of the node stay in use.
      if withdraw(node, &edits) { edits.layout.remove(node) }
    }
  }

  /// Removes a node's ports, if it has any. Returns false if the audio thread does not release them.
  @discardableResult private func withdraw(_ node: String, _ edits: inout Edits) -> Bool {
    guard let index = edits.nodes.firstIndex(where: { $0.name == node }) else { return true }
    let ports = edits.nodes[index]
    let group =
      switch ports.direction {
      case .input: edge.pointee.inputs.hide(ports.number)
      case .output: edge.pointee.outputs.hide(ports.number)
      }
    guard waitForCycle() else { return false }
    edits.nodes.remove(at: index)
    edits.watch?.noteOwnPorts()
    let all = edits.nodes
    show { $0.nodes = all }
    for handle in ports.handles {
      jack_remove_properties(client, jack_port_uuid(handle))
      jack_port_unregister(client, handle)
    }
    group?.pointee.deallocate()
    group?.deallocate()
    return true
  }

  private func register(_ request: PortRequest) throws(JackError) -> [OpaquePointer] {
    let type = request.content == .audio ? JACK_DEFAULT_AUDIO_TYPE : JACK_DEFAULT_MIDI_TYPE
    let flags = request.direction == .input ? JackPortIsInput : JackPortIsOutput
    var handles: [OpaquePointer] = []
    for port in request.portNames {
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

  /// The prefix of JACK's metadata keys. libjack's own constants are variables, which Swift does not accept as safe.
  private static let metadata = "http://jackaudio.org/metadata/"

  /// Sets the metadata of a port, by which other programs show it.
  private func describe(_ port: OpaquePointer, prettyName: String, order: Int, group: String?) {
    let subject = jack_port_uuid(port)
    jack_set_property(client, subject, Self.metadata + "pretty-name", prettyName, "text/plain")
    jack_set_property(
      client, subject, Self.metadata + "order", String(order), "http://www.w3.org/2001/XMLSchema#integer")
    if let group { jack_set_property(client, subject, Self.metadata + "port-group", group, "text/plain") }
  }
}
