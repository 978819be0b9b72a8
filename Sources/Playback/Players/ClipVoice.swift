// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// A clip's playback state on the audio thread.
struct ClipVoice: BitwiseCopyable {
  enum State: BitwiseCopyable {
    case free
    /// The clip has not begun.
    case waiting
    /// The clip plays. Several clips play if they overlap.
    case playing
    /// The clip fades out under the clip that follows it; a pause of the player pauses this fade.
    case crossing
    /// The clip was cut off and fades out, even if the player pauses.
    case leaving
    /// The clip has ended, but the report did not fit into the ring yet.
    case over
  }

  var state = State.free
  var clip = Clip(number: 0, item: 0, length: 0)
  /// The fade envelope: rises from 0 to 1 at the start, falls back to 0 at the end.
  var envelope = Ramp(1)
  /// Whether the fade has equal power: the square of the level is then nearly linear.
  var hasPower = false
  /// The level of the player's pause fade when the clip was cut off.
  var base: Float = 1
  /// Falls to 0 while the prefetch thread needs the source, after the playback rate changed.
  var duck = Ramp(1)
  /// Whether the audio thread holds the source for reading.
  var isHeld = false
  /// The number of late frames to be skipped.
  var lateFrames = 0
  /// The reason for the clip's end, and the frame at which it ended.
  var end = ClipEnd.finished
  var endFrame: Int64 = 0
  /// Reports that did not fit into the ring: the clip's first frame, and the latest repetition (0 for none) with its
  /// frame.
  var began: Int64?
  var repeated = 0, repetitionFrame: Int64 = 0

  /// Creates an unused voice.
  @_noLocks @_noAllocation init() {}

  /// Creates a voice with a clip that waits for its start.
  @_noLocks @_noAllocation init(_ clip: Clip) {
    state = .waiting
    self.clip = clip
  }

  var isFree: Bool { @_noLocks @_noAllocation get { if case .free = state { true } else { false } } }
  var isWaiting: Bool { @_noLocks @_noAllocation get { if case .waiting = state { true } else { false } } }
  /// Whether the clip replaces another clip of its item, and waits only for its source.
  var isPendingPart: Bool {
    @_noLocks @_noAllocation get { isWaiting ? clip.entrance.isPart : false }
  }
  var isPlaying: Bool { @_noLocks @_noAllocation get { if case .playing = state { true } else { false } } }
  var isLeaving: Bool { @_noLocks @_noAllocation get { if case .leaving = state { true } else { false } } }

  /// Whether the voice has a clip that has not ended.
  var isThere: Bool {
    @_noLocks @_noAllocation get {
      switch state {
      case .free, .over: false
      case .waiting, .playing, .crossing, .leaving: true
      }
    }
  }

  /// The gain factor `frames` frames from now.
  @_noLocks @_noAllocation func level(after frames: Int) -> Float {
    let value = envelope.value(after: frames)
    return (hasPower ? PanLaws.kept(value - 1) : value) * duck.value(after: frames)
  }

  /// Whether the level is changing, or is not 1.
  var isShaped: Bool {
    @_noLocks @_noAllocation get {
      if envelope.isMoving { return true }
      if duck.isMoving { return true }
      return envelope.value * duck.value != 1
    }
  }

  /// Starts a fade. A fade that interrupts another keeps that one's shape, so that the level does not jump.
  @_noLocks @_noAllocation mutating func fade(to value: Float, over frames: Int, power: Bool) {
    if !envelope.isMoving { hasPower = power }
    envelope.glide(to: value, over: frames)
  }
}
