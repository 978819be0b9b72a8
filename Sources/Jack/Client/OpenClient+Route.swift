// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack

extension OpenClient {
  /// Returns the present connections of the client. Under the editing lock.
  func route(_ edits: Edits) -> Route {
    var route = Route()
    route.period = Int(jack_get_buffer_size(client))
    for node in edits.nodes {
      for (channel, handle) in node.handles.enumerated() {
        let links = ends(of: handle).compactMap { port($0, node) }.map {
          Route.Link(node.name, channel: channel, $0)
        }
        if node.direction == .input { route.inputs += links } else { route.outputs += links }
      }
    }
    return route
  }

  /// Returns the names of all physical ports of the JACK graph.
  func sockets() -> Set<String> { Set(JackPort.all(of: client).filter(\.isPhysical).map(\.name)) }

  /// Returns the names of the ports that a port is connected to.
  func ends(of port: OpaquePointer) -> [String] {
    guard let names = jack_port_get_all_connections(client, port) else { return [] }
    defer { jack_free(names) }
    var result: [String] = []
    while let name = names[result.count] { result.append(String(cString: name)) }
    return result
  }

  private func port(_ name: String, _ node: NodePorts) -> Route.Port? {
    guard let handle = jack_port_by_name(client, name) else { return nil }
    let flags = UInt32(truncatingIfNeeded: jack_port_flags(handle))
    // The latency on the far side of the port: capture latency for a source, playback latency for a destination.
    var range = jack_latency_range_t()
    jack_port_get_latency_range(
      handle, node.direction == .input ? JackCaptureLatency : JackPlaybackLatency, &range)
    let shortest = Int(range.min), longest = Int(range.max)
    return Route.Port(
      name, uuid: String(jack_port_uuid(handle)), aliases: aliases(of: handle), content: node.content,
      isPhysical: flags & JackPortIsPhysical.rawValue != 0,
      latency: min(shortest, longest)...max(shortest, longest))
  }

  private func aliases(of port: OpaquePointer) -> [String] {
    let size = Int(jack_port_name_size())
    guard size > 0 else { return [] }
    let first = UnsafeMutablePointer<CChar>.allocate(capacity: 2 * size)
    defer { first.deallocate() }
    first.initialize(repeating: 0, count: 2 * size)
    var names: [UnsafeMutablePointer<CChar>?] = [first, first + size]
    let count = Int(jack_port_get_aliases(port, &names))
    return names.prefix(max(0, min(count, 2))).compactMap { $0.map { String(cString: $0) } }
  }
}
