// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

/// The commands that the engine gives to players of all kinds: of a file, a track, a MIDI file, or a schedule. Any
/// thread.
protocol EnginePlayer: AnyObject, Sendable {
  /// The processor on the audio thread.
  var processor: Processor { get }
  /// Makes a handle of the player's node. Default: a plain node.
  var makeHandle: AudioNode.Maker { get }
  /// Whether the player was told to play, even if nothing is left to play. Default: ``isPlaying``.
  var isAskedToPlay: Bool { get }
  /// Whether the player was told to play and has something to play.
  var isPlaying: Bool { get }
  /// Plays from an absolute frame on; nil, or a frame that has passed, means at once.
  func play(at frame: Int64?)
  func pause()
  /// Resumes after a pause that the engine set, once the next frames have been read. Never waits for a disk. Default:
  /// resumes at once.
  func goOn()
}

extension EnginePlayer {
  var makeHandle: AudioNode.Maker { AudioNode.handle }
  var isAskedToPlay: Bool { isPlaying }
  func goOn() { play(at: nil) }
}

extension EnginePlayer where Self: Processor {
  var processor: Processor { self }
}

extension StreamPlayer: EnginePlayer {
  var processor: Processor { source }
}
extension EventSource: EnginePlayer {
  var makeHandle: AudioNode.Maker { MIDIPlayerNode.handle }
}
