// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// An event of the JACK client.
@nonexhaustive public enum JackEvent: Equatable, Sendable {
  /// An xrun: the number since the client was opened, and the last delay in microseconds.
  case xrun(total: Int, delay: Float)
  /// JACK's clock jumped by more than ten seconds forwards or backwards, because the machine slept or the server
  /// stood still. The length of the pause is unknown. If frames were lost, the stream continues after one lost cycle.
  /// `total` counts the jumps since the client was opened.
  case clockJumped(total: Int)
  /// The server's period has changed, in frames.
  case blockLength(Int)
  /// The server's sample rate has changed, in Hz. Sound made for the previous rate is out of tune.
  case sampleRate(Double)
  /// Freewheeling began or ended.
  case freewheeling(Bool)
  /// A port of the engine was connected, by the engine or by another program.
  case connected(PortConnection)
  /// A port of the engine was disconnected, or the other port was removed.
  case disconnected(PortConnection)
  /// The connections of the engine's ports, or the ports that they can be connected to, have changed.
  case route(RouteChange)
  /// A node's rule finds no port yet. The node is connected when one appears. Reported once for each node and
  /// activation.
  case waiting(node: String, rule: ConnectionRule)
  /// The server refused a connection that a node's rule asked for.
  case refused(PortConnection)
  /// The number of MIDI events, since the client was opened, that did not fit into a buffer.
  case lostEvents(total: Int)
  /// The server has ended, or has shut the client down because it was too slow. The engine reconnects as soon as a
  /// server is available, unless ``AudioEngine/reconnects`` is false.
  case shutdown(reason: String, wasZombified: Bool)
}

/// A line that libjack or a private server printed.
package struct JackMessage: Equatable, Sendable {
  /// The text of the line.
  package let text: String
  /// Whether libjack reported it as an error. Many such messages are not errors.
  package let isError: Bool
}
