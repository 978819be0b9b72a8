// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

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
  public func addCapture(
    node: String, channels: Int = 1, rule: ConnectionRule = .automatic, prettyName: String? = nil
  ) throws(JackError) -> Int {
    try opened.addNode(
      node, .audio, .input, channels: channels, rule: rule, prettyName: prettyName ?? node)
  }

  /// Adds a playback node: sound goes out to the studio. Like
  /// ``addCapture(node:channels:rule:prettyName:)``; the number is that of the graph's output node.
  public func addPlayback(
    node: String, channels: Int = 2, rule: ConnectionRule = .automatic, prettyName: String? = nil
  ) throws(JackError) -> Int {
    try opened.addNode(
      node, .audio, .output, channels: channels, rule: rule, prettyName: prettyName ?? node)
  }

  /// Adds a way in for MIDI, with one port. Like ``addCapture(node:channels:rule:prettyName:)``; without a
  /// rule it is connected to nothing.
  public func addMIDIIn(
    node: String, rule: ConnectionRule = .automatic, prettyName: String? = nil
  ) throws(JackError) -> Int {
    try opened.addNode(node, .midi, .input, channels: 1, rule: rule, prettyName: prettyName ?? node)
  }

  /// Adds a way out for MIDI, with one port. Like ``addPlayback(node:channels:rule:prettyName:)``; without a
  /// rule it is connected to nothing.
  public func addMIDIOut(
    node: String, rule: ConnectionRule = .automatic, prettyName: String? = nil
  ) throws(JackError) -> Int {
    try opened.addNode(node, .midi, .output, channels: 1, rule: rule, prettyName: prettyName ?? node)
  }

  /// Takes a node's ports away; nothing happens where there is none of this name. The rest plays on.
  ///
  /// Call it when the renderer has let go of the node: its bus number may be given to the next.
  /// - Throws: ``JackError/closed(_:)``.
  public func remove(node: String) throws(JackError) { try opened.removeNode(node) }
}
