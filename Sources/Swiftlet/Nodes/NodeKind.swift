// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletEffects
package import SwiftletFiles
package import SwiftletGraph
package import SwiftletJack
package import SwiftletSignal
package import SwiftletStretch
package import SwiftletTimeline

/// The kind of a node, with its options: the argument of `AudioEngine.attach`.
package enum NodeKind: Sendable {
  /// An input node: one JACK input port for each channel. Offline, the sound that is passed to `render`.
  case capture(channels: Int = 1, connect: ConnectionRule = .automatic)
  /// An output node: one JACK output port for each channel, behind a guard. Offline, the sound that `render` returns.
  /// `ceiling`, in dBFS from -36 to 0, adds a limiter before the output: the true peak never exceeds it, the sound is
  /// delayed by the limiter's look-ahead, and the node has the limiter's parameters and meter. Default: no limiter.
  case playback(channels: Int = 2, connect: ConnectionRule = .automatic, ceiling: Float? = nil)
  /// A MIDI input node: a JACK MIDI input port.
  case midiInput(connect: ConnectionRule = .automatic)
  /// A MIDI output node: a JACK MIDI output port.
  case midiOutput(connect: ConnectionRule = .automatic)
  /// A mixer of all wires that lead into it.
  case mixer(channels: Int = 2)
  /// A built-in effect, by its name. `bands` is the number of bands, for effects that have any; nil is the effect's
  /// default. `files` are paths, by the names that the effect's description gives them. `algorithm` is the stretch
  /// algorithm, for effects that have a choice; nil is the effect's default.
  case effect(
    String, channels: Int = 2, bands: Int? = nil, files: [String: String] = [:],
    algorithm: StretchAlgorithm? = nil)
  /// An LV2 plugin, by its URI. `channels` applies to mono plugins only: one instance for each channel.
  case plugin(String, channels: Int = 2)
  /// A file that is streamed from disk and repeated `loop` times. It plays as soon as the engine runs, unless
  /// `plays` is false. `stretch` is the speed and pitch, which the parameters `speed`, `varispeed` and `pitch` change
  /// later; `algorithm` is the stretch algorithm.
  case player(
    String, loop: Loops = .once, plays: Bool = true, stretch: Stretch = Stretch(),
    algorithm: StretchAlgorithm = .fast)
  /// A track of a composition, with its mix settings. It plays as soon as the engine runs, unless `plays` is
  /// false, and has the parameters of a player. Its assets are paths of files, not URLs. The bus is as
  /// wide as the widest asset, and at least stereo if the mix settings contain a pan.
  case track(Track, mix: TrackMix = TrackMix(), plays: Bool = true)
  /// A player of a Standard MIDI File with a number of passes. It plays as soon as the engine runs, unless `plays` is
  /// false.
  case midiPlayer(String, loop: Loops = .once, plays: Bool = true)
  /// A source closure, which runs on the audio thread and fills every channel of `block.output()`. It must not
  /// allocate, lock or wait.
  case source(channels: Int = 2, @Sendable (Block) -> Void)
  /// A sink closure, which runs on the audio thread and reads `block.input()`. It must not allocate, lock or wait.
  case sink(channels: Int = 2, @Sendable (Block) -> Void)
}

extension NodeKind {
  /// The description of an output node's `ceiling`, which is the limiter's parameter.
  package static let ceiling = ParameterInfo(
    Limiter.Parameters().ceiling.description, number: Limiter.Parameter.ceiling.rawValue)
}
