// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Settings for a plugin in a process of its own.
package struct PluginIsolation: Sendable, Equatable {
  /// The output of a plugin whose process has failed, until the plugin has been restarted.
  package enum Failure: String, Sendable, CaseIterable {
    /// Silence, after a ramp over one block.
    case mute
    /// Its input, after a crossfade over one block.
    case bypass
  }

  /// The output after a failure.
  package var onFailure: Failure
  /// The longest time that the audio thread waits for a block, in seconds; nil means a quarter of JACK's period.
  package var deadline: Double?

  /// Whether the plugin's output is delayed by one block, so that the audio thread need not wait for it: the audio
  /// thread takes the plugin's output for the previous block. The latency is compensated.
  package var isOneBlockLate = false

  /// The process that the plugin shares with others; nil means one of its own. After a failure that the plugin caused,
  /// it gets one of its own.
  package var process: SharedProcess?

  /// Creates settings. By default, a plugin has a process of its own and is muted after a failure.
  package init(onFailure: Failure = .mute, deadline: Double? = nil, sharing process: SharedProcess? = nil) {
    self.onFailure = onFailure
    self.deadline = deadline
    self.process = process
  }

  /// Returns the process for a plugin: the shared one, or one of its own.
  func process(for uri: String, path: String?) throws(PluginError) -> ChildProcess {
    if let process { return try process.process(for: uri, path: path) }
    return try ChildProcess(for: uri, path: path)
  }
}

/// An event of an isolated plugin's process.
package enum PluginProcessEvent: Sendable, Equatable {
  /// The process has ended or was ended. The text gives the reason and the last lines that it printed.
  case failed(String)
  /// The plugin was restarted and plays again.
  case restarted
  /// The plugin could not be restarted; the text gives the reason.
  case notRestarted(String)
}
