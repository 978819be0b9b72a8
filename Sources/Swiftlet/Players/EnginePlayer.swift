// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletPlayback

/// The commands of all kinds of players (of a file, a track, a MIDI file, or a schedule), called by the engine and by
/// ``Player``. Any thread.
protocol EnginePlayer: AnyObject, Sendable {
  /// The processor on the audio thread.
  var processor: Processor { get }
  /// Makes a handle of the player's node. Default: a plain node.
  var makeHandle: AudioNode.Maker { get }
  /// Whether the latest command is to play, even if nothing is left to play. Default: ``isPlaying``.
  var isPlayRequested: Bool { get }
  /// Whether the latest command is to play, and something is left to play.
  var isPlaying: Bool { get }
  /// Whether the player follows the transport.
  var followsTransport: Bool { get }
  /// Whether the player has been removed. Default: false.
  var isOver: Bool { get }
  /// The position in the current item, or in the next one if none plays, in frames.
  var position: Int { get }
  /// The length of that item with all its loops, in frames; nil without an item or with an endless loop.
  var length: Int? { get }
  /// The number of underruns, and of frames that were not read in time. Default: none.
  var underruns: (count: Int, frames: Int) { get }
  /// Plays from an absolute frame on; nil, or a frame that has passed, means at once.
  func play(at frame: Int64?)
  func pause()
  /// Moves the position in the current item, or in the next one if none plays. Not for followers of the transport.
  func seek(to frame: Int, _ name: String) throws(EngineError)
  /// Resumes after a pause that the engine set, once the next frames have been read. Never waits for a disk. Default:
  /// resumes at once.
  func resumePlaying()
}

extension EnginePlayer {
  var makeHandle: AudioNode.Maker { AudioNode.handle }
  var isPlayRequested: Bool { isPlaying }
  var isOver: Bool { false }
  var underruns: (count: Int, frames: Int) { (0, 0) }
  func resumePlaying() { play(at: nil) }
}

extension EnginePlayer where Self: Processor {
  var processor: Processor { self }
}

extension StreamPlayer: EnginePlayer {
  var processor: Processor { source }
  var followsTransport: Bool { stream.isFollowing }
  var position: Int { stream.position }
  var length: Int? { stream.length }
  var underruns: (count: Int, frames: Int) { stream.underruns }
  func seek(to frame: Int, _ name: String) { stream.seek(to: frame) }
}

extension EventSource: EnginePlayer {
  var makeHandle: AudioNode.Maker { MIDIPlayerNode.handle }
  var followsTransport: Bool { isFollowing }
  var length: Int? { wholeLength }
  func seek(to frame: Int, _ name: String) { seek(to: Int64(frame)) }
}
