// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The state of a crossfade between alternative processors. The next processor first runs unheard for some frames, and
/// then fades in.
///
/// A choice that is made during a change starts another change when the first has ended.
struct ChoiceFade: BitwiseCopyable {
  /// The processor that is heard or fades out, and the processor that fades in. Both are equal if there is no change.
  private(set) var active: Int, next: Int
  /// The last choice.
  private(set) var wanted: Int
  /// The crossfade's position, from 0, only the active processor, to 1, only the next.
  private(set) var fade = Ramp(0)
  private var length = 0, waiting = 0

  /// Creates the state of one choice, without a change.
  init(_ choice: Int) {
    active = choice
    next = choice
    wanted = choice
  }

  /// Whether a change is in progress, so that two processors run.
  var isChanging: Bool { @_noLocks @_noAllocation get { next != active } }

  /// Chooses another processor, which fades in over `frames` frames; 0 switches at once.
  ///
  /// - Returns: whether it has switched at once, to another processor or out of a change in progress.
  @_noLocks @_noAllocation mutating func glide(to choice: Int, over frames: Int) -> Bool {
    wanted = choice
    length = abs(frames)
    guard frames == 0 && (wanted != active || isChanging) else { return false }
    arrive()
    return true
  }

  /// Ends all changes at the last choice.
  @_noLocks @_noAllocation mutating func arrive() {
    active = wanted
    next = wanted
    waiting = 0
  }

  /// Begins a change if one is pending.
  ///
  /// - Returns: whether a change has begun. If so, the caller prepares the next processor and calls ``wait(_:)``.
  @_noLocks @_noAllocation mutating func begin() -> Bool {
    guard !isChanging && wanted != active else { return false }
    next = wanted
    fade = Ramp(0)
    return true
  }

  /// Lets the next processor run unheard for some frames, 1 or more.
  @_noLocks @_noAllocation mutating func wait(_ frames: Int) { waiting = frames }

  /// Returns the number of frames, at most `count`, until the state of the change alters.
  @_noLocks @_noAllocation func sliceLength(atMost count: Int) -> Int {
    guard isChanging else { return count }
    return min(count, waiting > 0 ? waiting : fade.remaining)
  }

  /// Advances by `count` frames.
  @_noLocks @_noAllocation mutating func advance(_ count: Int) {
    guard isChanging else { return }
    if waiting > 0 {
      waiting -= count
      if waiting == 0 { fade.glide(to: 1, over: -max(length, 1)) }
    } else {
      fade.skip(count)
      if !fade.isMoving { active = next }
    }
  }
}
