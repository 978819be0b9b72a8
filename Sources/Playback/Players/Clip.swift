// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The start time of a clip.
package enum ClipStart: BitwiseCopyable, Sendable {
  /// At the end of the item scheduled before it.
  case next
  /// At an absolute frame of the stream.
  case frame(Int64)
  /// After the player has run for this many frames.
  case playerTime(Int64)
  /// On a beat of the transport, counted from 0 at the start of the first bar.
  case beat(Double)

  /// The same start, with frames clamped to ±2^60, so that the audio thread's arithmetic cannot overflow.
  var clamped: ClipStart {
    switch self {
    case .next, .beat: self
    case .frame(let frame): .frame(min(max(frame, -1 << 60), 1 << 60))
    case .playerTime(let time): .playerTime(min(max(time, -1 << 60), 1 << 60))
    }
  }
}

/// The effect of a clip's start on the clips before it.
package enum ClipEntrance: BitwiseCopyable, Sendable {
  /// The clip waits for their end.
  case follows
  /// The clip plays over them; they are not changed.
  case overlaps
  /// The clip cuts them off at its start time.
  case interrupts
  /// The clip cuts them off at the next loop point of the playing clip, or at its end.
  case interruptsAtLoop
  /// The clip replaces the clip of the same item: another part of the same sound.
  case replaces

  /// Whether the clip ends or removes everything scheduled before it.
  package var cutsIn: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .follows, .overlaps, .replaces: false
      case .interrupts, .interruptsAtLoop: true
      }
    }
  }

  /// Whether the clip begins at its start time without waiting for other clips.
  var isAtOnce: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .overlaps, .interrupts, .replaces: true
      case .follows, .interruptsAtLoop: false
      }
    }
  }

  /// Whether the clip replaces a playing or waiting clip of the same item.
  var isPart: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .replaces: true
      case .follows, .overlaps, .interrupts, .interruptsAtLoop: false
      }
    }
  }
}

/// The reason why a clip has ended.
package enum ClipEnd: Int, BitwiseCopyable, Sendable {
  case finished, interrupted, stopped, replaced
}

/// The repetitions of a loop, in frames of the sound at the player's rate.
package struct ClipRepetitions: BitwiseCopyable, Sendable {
  /// The start of the second repetition, and the length of each.
  package var first: Int, length: Int
  /// The number of repetitions; `Int.max` is endless.
  package var count: Int

  /// A single repetition: the clip plays once.
  package static var once: ClipRepetitions {
    @_noLocks @_noAllocation get { ClipRepetitions(first: .max, length: 1, count: 1) }
  }

  package init(first: Int, length: Int, count: Int) {
    self.first = first
    self.length = max(length, 1)
    self.count = count
  }

  /// Whether the loop is endless.
  var areEndless: Bool { @_noLocks @_noAllocation get { count == .max } }

  /// Returns the first loop point at or after `position`; nil if there is none.
  @_noLocks @_noAllocation package func point(from position: Int) -> Int? {
    guard count > 1 else { return nil }
    guard position > first else { return first }
    let number = (position - first + length - 1) / length
    return number < count - 1 ? first + number * length : nil
  }

  /// Returns the number of repetitions that have begun at or before `position`, not counting the first.
  @_noLocks @_noAllocation package func begun(at position: Int) -> Int {
    guard count > 1, position >= first else { return 0 }
    return min((position - first) / length + 1, count - 1)
  }
}

/// A clip as it is passed to the audio thread: a source that is already filled, and how the clip starts.
@safe package struct Clip: BitwiseCopyable {
  /// The clip's unique number within its player.
  package var number: Int
  /// The scheduled item; later items have higher numbers. Clips of one item replace each other.
  package var item: Int
  /// The player's run number; each stop begins a new run.
  var run = 0
  /// The source; the player's `ClipSources` retains it.
  var source: UnsafeRawPointer?
  package var start = ClipStart.next
  package var entrance = ClipEntrance.follows
  /// The length of the crossfade with the preceding clip, in frames.
  package var crossfade = 0
  /// The length of the sound in frames; `Int.max` is endless.
  package var length: Int
  package var repetitions = ClipRepetitions.once
  /// The position of the replaced clip when this one was created, if this clip continues from there; nil if it starts
  /// elsewhere.
  package var since: Int?
  /// The speed, varispeed and pitch with which its source is filled.
  package var speed: Float = 1, varispeed: Float = 1, pitch: Float = 0

  /// Creates a clip that follows those before it.
  @_noLocks @_noAllocation package init(number: Int, item: Int, length: Int) {
    self.number = number
    self.item = item
    self.length = length
  }
}

/// A report of the audio thread about a clip.
package struct ClipReport: BitwiseCopyable, Sendable {
  package enum Kind: BitwiseCopyable, Sendable {
    /// The clip's first frame was played at `frame`.
    case began
    /// A repetition has begun; the value is the number of repetitions begun, not counting the first. If several
    /// reports do not fit into the ring, the latest is sent.
    case repeated(Int)
    /// The clip ended before `frame`. The audio thread no longer uses its source.
    case ended(ClipEnd)
  }
  package var kind: Kind
  package var clip: Int, item: Int
  /// The absolute frame.
  package var frame: Int64

  @_noLocks @_noAllocation init(kind: Kind, clip: Int, item: Int, frame: Int64) {
    self.kind = kind
    self.clip = clip
    self.item = item
    self.frame = frame
  }
}
