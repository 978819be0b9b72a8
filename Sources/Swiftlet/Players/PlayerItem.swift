// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles
public import SwiftletTimeline

/// Something that was scheduled on a ``PlayerNode``.
public struct PlayerItem: Sendable, Hashable {
  /// What an item plays: a sound, what part of it, and how often.
  public enum Content: Sendable {
    /// A file that ``AudioFile`` reads.
    case file(any FileLocation, part: PlayerItem.Part = .whole, loop: PlayerItem.Loop = .once)
    /// A buffer with so many frames a second; nil is the rate of the engine. Frames of `part` count at the engine's rate.
    case buffer(
      AudioBuffer, sampleRate: Double? = nil, part: PlayerItem.Part = .whole, loop: PlayerItem.Loop = .once)
  }

  let number: Int
}

extension PlayerItem {
  /// A part of a sound.
  public enum Part: Sendable, Hashable {
    /// All of it.
    case whole
    /// From a time to another, each taken to the nearest frame.
    case times(Range<MediaTime>)
    /// From a frame to another, counted at the engine's rate.
    case frames(Range<Int>)
    /// The loop that a WAV file names for samplers, the first of its `smpl` chunk: for the `points` of a ``Loop``, or to
    /// play that alone.
    case sampleLoop
  }
}

extension PlayerItem {
  /// When an item begins. A moment that has passed is at once.
  public enum Time: Sendable {
    /// A frame of the engine's stream.
    case engine(AudioTime)
    /// A moment of the machine's clock. Only an engine in a studio knows it.
    case host(ContinuousClock.Instant)
    /// So many frames after the player's start. While it pauses they are not counted, and ``PlayerNode/clear()``
    /// begins at 0 again. A player that follows the transport has the song's frames, times its speed.
    case frame(Int64)
    /// A beat of JACK's transport, counted from 0 at the start of the first bar, while it rolls. On a player that
    /// follows the transport, a beat of the song, of which the engine knows where it leads.
    case beat(Double)
  }
}

extension PlayerItem {
  /// What an item does to those that were scheduled before it.
  public enum Entrance: Sendable, Hashable {
    /// It sounds over them, and they play on as they would without it. Those scheduled after it that wait, wait for its
    /// end, too.
    case overlaps
    /// It waits for the end of all of them. Behind one that loops for ever, it begins at that one's next loop point.
    case waits
    /// Once its time has come it cuts off, over 5 ms, all that plays, and drops what was to play before it.
    case interrupts
    /// As ``interrupts``, but at the next loop point of what plays, or at its end; of several that play, of the one that
    /// ends last.
    case interruptsAtLoop
  }
}

extension PlayerItem {
  /// How an item loops.
  public struct Loop: Sendable, Equatable {
    /// How often the loop plays.
    public var times: Loops
    /// What turns round, in the part that is played: that is played from its beginning, turns here, and goes on to
    /// its end behind the last turn.
    public var points: PlayerItem.Part
    /// For how long the end of a turn sounds together with the beginning of the next, at equal power. A turn is so
    /// much shorter than the loop, and takes twice as long at least.
    public var crossfade: Duration

    /// A loop over all of the part, without a crossfade, unless told otherwise.
    public init(_ times: Loops, points: PlayerItem.Part = .whole, crossfade: Duration = .zero) {
      self.times = times
      self.points = points
      self.crossfade = crossfade
    }

    /// From beginning to end.
    public static let once = Loop(.once)
    /// Until it is stopped or interrupted.
    public static let forever = Loop(.forever)
    /// So many times, 1 or more.
    public static func times(_ count: Int) -> Loop { Loop(.times(count)) }
  }
}
