// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletEffects
package import SwiftletFiles
package import SwiftletGraph
package import SwiftletJack
package import SwiftletSignal
package import SwiftletStretch
package import SwiftletTimeline

/// What a node is to be: handed to `AudioEngine.attach`.
package enum NodeKind: Sendable {
  /// Sound from the studio: one JACK input port a channel. Offline, what `render` is given.
  case capture(channels: Int = 1, connect: ConnectionRule = .automatic)
  /// Sound for the studio: one JACK output port a channel, behind a guard. Offline, what `render` gives back.
  /// `ceiling`, in dBFS from -36 to 0, puts the limiter before it: its true peak never passes that, its sound
  /// is late by the limiter's look-ahead, and the node has the limiter's parameters and meter. Nil is none.
  case playback(channels: Int = 2, connect: ConnectionRule = .automatic, ceiling: Float? = nil)
  /// Events from the studio: a JACK MIDI input port.
  case midiInput(connect: ConnectionRule = .automatic)
  /// Events for the studio: a JACK MIDI output port.
  case midiOutput(connect: ConnectionRule = .automatic)
  /// Mixes whatever is wired to it.
  case mixer(channels: Int = 2)
  /// A built-in effect, by its name. `bands` for those that have any; nil is the effect's own choice.
  /// `files` for those that are made with any: paths, by the names that the effect's description gives them.
  /// `engine` for those that have a choice; nil is the effect's own.
  case effect(
    String, channels: Int = 2, bands: Int? = nil, files: [String: String] = [:], engine: StretchEngine? = nil)
  /// An LV2 plugin, by its URI. `channels` matters for mono plugins alone: one instance a channel.
  case plugin(String, channels: Int = 2)
  /// A file from disk, once, so many times or for ever. It plays as soon as the
  /// engine runs, unless told otherwise. `stretch` is how fast and how high it plays, which its parameters
  /// `speed`, `varispeed` and `pitch` change later; `engine` what makes it so.
  case player(
    String, loop: Loops = .once, plays: Bool = true, stretch: Stretch = Stretch(),
    engine: StretchEngine = .fast)
  /// A track of a composition, with what a mix says of it. It plays as soon as the engine runs, unless told
  /// otherwise, and takes what a player takes. An asset's path is a file's; the bus is as wide as the widest of
  /// them, and stereo at least where the mix pans.
  case track(Track, mix: TrackMix = TrackMix(), plays: Bool = true)
  /// A Standard MIDI File, once, so many times or for ever: it plays as soon as the engine runs, unless told otherwise.
  case midiPlayer(String, loop: Loops = .once, plays: Bool = true)
  /// Sound from a closure, which runs on the audio thread: it fills every channel of `block.output()`, and
  /// never allocates, locks or waits.
  case source(channels: Int = 2, @Sendable (Block) -> Void)
  /// Sound for a closure, which runs on the audio thread and reads `block.input()`; it
  /// never allocates, locks or waits.
  case sink(channels: Int = 2, @Sendable (Block) -> Void)
}

extension NodeKind {
  /// What the `ceiling` of a playback node takes: it is the limiter's.
  package static let ceiling = ParameterInfo(
    Limiter.Parameters().ceiling.description, number: Limiter.Parameter.ceiling.rawValue)
}
