// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles

extension PlayerEvent {
  /// Why an item plays no longer.
  public enum Ending: Sendable, Equatable {
    /// It has played to its end.
    case finished
    /// Another item has cut it off, or has taken its turn.
    case interrupted
    /// The player was stopped, or taken out of its engine.
    case stopped
    /// Its file could not be read to its end.
    case failed(FileError)
  }
}

/// What a player tells of an item.
///
/// Of every item, `consumed`, `rendered` and `playedBack` are told once each, in this order, also where it never
/// came to play. They are told in order by the engine's own thread, offline by whoever renders, in the end by whoever
/// closes the engine; always under no lock: whoever is told may call player and engine, also to stop and close them.
///
/// On a player that follows the transport, `began` and `looped` are told whenever the song comes there, within a
/// block or two of it; the other three once the item lies in the song no more: it was stopped, or interrupted before
/// its beginning, or could not be read.
public struct PlayerEvent: Sendable, Equatable {
  /// What has happened.
  public enum Kind: Sendable, Equatable {
    /// It begins to play.
    case began
    /// A loop has turned round so many times.
    case looped(Int)
    /// A file of a composition cannot be read any more: it is silent, and all else plays on. Reported once for each file,
    /// when the next frames of it are read ahead.
    case fileLost(FileError)
    /// All of it has been read: its file may go. It may not have played yet.
    case consumed
    /// Its last frame has left the player.
    case rendered(PlayerEvent.Ending)
    /// Its last frame has reached the ears: it has gone through the graph and, as far as JACK knows, the sound
    /// card. Where it was stopped, this is told at once.
    case playedBack(PlayerEvent.Ending)
  }

  /// The item.
  public let item: PlayerItem
  /// What has happened to it.
  public let kind: Kind
  /// When: the frame it begins or turns on, or the one behind its last; for `playedBack` that at which this is
  /// heard. For `consumed`, about when.
  public let time: AudioTime

  /// The same at another frame.
  func moved(to frame: Int64) -> PlayerEvent {
    PlayerEvent(item: item, kind: kind, time: AudioTime(frame: frame, sampleRate: time.sampleRate))
  }
}
