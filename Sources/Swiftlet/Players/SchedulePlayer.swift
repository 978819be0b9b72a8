// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletPlayback
internal import SwiftletStretch

/// The control side of a player's schedule, by the player's own time or by the transport. Any thread.
protocol SchedulePlayer: EnginePlayer {
  init(
    channels: Int, sampleRate: Double, longestBlock: Int, isOffline: Bool, isReady: Bool,
    _ prefetchThread: PrefetchThread) throws(FileError)
  /// The player of the whole schedule as one stream; nil unless the player follows the transport.
  var streamPlayer: StreamPlayer? { get }
  /// The paths of all files that are scheduled or playing.
  var paths: [String] { get }
  var listeners: Listeners<PlayerEvent> { get }
  /// The channel count of the player. Items with another count are converted.
  var channelCount: Int { get }
  /// The item that plays; and the item that `seek` and `loop` apply to: that one, or else the next one.
  var currentItem: Int? { get }
  var nearestItem: Int? { get }
  /// The current frame of the player's own time, and the offset that converts it to the engine's frames; nil while
  /// the player stands still.
  var time: Int64 { get }
  var timeOffset: Int64? { get }

  /// Adds an item after the others, and prefetches it if it begins soon. Returns nil if the player has been removed.
  func add(_ item: PlayerSchedule.Item) throws(ScheduleError) -> Int?
  /// Returns the sound of an item, its layout in the sound, and its loop; nil once it has ended.
  func entry(of number: Int) -> Entry?
  /// The frame of its sound that an item plays or begins with; nil once it has ended.
  func soundFrame(of number: Int) -> Int?
  /// Continues an item with another layout, and the loop that produced it, from its position in the sound.
  ///
  /// - Parameter sound: the sound from now on; nil for the present one.
  /// - Returns: false where the item has ended.
  @discardableResult
  func change(
    _ number: Int, to layout: ClipLayout, _ loop: PlayerItem.Loop, playing sound: NewSound?
  ) throws(FileError) -> Bool
  /// Sets speed and pitch of the schedule. The node's parameters are set by the caller.
  func setStretch(to stretch: Stretch)
  /// Ends all items, after `clear()` or when the node is removed.
  func endAll(at frame: Int64, isOver: Bool)
  /// Accepts items again after an undo has restored the node.
  func reopenSchedule()

  /// An item as it was scheduled or last changed.
  typealias Entry = (sound: ClipSound, layout: ClipLayout, loop: PlayerItem.Loop)
  /// A sound that replaces that of an item, and the same sound opened.
  typealias NewSound = (sound: ClipSound, opened: ReusableSound)
  /// An event, and the item's closure that receives it.
  typealias PendingEvent = (event: PlayerEvent, onEvent: (@Sendable (PlayerEvent) -> Void)?)
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
  func takePlayerEvents(position: Int64, now: Int64, late: Int64?, waits: Bool) -> [PendingEvent]
}

extension SchedulePlayer {
  var followsTransport: Bool { streamPlayer != nil }
  var length: Int? { nearestItem.flatMap { entry(of: $0)?.layout.length } }
  var makeHandle: AudioNode.Maker { { PlayerNode(self, name: $0, id: $1, engine: $2) } }
}
