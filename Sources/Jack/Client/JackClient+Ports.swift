// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

extension JackClient {
  /// Adds a capture node, which receives sound from JACK. It has one port `client:node`, or ports `client:node_1` and
  /// so on.
  ///
  /// - Parameters:
  ///   - node: the node's name.
  ///   - channels: the number of ports, 1 to 64.
  ///   - rule: the ports that the node is connected to while the client is active.
  ///   - prettyName: the name that other programs show; nil for the node's name.
  /// - Returns: the bus number, which the graph's input node states.
  /// - Throws: ``JackError/duplicateNode(_:)``, ``JackError/channels(node:_:)``,
  ///   ``JackError/tooManyNodes(node:most:)``, ``JackError/portRefused(_:)``, ``JackError/badPattern(_:)``,
  ///   ``JackError/closed(_:)``.
  package func addCapture(
    node: String, channels: Int = 1, rule: ConnectionRule = .automatic, prettyName: String? = nil
  ) throws(JackError) -> Int {
    try add(
      PortRequest(
        name: node, content: .audio, direction: .input, channels: channels, rule: rule,
        prettyName: prettyName ?? node))
  }

  /// Adds a playback node, which sends sound to JACK. See ``addCapture(node:channels:rule:prettyName:)``; the bus
  /// number is that of the graph's output node.
  package func addPlayback(
    node: String, channels: Int = 2, rule: ConnectionRule = .automatic, prettyName: String? = nil
  ) throws(JackError) -> Int {
    try add(
      PortRequest(
        name: node, content: .audio, direction: .output, channels: channels, rule: rule,
        prettyName: prettyName ?? node))
  }

  /// Adds a MIDI input node with one port. See ``addCapture(node:channels:rule:prettyName:)``; the default rule
  /// connects it to nothing.
  package func addMIDIIn(
    node: String, rule: ConnectionRule = .automatic, prettyName: String? = nil
  ) throws(JackError) -> Int {
    try add(
      PortRequest(
        name: node, content: .midi, direction: .input, channels: 1, rule: rule,
        prettyName: prettyName ?? node))
  }

  /// Adds a MIDI output node with one port. See ``addPlayback(node:channels:rule:prettyName:)``; the default rule
  /// connects it to nothing.
  package func addMIDIOut(
    node: String, rule: ConnectionRule = .automatic, prettyName: String? = nil
  ) throws(JackError) -> Int {
    try add(
      PortRequest(
        name: node, content: .midi, direction: .output, channels: 1, rule: rule,
        prettyName: prettyName ?? node))
  }

  /// Removes a node's ports, if there is a node of this name. The other nodes play on.
  ///
  /// Call this when the renderer no longer uses the node: the next node may get its bus number.
  /// - Throws: ``JackError/closed(_:)``.
  package func remove(node: String) throws(JackError) {
    if !forget(node) { try opened.removeNode(node) }
  }

  /// Sets which audio nodes have ports, and which rules are followed. Nodes without ports keep their bus
  /// numbers: their inputs are silent, and their outputs are discarded. Connections of ports that remain are kept.
  ///
  /// - Parameters:
  ///   - inputs: whether capture nodes have ports.
  ///   - outputs: whether playback nodes have ports.
  ///   - connectionPolicy: which rules are followed.
  ///   - reach: the ports that rules may connect to; nil for all. Does not limit connections made by the user.
  /// - Throws: ``JackError/portRefused(_:)``, ``JackError/badPattern(_:)``, ``JackError/closed(_:)``.
  package func serve(
    inputs: Bool, outputs: Bool, connectionPolicy: ConnectionPolicy, reach: [PortPattern]? = nil
  ) throws(JackError) {
    for pattern in reach ?? [] { try pattern.check() }
    let hidden = Set([inputs ? nil : JackPort.Direction.input, outputs ? nil : .output].compactMap(\.self))
    let isAway = life.withLock { life in
      guard !life.isClosed, life.away != nil else { return false }
      life.away?.hidden = hidden
      life.away?.manager.connectionPolicy = connectionPolicy
      life.away?.manager.reach = reach
      return true
    }
    if !isAway { try opened.serve(hiding: hidden, connectionPolicy: connectionPolicy, reach: reach) }
  }
}
