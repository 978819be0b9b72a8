// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletStretch

/// The control side of a player's schedule, by the player's own time or by the transport. Any thread.
protocol PlayerKeeper: EnginePlayer {
  init(
    channels: Int, sampleRate: Double, longestBlock: Int, isOffline: Bool, isReady: Bool,
    _ filler: StreamFiller) throws(FileError)
  /// The player of the whole schedule as one stream; nil unless the player follows the transport.
  var streamPlayer: StreamPlayer? { get }
  /// The paths of all files that are scheduled or playing.
  var paths: [String] { get }
  var listeners: Listeners<PlayerEvent> { get }
  /// The channel count of the player. Items with another count are converted.
  var channelCount: Int { get }
  /// Whether the player has been removed from its engine.
  var isOver: Bool { get }
  /// The number of the current item, or nil, and the position in it in frames.
  var currentItem: Int? { get }
  var position: Int { get }
  /// The current frame of the player's own time, and the offset that converts it to the engine's frames; nil while
  /// the player stands still.
  var time: Int64 { get }
  var timeOffset: Int64? { get }
  var underruns: (count: Int, frames: Int) { get }

  /// Adds an item after the others, and prefetches it if it begins soon. Returns nil if the player has been removed.
  func add(_ item: PlayerDesk.Item) throws(ScheduleError) -> Int?
  /// The part and loop of an item; nil once it has ended.
  func layout(of number: Int) -> ClipLayout?
  /// Moves to a frame of the current item, or of the next one.
  func seek(to frame: Int, _ name: String) throws(EngineError)
  /// The frame of its sound that an item plays or begins with; nil once it has ended.
  func soundFrame(of number: Int) -> Int?
  /// Changes the layout of an item, which continues from its position in the sound.
  ///
  /// - Parameter sound: the new sound; nil keeps the current one.
  /// - Returns: false if the item has ended.
  @discardableResult
  func change(_ number: Int, to layout: ClipLayout, playing sound: NewSound?) throws(FileError) -> Bool
  /// Sets speed and pitch of the schedule. The node's parameters are set by the caller.
  func turn(to stretch: Stretch)
  /// Ends all items, after `clear()` or when the node is removed.
  func endAll(at frame: Int64, isOver: Bool)
  /// Accepts items again after an undo has restored the node.
  func revive()

  /// A sound that replaces that of an item, and the same sound opened.
  typealias NewSound = (sound: ClipSound, opened: OpenedSound)
  /// An event, and the item's closure that receives it.
  typealias News = (event: PlayerEvent, tell: (@Sendable (PlayerEvent) -> Void)?)
  /// Whether an event waits until its frame is heard.
  func hasUnheard(waits: Bool) -> Bool
  /// Returns and removes the events that are due.
  ///
  /// - Parameters:
  ///   - position: the frame after the last one rendered.
  ///   - now: the frame that is heard now.
  ///   - late: the latency from the player to the listener in frames; nil if it was not computed, since
  ///     ``hasUnheard(waits:)`` was false.
  ///   - waits: whether to wait for a thread that holds the lock while it opens a file.
  func takeNews(position: Int64, now: Int64, late: Int64?, waits: Bool) -> [News]
}

extension PlayerKeeper {
  var makeHandle: AudioNode.Maker { { PlayerNode(self, name: $0, id: $1, engine: $2) } }
}
