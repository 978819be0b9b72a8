// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// How a plugin runs in a process of its own.
package struct PluginIsolation: Sendable, Equatable {
  /// What is heard of a plugin whose process has failed, until it has been started anew.
  package enum Failure: String, Sendable, CaseIterable {
    /// Silence, after a ramp over one block.
    case mute
    /// Its input, after a crossfade over one block.
    case bypass
  }

  /// What is heard after a failure; default is silence.
  package var onFailure: Failure
  /// The longest time that the audio thread waits for a block, in seconds; nil is a quarter of JACK's period.
  package var deadline: Double?

  /// Whether the plugin is heard one block later, so that the audio thread need not wait for it: it takes what the plugin has
  /// made of the block before. The latency is compensated.
  package var isOneBlockLate = false

  /// The process that the plugin shares with others; nil is one of its own. A plugin that has failed gets one of its own.
  package var process: SharedProcess?

  /// An isolation that mutes a plugin whose process has failed, in a process of its own, unless told otherwise.
  package init(onFailure: Failure = .mute, deadline: Double? = nil, sharing process: SharedProcess? = nil) {
    self.onFailure = onFailure
    self.deadline = deadline
    self.process = process
  }

  /// The process for a plugin: the shared one, or one of its own.
  func process(for uri: String, path: String?) throws(PluginError) -> ChildProcess {
    if let process { return try process.process(for: uri, path: path) }
    return try ChildProcess(for: uri, path: path)
  }
}

/// What has happened to the process of an isolated plugin.
package enum ProcessNews: Sendable, Equatable {
  /// It has ended, or was ended; why, and the last words that it printed.
  case failed(String)
  /// It was started anew, and the plugin is heard again.
  case restarted
  /// It could not be started anew, for this reason.
  case notRestarted(String)
}
