// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles
public import SwiftletJack

extension EngineEvent {
  /// A node, and its share of a cycle's time.
  public struct NodeLoad: Sendable, Equatable {
    /// The node's name.
    public let node: String
    /// The node's processing time as a share of the period: 1 is the whole period.
    public let share: Double

    /// Creates the load of a node.
    package init(node: String, share: Double) {
      self.node = node
      self.share = share
    }
  }
}

/// An event of an engine while it runs: see ``AudioEngine/events``.
///
/// A value, for any thread. <doc:ThreadingAndRealTime> lists the thread of each closure that gets one.
@nonexhaustive public enum EngineEvent: Sendable {
  /// An xrun: the server was late. `total` counts xruns since the engine was made. `share` is the engine's longest cycle
  /// since the last report, as a multiple of the period; 0 if nothing was measured. If it is less than 1, another client
  /// or the system caused the xrun, and `slowest` is empty. Otherwise `slowest` names the node, or the group of nodes
  /// timed together, that took longest in that cycle, unless the graph has changed since; `microseconds` is the time
  /// that it took.
  case xrun(total: Int, share: Double, slowest: [String], microseconds: Double)
  /// The graph overloads the audio thread: a cycle takes `share` times its period, so sound is lost or late. `nodes`
  /// are the three nodes with the largest loads. Reported once, until the load has fallen again.
  case overloaded(share: Double, nodes: [EngineEvent.NodeLoad])
  /// A value was out of range and was clamped: a parameter, or a gain, volume, trim or pan. For a wire, `node` names
  /// both ends, as in `voice → main`.
  case clamped(node: String, parameter: String, asked: Float, used: Float)
  /// A parameter was set to a value that is not a number; the parameter keeps its value.
  case notANumber(node: String, parameter: String)
  /// A parameter was set for a band that the node does not have. Bands are counted from 0.
  case noSuchBand(node: String, band: Int, count: Int)
  /// The sound of an ``AudioPlayer`` reaches a node twice: on the wire that the player made itself, and through nodes
  /// that the program has connected it to since. `connect` adds a wire and removes none; `disconnect(_:from:)`
  /// removes the player's own wire. Reported once for each player.
  case doubled(node: String, destination: String)
  /// A playback node was muted to protect ears and loudspeakers. It stays muted until ``OutputNode/open()`` is
  /// called.
  case muted(node: String, reason: String)
  /// The node whose output caused an output node to be muted.
  case culprit(node: String)
  /// The nodes that may have caused an output node to be muted, if the cause was not found within one second, or before
  /// the sound ended: all plugins whose sound reaches the output node; if there are none, all other nodes whose sound
  /// does, except mixers.
  case suspects(nodes: [String])
  /// An effect received samples that are NaN, infinite or beyond ±10¹⁵, and treated them as silence. Reported once.
  case badInput(node: String)
  /// A player or a track stopped before its end: a file was cut short or damaged while it played, or its disk was
  /// removed. A ``PlayerNode`` reports the item that failed instead.
  case streamFailed(node: String, FileError)
  /// The number of MIDI events that did not fit into a buffer.
  case eventsLost(Int)
  /// An event of JACK: a connection, another period, a port that a node waits for.
  case server(JackEvent)
  /// An interruption of the engine begins or ends.
  case interruption(Interruption)
  /// The connections of the engine's ports, or the ports that they can be connected to, have changed. `paused` names
  /// the players that were paused because their output port was removed.
  case routeChange(RouteChange, paused: [String])
  /// Another session ducks the engine's outputs: their level changes by this many dB, −60 to 0; 0 when the ducking
  /// ends.
  case ducked(by: Double)
  /// The server came back at a sample rate other than the engine's, both in Hz. The engine reconnects when the server
  /// runs at the engine's rate again; a new engine adopts any rate. Reported once for each rate.
  case otherRate(server: Double, engine: Double)
  /// The server has ended, and the engine has stopped, since ``AudioEngine/reconnects`` is false. Takes end with the
  /// last sound; each is reported as ``takeEnded(_:)`` when its file is finished.
  case serverLost(String)
  /// A plugin wrote a line to its log.
  case plugin(node: String, message: String)
  /// A plugin has sent malformed events, which the engine has corrected: a fault in the plugin's code. The reason follows
  /// the plugin's name. Reported once for each kind of fault.
  case pluginFault(node: String, uri: String, reason: String)
  /// The process of an isolated plugin has failed, for this reason. The plugin is silent, or bypassed, until it is
  /// restarted.
  case pluginFailed(node: String, reason: String)
  /// An isolated plugin was restarted and is heard again, with the state that was loaded last and its present
  /// parameters.
  case pluginRestarted(node: String)
  /// A plugin that relies on JACK's period now works with a new period, in frames. If `isNew` is true, it was made
  /// again, with its state and parameters but without its tail; otherwise it was silent, and plays again because the
  /// old period has returned.
  case pluginRefitted(node: String, period: Int, isNew: Bool)
  /// A plugin cannot work with JACK's new period, for this reason. It is silent until the period changes again.
  case pluginSilent(node: String, period: Int, reason: String)
  /// A warning for the user, as one sentence.
  case warning(String)
  /// A take has ended.
  case takeEnded(TakeReport)
}
