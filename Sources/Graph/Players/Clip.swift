// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// When a clip begins.
package enum ClipStart: BitwiseCopyable, Sendable {
  /// When what was scheduled before it has ended.
  case next
  /// At an absolute frame of the stream.
  case frame(Int64)
  /// After so many frames for which its player has run.
  case playerTime(Int64)
  /// On a beat of the transport, counted from 0 at the start of the first bar.
  case beat(Double)

  /// The same, with a frame near enough for the audio thread to reckon with.
  var clamped: ClipStart {
    switch self {
    case .next, .beat: self
    case .frame(let frame): .frame(min(max(frame, -1 << 60), 1 << 60))
    case .playerTime(let time): .playerTime(min(max(time, -1 << 60), 1 << 60))
    }
  }
}

/// What a clip does to those before it.
package enum ClipEntrance: BitwiseCopyable, Sendable {
  /// It waits for their end.
  case follows
  /// It sounds over them, and they play on as they would without it.
  case overlaps
  /// It cuts them off when its time has come.
  case interrupts
  /// It cuts them off at the next loop point of the one that plays, or at its end.
  case interruptsAtLoop
  /// It takes the place of the clip of the same item: another part of the same sound.
  case replaces

  /// Whether it does away with what was scheduled before.
  package var cutsIn: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .follows, .overlaps, .replaces: false
      case .interrupts, .interruptsAtLoop: true
      }
    }
  }

  /// Whether it begins as soon as its time has come.
  var isAtOnce: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .overlaps, .interrupts, .replaces: true
      case .follows, .interruptsAtLoop: false
      }
    }
  }

  /// Whether it is another part of what plays or waits already.
  var isPart: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .replaces: true
      case .follows, .overlaps, .interrupts, .interruptsAtLoop: false
      }
    }
  }
}

/// Why a clip plays no longer.
package enum ClipEnd: Int, BitwiseCopyable, Sendable {
  case finished, interrupted, stopped, replaced
}

/// Where a loop begins anew, in frames of the sound at the player's rate.
package struct ClipTurns: BitwiseCopyable, Sendable {
  /// Where the second turn begins, and how long each is.
  package var first: Int, length: Int
  /// How many there are; `Int.max` is without end.
  package var count: Int

  /// The turns of what plays once.
  package static var once: ClipTurns {
    @_noLocks @_noAllocation get { ClipTurns(first: .max, length: 1, count: 1) }
  }

  package init(first: Int, length: Int, count: Int) {
    self.first = first
    self.length = max(length, 1)
    self.count = count
  }

  /// Whether it never ends by itself.
  var areEndless: Bool { @_noLocks @_noAllocation get { count == .max } }

  /// The first loop point that is not before `place`; nil where none follows.
  @_noLocks @_noAllocation package func point(from place: Int) -> Int? {
    guard count > 1 else { return nil }
    guard place > first else { return first }
    let number = (place - first + length - 1) / length
    return number < count - 1 ? first + number * length : nil
  }

  /// How many turns have begun before `place` or at it, the first not counted.
  @_noLocks @_noAllocation package func begun(at place: Int) -> Int {
    guard count > 1, place >= first else { return 0 }
    return min((place - first) / length + 1, count - 1)
  }
}

/// A clip as it is handed to the audio thread: a source that is filled already, and how it comes in.
@safe package struct Clip: BitwiseCopyable {
  /// What tells it from all others of its player.
  package var number: Int
  /// What it plays: a later item has a higher number. Clips of one item replace each other.
  package var item: Int
  /// The run of the player that it belongs to: a stop begins another.
  var run = 0
  /// The source, which the player's shelf keeps.
  var source: UnsafeRawPointer?
  package var start = ClipStart.next
  package var entrance = ClipEntrance.follows
  /// For how many frames it sounds together with the one before.
  package var crossfade = 0
  /// How many frames of sound there are; `Int.max` is without end.
  package var length: Int
  package var turns = ClipTurns.once
  /// How far the part was that it replaces when it was made, where it goes on from there; nil where it goes
  /// elsewhere.
  package var since: Int?
  /// The speed, varispeed and pitch that its source is filled with.
  package var speed: Float = 1, varispeed: Float = 1, pitch: Float = 0

  /// A clip that follows those before it.
  @_noLocks @_noAllocation package init(number: Int, item: Int, length: Int) {
    self.number = number
    self.item = item
    self.length = length
  }
}

/// What the audio thread tells of a clip.
package struct ClipNote: BitwiseCopyable, Sendable {
  package enum Kind: BitwiseCopyable, Sendable {
    /// Its first frame is the one that is named.
    case began
    /// A loop begins anew; so many turns have been begun beside the first. Of several that there was no room to
    /// tell, the last is.
    case turned(Int)
    /// It has played before the frame that is named, and no longer. Its source is not touched any more.
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
