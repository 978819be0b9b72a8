// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// An event of the JACK client.
@nonexhaustive public enum JackEvent: Equatable, Sendable {
  /// The server was late; how often since the client was opened, and by how many microseconds the last time.
  case xrun(total: Int, delay: Float)
  /// JACK's clock jumped by more than ten seconds, or back: the machine slept, or the server stood still. The length
  /// is unknown; if frames were lost, the stream goes on after one lost cycle. `total` counts the jumps since the
  /// client was opened.
  case clockJumped(total: Int)
  /// The server's block has another length now, in frames.
  case blockLength(Int)
  /// The server runs at another rate now, in frames a second. What was made for the old one is out of tune.
  case sampleRate(Double)
  /// Freewheeling began or ended.
  case freewheeling(Bool)
  /// A port of the engine was connected, by the engine or by another program.
  case connected(Cable)
  /// A port of the engine was disconnected, or the other port was removed.
  case disconnected(Cable)
  /// The connections of the engine's ports, or the ports that they can be connected to, have changed.
  case route(RouteChange)
  /// A node's rule finds no port yet; it is connected when one appears. Said once a node and start.
  case waiting(node: String, rule: ConnectionRule)
  /// The server refused a connection that a node's rule asked for.
  case refused(Cable)
  /// So many MIDI events, since the client was opened, found no room in a buffer.
  case lostEvents(total: Int)
  /// The server has gone, or has thrown us out as too slow. An engine comes
  /// back as soon as a server is there, unless ``AudioEngine/reconnects`` is false.
  case shutdown(reason: String, wasThrownOut: Bool)
}

/// A line that libjack or a private server wrote.
package struct JackMessage: Equatable, Sendable {
  /// What it says.
  package let text: String
  /// Whether libjack took it for an error. Much of that is none.
  package let isError: Bool
}
