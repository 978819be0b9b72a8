// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles
public import SwiftletJack

extension EngineEvent {
  /// A node, and how much of a cycle's time it takes.
  public struct NodeLoad: Sendable, Equatable {
    /// The node's name.
    public let node: String
    /// Its share of the time that the cycle's sound lasts: 1 is all there is.
    public let share: Double

    /// A node that takes a share.
    package init(node: String, share: Double) {
      self.node = node
      self.share = share
    }
  }
}

/// An event of an engine while it runs: see ``AudioEngine/events``.
@nonexhaustive public enum EngineEvent: Sendable {
  /// The server was late. `total` counts since the engine was made; `slowest` names the nodes that took
  /// longest in the worst cycle since the last report, and `microseconds` says how long.
  case xrun(total: Int, slowest: [String], microseconds: Double)
  /// The graph needs more time than there is: a cycle takes `share` times as long as the sound that it makes. `nodes` are
  /// the three that take most. Sound is lost, or comes late. Told once, until the graph has needed less.
  case overloaded(share: Double, nodes: [EngineEvent.NodeLoad])
  /// A value was outside its range and was moved to the edge: a parameter, or a gain, volume, trim or pan. Of a wire,
  /// `node` names both ends, as in `voice → main`.
  case clamped(node: String, parameter: String, asked: Float, used: Float)
  /// A parameter was set to a value that is not a number; the parameter keeps its value.
  case notANumber(node: String, parameter: String)
  /// A parameter of a band was set that the node does not have. Bands count from 0.
  case noSuchBand(node: String, band: Int, count: Int)
  /// The sound of an ``AudioPlayer`` reaches a node twice: on the wire that the player made itself, and through nodes that
  /// the program connected it to since. `connect` adds a wire and removes none; `disconnect(_:from:)` removes the
  /// player's own. Told once for each player.
  case doubled(node: String, destination: String)
  /// A playback node was muted to save ears and speakers; it stays so until `open`.
  case muted(node: String, reason: String)
  /// The node whose output caused an output node to be muted.
  case culprit(node: String)
  /// The nodes that may have caused an output node to be muted, if the sound ended before the cause was found: all
  /// plugins whose sound reaches the output node, or else all nodes.
  case suspects(nodes: [String])
  /// An effect was fed samples that are no numbers, or infinite, and took them for silence. Told once.
  case badInput(node: String)
  /// A player or a track stopped before its end: a file was cut short or damaged while it played, or its disk was
  /// removed. A ``PlayerNode`` reports the item that failed instead.
  case streamFailed(node: String, FileError)
  /// So many MIDI events found no room.
  case eventsLost(Int)
  /// An event of JACK: a connection, another period, a port that a node waits for.
  case studio(JackEvent)
  /// An interruption of the engine begins or ends.
  case interruption(Interruption)
  /// The connections of the engine's ports, or the ports that they can be connected to, have changed; with the names
  /// of the players that were paused because the port that they were heard on was removed.
  case routeChange(RouteChange, paused: [String])
  /// Another session has the engine's outputs turned down by this many dB; 0 at the end.
  case ducked(by: Double)
  /// The server came back at another rate, in frames a second, than the one that all was made for. The engine
  /// stays away and returns when the server runs at the engine's rate again; one made anew takes any. Told once
  /// for each rate.
  case otherRate(server: Double, engine: Double)
  /// The server is gone, and the engine has stopped, since ``AudioEngine/reconnects`` is false. Takes end with the
  /// last sound; each is reported as ``takeEnded(_:)`` when its file is finished.
  case serverLost(String)
  /// A plugin wrote a line to its log.
  case plugin(node: String, message: String)
  /// The process of an isolated plugin has failed, for this reason: it is silent, or bypassed, until it is started anew.
  case pluginFailed(node: String, reason: String)
  /// An isolated plugin was started anew and is heard again, with the state that it was given last and its parameters as
  /// they stand.
  case pluginRestarted(node: String)
  /// A plugin that relies on JACK's period follows a new one, of so many frames. It was made anew
  /// (`isNew`), with its state and parameters but without its tail; else it was silent, and plays on
  /// now that the period is as before.
  case pluginRefitted(node: String, period: Int, isNew: Bool)
  /// A plugin cannot work with JACK's new period, for this reason, and is silent until another one comes.
  case pluginSilent(node: String, period: Int, reason: String)
  /// A warning for the user, as one sentence.
  case warning(String)
  /// A take has ended.
  case takeEnded(TakeReport)
}
