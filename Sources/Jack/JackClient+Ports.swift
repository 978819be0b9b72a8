// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

extension JackClient {
  /// Adds a capture node: sound comes in from the studio. One port
  /// `client:node`, or `client:node_1` and so on.
  ///
  /// - Parameters:
  ///   - node: the node's name.
  ///   - channels: how many ports, 1 to 64.
  ///   - rule: which ports of the studio it is connected to when active.
  ///   - prettyName: what other programs show; the node's name where nil.
  /// - Returns: the bus number that the graph's input node states.
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

  /// Adds a playback node: sound goes out to the studio. Like
  /// ``addCapture(node:channels:rule:prettyName:)``; the number is that of the graph's output node.
  package func addPlayback(
    node: String, channels: Int = 2, rule: ConnectionRule = .automatic, prettyName: String? = nil
  ) throws(JackError) -> Int {
    try add(
      PortRequest(
        name: node, content: .audio, direction: .output, channels: channels, rule: rule,
        prettyName: prettyName ?? node))
  }

  /// Adds a way in for MIDI, with one port. Like ``addCapture(node:channels:rule:prettyName:)``; without a
  /// rule it is connected to nothing.
  package func addMIDIIn(
    node: String, rule: ConnectionRule = .automatic, prettyName: String? = nil
  ) throws(JackError) -> Int {
    try add(
      PortRequest(
        name: node, content: .midi, direction: .input, channels: 1, rule: rule,
        prettyName: prettyName ?? node))
  }

  /// Adds a way out for MIDI, with one port. Like ``addPlayback(node:channels:rule:prettyName:)``; without a
  /// rule it is connected to nothing.
  package func addMIDIOut(
    node: String, rule: ConnectionRule = .automatic, prettyName: String? = nil
  ) throws(JackError) -> Int {
    try add(
      PortRequest(
        name: node, content: .midi, direction: .output, channels: 1, rule: rule,
        prettyName: prettyName ?? node))
  }

  /// Takes a node's ports away; nothing happens where there is none of this name. The rest plays on.
  ///
  /// Call it when the renderer has let go of the node: its bus number may be given to the next.
  /// - Throws: ``JackError/closed(_:)``.
  package func remove(node: String) throws(JackError) {
    if !forget(node) { try opened.removeNode(node) }
  }

  /// Says which nodes for sound have ports, and how far their rules are followed. Nodes without ports keep their
  /// bus numbers: a way in is silent, a way out is not heard. Cables that are in stay where the ports do.
  ///
  /// - Parameter reach: the ports that rules may connect to; nil for all. Whoever puts a cable in by hand may put it
  ///   anywhere.
  /// - Throws: ``JackError/portRefused(_:)``, ``JackError/badPattern(_:)``, ``JackError/closed(_:)``.
  package func serve(
    inputs: Bool, outputs: Bool, cabling: Cabling, reach: [PortPattern]? = nil
  ) throws(JackError) {
    for pattern in reach ?? [] { try pattern.check() }
    let hidden = Set([inputs ? nil : JackPort.Direction.input, outputs ? nil : .output].compactMap(\.self))
    let isAway = life.withLock { life in
      guard !life.isClosed, life.away != nil else { return false }
      life.away?.hidden = hidden
      life.away?.keeper.cabling = cabling
      life.away?.keeper.reach = reach
      return true
    }
    if !isAway { try opened.serve(hiding: hidden, cabling: cabling, reach: reach) }
  }
}
