// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles

extension PlayerEvent {
  /// The reason why an item has ended.
  @nonexhaustive public enum Ending: Sendable, Equatable {
    /// The item has played to its end.
    case finished
    /// Another item has interrupted it, or was scheduled to play instead.
    case interrupted
    /// The player was cleared, or removed from its engine.
    case stopped
    /// Its file could not be read to its end.
    case failed(FileError)
  }
}

/// An event of an item on a player.
///
/// Every item ends with `consumed`, `rendered` and `playedBack`, once each and in this order, even if it never
/// played. Events are delivered in order by a thread of the engine; offline by the thread that renders, and at the
/// end by the thread that closes the engine. No lock is held: a closure that gets an event may call the player and
/// the engine, also to stop and close them.
///
/// On a player that follows the transport, `began` and `looped` are reported whenever the transport reaches that
/// position, within a block or two; the other three once the item can no longer play: it was stopped, interrupted
/// before its beginning, or could not be read.
public struct PlayerEvent: Sendable, Equatable {
  /// The kind of event.
  @nonexhaustive public enum Kind: Sendable, Equatable {
    /// The item begins to play.
    case began
    /// The loop has repeated this many times.
    case looped(Int)
    /// A file of a composition can no longer be read. It is silent, and all else plays on. Reported once for each
    /// file, when its next frames are prefetched.
    case fileLost(FileError)
    /// The item has been read to its end, so its file may be removed. It may not have played yet.
    case consumed
    /// Its last frame has left the player.
    case rendered(PlayerEvent.Ending)
    /// The last frame has been heard: it has passed the graph and, as far as JACK knows its latency, the sound card.
    /// If the item was stopped, this is reported at once.
    case playedBack(PlayerEvent.Ending)
  }

  /// The item.
  public let item: PlayerItem
  /// The kind of the event.
  public let kind: Kind
  /// The frame of the event: the first frame, the frame where a loop repeats, or the frame after the last; for
  /// `playedBack` the frame when the last is heard. For `consumed` it is approximate.
  public let time: AudioTime

  /// Returns the event at another frame.
  func moved(to frame: Int64) -> PlayerEvent {
    PlayerEvent(item: item, kind: kind, time: AudioTime(frame: frame, sampleRate: time.sampleRate))
  }
}
