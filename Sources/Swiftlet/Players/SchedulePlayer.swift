// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletStretch

/// What knows, on the control side, all that was scheduled on a player: by the player's own time, or by a song's.
/// Any thread.
protocol SchedulePlayer: EnginePlayer {
  init(
    channels: Int, sampleRate: Double, longestBlock: Int, isOffline: Bool, isReady: Bool,
    _ filler: StreamFiller) throws(FileError)
  /// The player of the whole schedule as one stream; nil unless the player follows the transport.
  var streamPlayer: StreamPlayer? { get }
  /// The files that wait to be played, or are.
  var paths: [String] { get }
  var listeners: Listeners<PlayerEvent> { get }
  /// The channels that all its items are brought to.
  var channelCount: Int { get }
  /// The item that plays, and the one that seeks and loops are for: that, or the next one.
  var currentItem: Int? { get }
  var nearestItem: Int? { get }
  /// The frame of its own time, and what to take from a frame of the engine to get that; nil while it stands still.
  var time: Int64 { get }
  var timeOffset: Int64? { get }

  /// Adds an item behind the others, and makes it ready if it is near; nil where the player is no more.
  func add(_ item: PlayerSchedule.Item) throws(ScheduleError) -> Int?
  /// The sound of an item, how it is cut from that, and how it loops; nil once it has ended.
  func entry(of number: Int) -> Entry?
  /// The frame of its sound that an item plays, or will begin with; nil once it has ended.
  func soundFrame(of number: Int) -> Int?
  /// Plays an item on by another layout, and the loop that made it, from where it is in its sound.
  ///
  /// - Parameter sound: what it plays from now on; nil for the sound it has.
  /// - Returns: false where the item has ended.
  @discardableResult
  func change(
    _ number: Int, to layout: ClipLayout, _ loop: PlayerItem.Loop, playing sound: NewSound?
  ) throws(FileError) -> Bool
  /// Plays at another speed or pitch, which its node is told besides.
  func turn(to stretch: Stretch)
  /// Ends all items: the player was stopped, or is no more.
  func endAll(at frame: Int64, isOver: Bool)
  /// Takes items again: its node came back.
  func revive()

  /// An item as it was scheduled, or changed since.
  typealias Entry = (sound: ClipSound, layout: ClipLayout, loop: PlayerItem.Loop)
  /// A sound in place of the one that an item has, opened.
  typealias NewSound = (sound: ClipSound, opened: OpenedSound)
  /// Something to be told, to those who listen to the item too.
  typealias News = (event: PlayerEvent, tell: (@Sendable (PlayerEvent) -> Void)?)
  /// Whether anything that was rendered has not been heard.
  func hasUnheard(waits: Bool) -> Bool
  /// What is to be told now, and to whom.
  ///
  /// - Parameters:
  ///   - position: the frame behind the last one rendered.
  ///   - now: the frame that is heard now, or is as good as heard.
  ///   - late: how many frames later than it leaves the player sound is heard; nil where nobody has looked, since
  ///     ``hasUnheard(waits:)`` was false.
  ///   - waits: whether to wait for a thread that is just opening a file.
  func takeNews(position: Int64, now: Int64, late: Int64?, waits: Bool) -> [News]
}

extension SchedulePlayer {
  var followsTransport: Bool { streamPlayer != nil }
  var length: Int? { nearestItem.flatMap { entry(of: $0)?.layout.length } }
  var makeHandle: AudioNode.Maker { { PlayerNode(self, name: $0, id: $1, engine: $2) } }
}
