// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// A clip in the audio thread's hands.
struct ClipVoice: BitwiseCopyable {
  enum State: BitwiseCopyable {
    case free
    /// It has not begun.
    case waiting
    /// It plays. Several do where they overlap.
    case playing
    /// It sounds on under the one that follows it, and stands still when the player pauses.
    case crossing
    /// It was cut off, and fades out whatever the player does.
    case leaving
    /// It has ended, and that could not be told yet.
    case over
  }

  var state = State.free
  var clip = Clip(number: 0, item: 0, length: 0)
  /// From 0 to 1 while it comes in, back while it goes.
  var envelope = Ramp(1)
  /// Whether the envelope is one of equal power: the square of it is straight, nearly.
  var hasPower = false
  /// How loud it was when it was cut off: the player may just have paused.
  var base: Float = 1
  /// Falls while the filler wants the source for itself, since the speed was turned.
  var duck = Ramp(1)
  /// Whether the audio thread may read the source.
  var isHeld = false
  /// Frames that come too late and are left out.
  var owed = 0
  /// Why it will have ended, and at which frame it did.
  var end = ClipEnd.finished
  var endFrame: Int64 = 0
  /// What there was no room to tell yet: the frame it began on, and how often it had turned round when, 0 for never.
  var began: Int64?
  var turned = 0, turnFrame: Int64 = 0

  /// A place without a clip.
  @_noLocks @_noAllocation init() {}

  /// A clip that waits for its time.
  @_noLocks @_noAllocation init(_ clip: Clip) {
    state = .waiting
    self.clip = clip
  }

  var isFree: Bool { @_noLocks @_noAllocation get { if case .free = state { true } else { false } } }
  var isWaiting: Bool { @_noLocks @_noAllocation get { if case .waiting = state { true } else { false } } }
  /// Whether it is another part of what plays, and waits only for its source.
  var isPendingPart: Bool {
    @_noLocks @_noAllocation get { isWaiting ? clip.entrance.isPart : false }
  }
  var isPlaying: Bool { @_noLocks @_noAllocation get { if case .playing = state { true } else { false } } }
  var isLeaving: Bool { @_noLocks @_noAllocation get { if case .leaving = state { true } else { false } } }

  /// Whether it has a clip that has not ended.
  var isThere: Bool {
    @_noLocks @_noAllocation get {
      switch state {
      case .free, .over: false
      case .waiting, .playing, .crossing, .leaving: true
      }
    }
  }

  /// What the sound is multiplied by `frames` from now.
  @_noLocks @_noAllocation func level(after frames: Int) -> Float {
    let value = envelope.value(after: frames)
    return (hasPower ? PanLaws.kept(value - 1) : value) * duck.value(after: frames)
  }

  /// Whether the level moves, or lies below 1.
  var isShaped: Bool {
    @_noLocks @_noAllocation get {
      if envelope.isMoving { return true }
      if duck.isMoving { return true }
      return envelope.value * duck.value != 1
    }
  }

  /// Begins a fade. In the middle of another it goes on in that one's shape, so that nothing jumps.
  @_noLocks @_noAllocation mutating func fade(to value: Float, over frames: Int, power: Bool) {
    if !envelope.isMoving { hasPower = power }
    envelope.glide(to: value, over: frames)
  }
}
