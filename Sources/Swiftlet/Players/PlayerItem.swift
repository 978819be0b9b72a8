// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles
public import SwiftletTimeline

/// An item that was scheduled on a ``PlayerNode``.
///
/// A value, for any thread.
public struct PlayerItem: Sendable, Hashable {
  /// The content of an item: a sound, the part that is played, and how often.
  @nonexhaustive public enum Content: Sendable {
    /// A file that ``AudioFile`` reads.
    case file(any FileLocation, part: PlayerItem.Part = .whole, loop: PlayerItem.Loop = .once)
    /// A buffer at a sample rate in hertz; nil is the buffer's own rate, or the engine's if it has none. Frames of
    /// `part` count at the engine's rate.
    case buffer(
      AudioBuffer, sampleRate: Double? = nil, part: PlayerItem.Part = .whole, loop: PlayerItem.Loop = .once)
  }

  let number: Int
}

extension PlayerItem {
  /// A part of a sound.
  @nonexhaustive public enum Part: Sendable, Hashable {
    /// The whole sound.
    case whole
    /// From a time to another, each rounded to the nearest frame.
    case times(Range<MediaTime>)
    /// From a frame to another, counted at the engine's rate.
    case frames(Range<Int>)
    /// The sampler loop of a WAV file, the first in its `smpl` chunk: as the `points` of a ``Loop``, or to play that
    /// alone.
    case sampleLoop
  }

  /// When an item begins. A time that has passed means at once.
  @nonexhaustive public enum Time: Sendable {
    /// A frame of the engine's stream.
    case engine(AudioTime)
    /// A time of the machine's clock. Only an engine in JACK has one.
    case host(ContinuousClock.Instant)
    /// A number of frames after the player's start. Frames are not counted while the player is paused, and
    /// ``PlayerNode/clear()`` begins at 0 again. On a player that follows the transport, a frame of the transport
    /// times the player's speed.
    case frame(Int64)
    /// A beat of JACK's transport, counted from 0 at the start of the first bar, while it rolls. On a player that
    /// follows the transport, a beat of the transport, if the engine is its timebase source.
    case beat(Double)
  }

  /// How an item relates to the items that were scheduled before it.
  @nonexhaustive public enum Entrance: Sendable, Hashable {
    /// The item sounds over them, and they play on. Later items that wait also wait for its end.
    case overlaps
    /// The item waits for the end of all of them. After an item that loops for ever, it begins at the next loop
    /// point.
    case waits
    /// At its time, the item cuts off all that plays, over 5 ms, and removes the items that were to play before it.
    case interrupts
    /// As ``interrupts``, but at the next loop point of the current item, or at its end. Of several, the item that
    /// ends last decides.
    case interruptsAtLoop
  }

  /// How an item loops.
  public struct Loop: Sendable, Equatable {
    /// The number of times that the loop plays.
    public var times: Loops
    /// The range that repeats, within the part that is played. The item plays from the beginning of the part, repeats
    /// the range, and plays on to the end of the part. Default: the whole part.
    public var points: PlayerItem.Part
    /// The duration for which the end of a pass and the beginning of the next sound together, at equal power. A pass
    /// is shorter than the range by this duration, which is at most half of the range. Default: 0.
    public var crossfade: Duration

    /// A loop. By default it repeats the whole part, without a crossfade.
    public init(_ times: Loops, points: PlayerItem.Part = .whole, crossfade: Duration = .zero) {
      self.times = times
      self.points = points
      self.crossfade = crossfade
    }

    /// Plays once.
    public static let once = Loop(.once)
    /// Repeats until the item is stopped or interrupted.
    public static let forever = Loop(.forever)
    /// Plays the loop `count` times, 1 or more.
    public static func times(_ count: Int) -> Loop { Loop(.times(count)) }
  }
}
