// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Where a delay reads its line: one place at rest, two while it fades from one delay to the next.
///
/// A delay that glides far goes there in hops, each a crossfade to where the glide will then be. When a hop
/// begins depends on the frame alone, never on how the sound is cut into blocks.
struct ReadPoints: BitwiseCopyable {
  /// The delay that is heard, or faded from, in frames.
  private(set) var delay: Int
  /// The delay that is faded to.
  private(set) var next: Int
  /// From 0, all from `delay`, to 1, all from `next`.
  private(set) var fade = Ramp(1)
  /// The delay asked for, and the way there.
  private var asked: Ramp
  private let longestFade: Int
  private var fadeLength = 1

  /// One read point, `delay` frames back.
  init(delay: Int, longestFade: Int) {
    self.delay = delay
    self.longestFade = max(longestFade, 1)
    next = delay
    asked = Ramp(Float(delay))
  }

  /// Whether both points are heard.
  var isFading: Bool { @_noLocks @_noAllocation get { fade.isMoving } }
  /// The delay that all this leads to.
  var target: Int { @_noLocks @_noAllocation get { Int(asked.target) } }

  /// Heads for a delay, to be reached in `frames` frames; 0 is at once.
  @_noLocks @_noAllocation mutating func glide(to delay: Int, over frames: Int) {
    asked.glide(to: Float(delay), over: frames)
    fadeLength = min(max(frames, 1), longestFade)
    if frames <= 0 { arrive() }
  }

  /// Ends all fades where they were heading.
  @_noLocks @_noAllocation mutating func arrive() {
    asked.finish()
    fade = Ramp(1)
    delay = target
    next = target
  }

  /// Begins the next hop where one is due.
  ///
  /// - Returns: how many of `frames` can be worked on at once: none that is yet to be written, none of
  ///   another hop.
  @_noLocks @_noAllocation mutating func begin(_ frames: Int) -> Int {
    if !fade.isMoving && (asked.isMoving || target != delay) {
      next = Int(asked.value(after: fadeLength) + 0.5)
      fade = Ramp(0)
      fade.glide(to: 1, over: fadeLength)
    }
    return fade.isMoving ? min(min(frames, fade.remaining), min(delay, next)) : min(frames, delay)
  }

  /// Moves on `frames` frames.
  @_noLocks @_noAllocation mutating func advance(_ frames: Int) {
    asked.skip(frames)
    guard fade.isMoving else { return }
    fade.skip(frames)
    if !fade.isMoving { delay = next }
  }
}
