// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import Glibc
internal import Synchronization

extension JackClient {
  /// Returns all ports of the JACK graph, including this client's, in the order of their registration.
  ///
  /// - Throws: ``JackError/closed(_:)``.
  package func ports() throws(JackError) -> [JackPort] {
    try opened.edit { _ in JackPort.all(of: opened.client) }
  }

  /// Returns the ports whose full name matches this regular expression as a whole.
  ///
  /// - Throws: ``JackError/badPattern(_:)``, ``JackError/closed(_:)``.
  package func ports(matching pattern: String) throws(JackError) -> [JackPort] {
    try ports().matching(pattern)
  }

  /// Returns the names of the ports that any port is connected to; empty if there is no such port.
  ///
  /// - Throws: ``JackError/closed(_:)``.
  package func connections(of port: String) throws(JackError) -> [String] {
    let opened = opened
    return try opened.edit { _ in jack_port_by_name(opened.client, port).map(opened.ends) ?? [] }
  }

  /// Returns the present connections of this client's ports.
  ///
  /// - Throws: ``JackError/closed(_:)``.
  package func route() throws(JackError) -> Route {
    let opened = opened
    return try opened.edit { opened.route($0) }
  }

  /// Returns whether another client is connected to one of the physical ports that this client plays to; if it plays
  /// to none, to any physical audio port. JACK does not report whether the other client sends silence.
  ///
  /// - Throws: ``JackError/closed(_:)``.
  package func isSharingOutputs() throws(JackError) -> Bool {
    let opened = opened
    return try opened.edit { edits in
      var sinks = opened.route(edits).physicalOutputs
      if sinks.isEmpty {
        let ports = JackPort.all(of: opened.client)
        sinks = Set(
          ports.filter { $0.isPhysical && $0.direction == .input && $0.content == .audio }.map(\.name))
      }
      return sinks.contains { sink in
        let ends = jack_port_by_name(opened.client, sink).map(opened.ends) ?? []
        return ends.contains { !$0.hasPrefix(name + ":") }
      }
    }
  }

  /// Makes a connection, as a user would. Succeeds if the connection exists already.
  ///
  /// - Throws: ``JackError/notConnected(source:destination:)``, ``JackError/closed(_:)``.
  package func connect(_ connection: PortConnection) throws(JackError) {
    try opened.edit { _ throws(JackError) in
      let result = jack_connect(opened.client, connection.source, connection.destination)
      guard result == 0 || result == EEXIST else {
        throw .notConnected(source: connection.source, destination: connection.destination)
      }
    }
  }

  /// Removes a connection. The rules treat it as removed by the user: it is not made again until the next activation.
  ///
  /// - Throws: ``JackError/closed(_:)``.
  package func disconnect(_ connection: PortConnection) throws(JackError) {
    try opened.edit { _ in _ = jack_disconnect(opened.client, connection.source, connection.destination) }
  }

  /// JACK's CPU load in percent of a cycle, smoothed by the server.
  package var load: Float { (try? opened.edit { _ in jack_cpu_load(opened.client) }) ?? 0 }

  /// The number of xruns since the client was opened.
  package var xruns: Int { opened.mailbox.xruns.load(ordering: .acquiring) }

  /// Whether the server runs with real-time priority.
  package var isRealtime: Bool { (try? opened.edit { _ in jack_is_realtime(opened.client) != 0 }) ?? false }

  /// The absolute frame that is played or captured now, estimated from the clock; never before the last cycle.
  ///
  /// While the server is delayed, the estimate advances, and may step back when the next cycle begins.
  package var currentFrame: Int64 { clockFrame ?? opened.edge.pointee.clock.0 }

  /// As ``currentFrame``; nil before the first cycle and while there is no server.
  package var clockFrame: Int64? {
    let (last, offset) = opened.edge.pointee.clock
    guard offset != nil else { return nil }
    return (try? opened.edit { _ in frame(of: jack_frame_time(opened.client)) }).map { max(last, $0) }
  }

  /// Returns the absolute frame for a 32-bit JACK frame: the one that is nearest to the last cycle. Before the first
  /// cycle, returns the frame at which the stream begins.
  package func frame(of jackFrame: UInt32) -> Int64 {
    let (last, offset) = opened.edge.pointee.clock
    guard let offset else { return last }
    return last + Int64(Int32(bitPattern: jackFrame &- UInt32(truncatingIfNeeded: last &+ offset)))
  }

  /// Sets the latencies through the graph, which JACK uses to align clients.
  ///
  /// - Parameter paths: one path for each pair of input and output nodes that sound passes between. If nil, every
  ///   pair is assumed to be connected, without latency.
  /// - Throws: ``JackError/closed(_:)``.
  package func setLatency(_ paths: [LatencyPath]?) throws(JackError) {
    opened.show { $0.paths = paths }
    try opened.edit { edits in
      if edits.isActive { jack_recompute_total_latencies(opened.client) }
    }
  }

  /// Returns the capture latency of a node's ports in frames: the age of the sound since it entered the JACK graph.
  /// Returns nil if there is no such node.
  package func captureLatency(of node: String) -> ClosedRange<Int>? {
    opened.latency(of: node, JackCaptureLatency)
  }

  /// Returns the playback latency of a node's ports in frames: the time until the sound is heard. Returns nil if
  /// there is no such node.
  package func playbackLatency(of node: String) -> ClosedRange<Int>? {
    opened.latency(of: node, JackPlaybackLatency)
  }

  /// Starts or stops freewheeling: the server then runs as fast as it can, without the sound card.
  ///
  /// - Throws: ``JackError/closed(_:)``.
  package func setFreewheel(_ isOn: Bool) throws(JackError) {
    try opened.edit { _ in _ = jack_set_freewheel(opened.client, isOn ? 1 : 0) }
  }

  /// Changes the server's period in frames, for all clients; a power of two.
  ///
  /// - Returns: whether the server accepted the period.
  /// - Throws: ``JackError/closed(_:)``.
  @discardableResult package func setBlockLength(_ frameCount: Int) throws(JackError) -> Bool {
    try opened.edit { _ in
      jack_set_buffer_size(opened.client, jack_nframes_t(clamping: frameCount)) == 0
    }
  }
}
