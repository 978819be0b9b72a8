// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletStretch

/// What knows, on the control side, all that was scheduled on a player: by the player's own time, or by a song's.
/// Any thread.
protocol PlayerKeeper: EnginePlayer {
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
  /// Whether the player is no more.
  var isOver: Bool { get }
  /// The item that plays, and how far it is.
  var currentItem: Int? { get }
  var position: Int { get }
  /// The frame of its own time, and what to take from a frame of the engine to get that; nil while it stands still.
  var time: Int64 { get }
  var timeOffset: Int64? { get }
  var underruns: (count: Int, frames: Int) { get }

  /// Adds an item behind the others, and makes it ready if it is near; nil where the player is no more.
  func add(_ item: PlayerDesk.Item) throws(ScheduleError) -> Int?
  /// How an item is cut from its sound; nil once it has ended.
  func layout(of number: Int) -> ClipLayout?
  /// Goes to a frame of the item that plays, or of the next one.
  func seek(to frame: Int, _ name: String) throws(EngineError)
  /// The frame of its sound that an item plays, or will begin with; nil once it has ended.
  func soundFrame(of number: Int) -> Int?
  /// Plays an item on by another layout, from where it is in its sound.
  ///
  /// - Parameter sound: what it plays from now on; nil for the sound it has.
  /// - Returns: false where the item has ended.
  @discardableResult
  func change(_ number: Int, to layout: ClipLayout, playing sound: NewSound?) throws(FileError) -> Bool
  /// Plays at another speed or pitch, which its node is told besides.
  func turn(to stretch: Stretch)
  /// Ends all items: the player was stopped, or is no more.
  func endAll(at frame: Int64, isOver: Bool)
  /// Takes items again: its node came back.
  func revive()

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

extension PlayerKeeper {
  var makeHandle: AudioNode.Maker { { PlayerNode(self, name: $0, id: $1, engine: $2) } }
}
