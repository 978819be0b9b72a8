// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import Glibc
internal import Synchronization

extension JackClient {
  /// All ports of the studio, ours too, in the order they were registered.
  ///
  /// - Throws: ``JackError/closed(_:)``.
  package func ports() throws(JackError) -> [JackPort] {
    try opened.edit { _ in JackPort.all(of: opened.client) }
  }

  /// The ports whose full name this regular expression matches as a whole.
  ///
  /// - Throws: ``JackError/badPattern(_:)``, ``JackError/closed(_:)``.
  package func ports(matching pattern: String) throws(JackError) -> [JackPort] {
    try ports().matching(pattern)
  }

  /// The names of the ports that a port, ours or not, is connected to; empty for one that is not there.
  ///
  /// - Throws: ``JackError/closed(_:)``.
  package func connections(of port: String) throws(JackError) -> [String] {
    let opened = opened
    return try opened.edit { _ in jack_port_by_name(opened.client, port).map(opened.ends) ?? [] }
  }

  /// What our ports are connected to now.
  ///
  /// - Throws: ``JackError/closed(_:)``.
  package func route() throws(JackError) -> Route {
    let opened = opened
    return try opened.edit { opened.route($0) }
  }

  /// Whether another client is connected to one of the machine's ports that we play to; to any of its ports for
  /// sound where we play to none. JACK does not tell whether what it sends is silence.
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

  /// Puts a cable in, as the user's hand would. One that is there already is fine.
  ///
  /// - Throws: ``JackError/notConnected(source:destination:)``, ``JackError/closed(_:)``.
  package func connect(_ cable: Cable) throws(JackError) {
    try opened.edit { _ throws(JackError) in
      let result = jack_connect(opened.client, cable.source, cable.destination)
      guard result == 0 || result == EEXIST else {
        throw .notConnected(source: cable.source, destination: cable.destination)
      }
    }
  }

  /// Takes a cable out. Our own rules take it for pulled: it stays out until the next start.
  ///
  /// - Throws: ``JackError/closed(_:)``.
  package func disconnect(_ cable: Cable) throws(JackError) {
    try opened.edit { _ in _ = jack_disconnect(opened.client, cable.source, cable.destination) }
  }

  /// How much of a cycle the studio needs, in percent, smoothed by the server.
  package var load: Float { (try? opened.edit { _ in jack_cpu_load(opened.client) }) ?? 0 }

  /// How often the server was late since the client was opened.
  package var xruns: Int { opened.mailbox.xruns.load(ordering: .acquiring) }

  /// Whether the server runs with real-time priority.
  package var isRealtime: Bool { (try? opened.edit { _ in jack_is_realtime(opened.client) != 0 }) ?? false }

  /// The absolute frame that is heard or read right now, estimated from the clock; not before the last cycle.
  ///
  /// While the server is held up the estimate goes on, and may step back when the next cycle comes.
  package var currentFrame: Int64 { clockFrame ?? opened.edge.pointee.clock.0 }

  /// As ``currentFrame``; nil before the first cycle, and while there is no server.
  package var clockFrame: Int64? {
    let (last, offset) = opened.edge.pointee.clock
    guard offset != nil else { return nil }
    return (try? opened.edit { _ in frame(of: jack_frame_time(opened.client)) }).map { max(last, $0) }
  }

  /// The absolute frame of one of JACK's, which are 32 bits long; the nearest to the last cycle. Before the
  /// first, the frame that sound begins with.
  package func frame(of jackFrame: UInt32) -> Int64 {
    let (last, offset) = opened.edge.pointee.clock
    guard let offset else { return last }
    return last + Int64(Int32(bitPattern: jackFrame &- UInt32(truncatingIfNeeded: last &+ offset)))
  }

  /// Says how long sound takes through the graph, so that the studio can line things up.
  ///
  /// - Parameter paths: one for each pair of a way in and a way out that sound takes. Where nil, every pair
  ///   is taken to be connected and to take no time.
  /// - Throws: ``JackError/closed(_:)``.
  package func setLatency(_ paths: [LatencyPath]?) throws(JackError) {
    opened.show { $0.paths = paths }
    try opened.edit { edits in
      if edits.isActive { jack_recompute_total_latencies(opened.client) }
    }
  }

  /// How old the sound on a node's ports is, in frames since it entered the studio; nil without such a node.
  package func captureLatency(of node: String) -> ClosedRange<Int>? {
    opened.latency(of: node, JackCaptureLatency)
  }

  /// How long until the sound on a node's ports is heard, in frames; nil without such a node.
  package func playbackLatency(of node: String) -> ClosedRange<Int>? {
    opened.latency(of: node, JackPlaybackLatency)
  }

  /// Lets the whole studio run as fast as it can, unheard, or in real time again.
  ///
  /// - Throws: ``JackError/closed(_:)``.
  package func setFreewheel(_ isOn: Bool) throws(JackError) {
    try opened.edit { _ in _ = jack_set_freewheel(opened.client, isOn ? 1 : 0) }
  }

  /// Changes the server's block for the whole studio, in frames; a power of two.
  ///
  /// - Returns: whether the server agreed.
  /// - Throws: ``JackError/closed(_:)``.
  @discardableResult package func setBlockLength(_ frameCount: Int) throws(JackError) -> Bool {
    try opened.edit { _ in
      jack_set_buffer_size(opened.client, jack_nframes_t(clamping: frameCount)) == 0
    }
  }
}
