// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles
public import SwiftletJack

/// What an engine has to tell while it runs: read from `AudioEngine.events`.
public enum EngineEvent: Sendable {
  /// The server was late. `total` counts since the engine was made; `slowest` names the nodes that took
  /// longest in the worst cycle since the last report, and `microseconds` says how long.
  case xrun(total: Int, slowest: [String], microseconds: Double)
  /// A value was outside the parameter's range and was moved to its edge.
  case clamped(node: String, parameter: String, asked: Float, used: Float)
  /// A playback node was muted to save ears and speakers; it stays so until `open`.
  case muted(node: String, reason: String)
  /// The node whose output is to blame for a muted playback node.
  case culprit(node: String)
  /// An effect was fed samples that are no numbers, or infinite, and took them for silence. Told once.
  case badInput(node: String)
  /// So many MIDI events found no room.
  case eventsLost(Int)
  /// Something that JACK told: cables, block length, ports that are waited for.
  case studio(JackEvent)
  /// The server has gone: the engine has stopped. Takes are closed and whole.
  case serverLost(String)
  /// A plugin wrote a line to its log.
  case plugin(node: String, message: String)
  /// A plugin that relies on JACK's period follows a new one, of so many frames. It was made anew
  /// (`isNew`), with its state and parameters but without its tail; else it was silent, and plays on
  /// now that the period is as before.
  case pluginRefitted(node: String, period: Int, isNew: Bool)
  /// A plugin cannot work with JACK's new period, for this reason, and is silent until another one comes.
  case pluginSilent(node: String, period: Int, reason: String)
  /// Something the user should know.
  case warning(String)
  /// A take has ended.
  case takeEnded(TakeReport)
}
