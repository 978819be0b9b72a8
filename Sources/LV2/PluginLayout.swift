// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What a plugin is made for.
package struct PluginLayout: Sendable, Equatable {
  /// Frames a second.
  package var sampleRate: Double
  /// The longest block that will come, in frames.
  package var longestBlock: Int
  /// The length of every block, where it is known and always the same: JACK's period, an
  /// offline render's block. Nil where blocks vary. Longer blocks are cut to it; a plugin that
  /// was promised it gets nothing else.
  package var period: Int?
  /// Channels of the wire at the main input. A mono plugin gets an instance
  /// for each; others have fixed buses.
  package var channels: Int
  /// Whether nobody listens: then the audio thread waits for the plugin's worker, and renders repeat.
  package var isOffline: Bool
  /// What a MIDI program change does.
  package var programChange = ProgramChangeUse.plugin
  /// How the plugin runs in a process of its own; nil for one that runs in this process.
  package var isolation: PluginIsolation?

  /// A layout for live use in stereo, with blocks of any length, unless told otherwise.
  package init(
    sampleRate: Double, longestBlock: Int, period: Int? = nil, channels: Int = 2, isOffline: Bool = false,
    isolation: PluginIsolation? = nil
  ) {
    self.sampleRate = sampleRate
    self.longestBlock = longestBlock
    self.period = period
    self.channels = channels
    self.isOffline = isOffline
    self.isolation = isolation
  }

  /// How many frames later than in the same cycle a plugin is heard whose longest block has `longest` frames.
  func isolatedLag(longest: Int) -> Int { !isOffline && isolation?.isOneBlockLate == true ? longest : 0 }
}
