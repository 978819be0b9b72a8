// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Which of some ways to work is heard, where one fades in over another that has run for a while.
///
/// What is chosen meanwhile has its turn afterwards.
struct ChoiceFade: BitwiseCopyable {
  /// The one that is heard, or faded from; the one that is faded to, or the same.
  private(set) var active: Int, next: Int
  /// The one that was asked for last.
  private(set) var wanted: Int
  /// From 0, all of the active one, to 1, all of the next.
  private(set) var fade = Ramp(0)
  private var length = 0, waiting = 0

  /// One that is heard.
  init(_ choice: Int) {
    active = choice
    next = choice
    wanted = choice
  }

  /// Whether two run.
  var isChanging: Bool { @_noLocks @_noAllocation get { next != active } }

  /// Heads for another one, which fades in over `frames` frames; 0 is at once.
  ///
  /// - Returns: whether it is there, and was not before.
  @_noLocks @_noAllocation mutating func glide(to choice: Int, over frames: Int) -> Bool {
    wanted = choice
    length = frames
    guard frames <= 0 && (wanted != active || isChanging) else { return false }
    arrive()
    return true
  }

  /// Goes where it was heading.
  @_noLocks @_noAllocation mutating func arrive() {
    active = wanted
    next = wanted
    waiting = 0
  }

  /// Begins a change where one is due.
  ///
  /// - Returns: whether it did; the caller gets the next one ready, and says how long to ``wait(_:)``.
  @_noLocks @_noAllocation mutating func begin() -> Bool {
    guard !isChanging && wanted != active else { return false }
    next = wanted
    fade = Ramp(0)
    return true
  }

  /// Lets the next one run unheard for some frames, 1 or more.
  @_noLocks @_noAllocation mutating func wait(_ frames: Int) { waiting = frames }

  /// How many of `count` frames belong together.
  @_noLocks @_noAllocation func stretch(_ count: Int) -> Int {
    guard isChanging else { return count }
    return min(count, waiting > 0 ? waiting : fade.remaining)
  }

  /// Moves on.
  @_noLocks @_noAllocation mutating func advance(_ count: Int) {
    guard isChanging else { return }
    if waiting > 0 {
      waiting -= count
      if waiting == 0 { fade.glide(to: 1, over: max(length, 1)) }
    } else {
      fade.skip(count)
      if !fade.isMoving { active = next }
    }
  }
}
