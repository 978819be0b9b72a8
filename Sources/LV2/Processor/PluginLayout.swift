// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The conditions that a plugin is instantiated for.
package struct PluginLayout: Sendable, Equatable {
  /// The sample rate in Hz.
  package var sampleRate: Double
  /// The maximum block length, in frames.
  package var longestBlock: Int
  /// The length of every block in frames, if it is known and constant: JACK's period, or an offline render's block
  /// length. Nil if block lengths vary. Longer blocks are split; a plugin that was guaranteed this length gets no
  /// other.
  package var period: Int?
  /// The number of channels of the wire at the main input. A mono plugin gets one instance per channel; other plugins
  /// have fixed buses.
  package var channels: Int
  /// Whether rendering is offline: the audio thread then waits for the plugin's worker, so that renders are
  /// reproducible.
  package var isOffline: Bool
  /// The effect of a MIDI program change.
  package var programChange = ProgramChangeUse.plugin
  /// The settings for a process of its own; nil for a plugin in this process.
  package var isolation: PluginIsolation?

  /// Creates a layout. The default is live use in stereo, with blocks of varying length.
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

  /// The delay in frames of an isolated plugin's output beyond the current cycle, if its longest block has `longest`
  /// frames.
  func isolatedLag(longest: Int) -> Int { !isOffline && isolation?.isOneBlockLate == true ? longest : 0 }

  /// This layout for an instance that is not used live.
  var offline: PluginLayout {
    var layout = self
    layout.isOffline = true
    return layout
  }
}
