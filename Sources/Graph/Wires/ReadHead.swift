// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

/// The read position in a history: one delay, or two during a short crossfade to another delay.
///
/// Trivial data of the audio thread, shared by wires, bypasses and feedback.
struct ReadHead: BitwiseCopyable {
  /// The next frame, counted by the writer of the history.
  private(set) var position: Int64 = 0
  /// The first frame of the history; older frames cannot be read.
  private var firstFrame: Int64
  /// The current delay, and the delay at the end of the crossfade, in frames.
  private(set) var delay: Int, next: Int
  private var fade: Ramp

  /// Creates a head at rest. If `isSilentBefore`, the frames before the first are known to be silent.
  @_noLocks @_noAllocation init(delay: Int, isSilentBefore: Bool = false) {
    self.delay = delay
    next = delay
    fade = Ramp(1)
    firstFrame = isSilentBefore ? .min / 2 : 0
  }

  /// Whether the head crossfades between two delays.
  var isMoving: Bool { @_noLocks @_noAllocation get { fade.isMoving } }

  /// Whether the head reads without delay.
  var isPrompt: Bool { @_noLocks @_noAllocation get { delay == 0 && next == 0 } }

  /// The current reach into the past, in frames.
  var reach: Int { @_noLocks @_noAllocation get { max(delay, next) } }

  /// Returns whether the history reaches back `delay` frames.
  @_noLocks @_noAllocation func reaches(_ delay: Int) -> Bool { position - firstFrame >= Int64(delay) }

  /// Marks frames more than `frames` back as unavailable.
  @_noLocks @_noAllocation mutating func discard(beyond frames: Int) {
    firstFrame = max(firstFrame, position - Int64(frames))
  }

  /// Starts a crossfade to another delay, unless one is under way or the history does not reach that far yet.
  @_noLocks @_noAllocation mutating func aim(at wanted: Int, over frames: Int) {
    guard !fade.isMoving, wanted != delay, reaches(wanted) else { return }
    next = wanted
    fade = Ramp(0)
    fade.glide(to: 1, over: -frames)
  }

  /// Advances by frames that were read or are not needed.
  @_noLocks @_noAllocation mutating func skip(_ frames: Int) {
    position += Int64(frames)
    fade.skip(frames)
    if !fade.isMoving { delay = next }
  }

  /// Reads one channel's next `count` samples.
  @_noLocks @_noAllocation func read(
    _ history: borrowing HistoryLine, channel: Int, into target: UnsafeMutablePointer<Float>, count: Int
  ) {
    guard fade.isMoving else {
      unsafe history.read(target, count: count, channel: channel, at: position - Int64(delay))
      return
    }
    for index in 0..<count { unsafe target[index] = sample(history, channel: channel, index) }
  }

  /// Returns one channel's sample `index` frames ahead.
  @_noLocks @_noAllocation func sample(_ history: borrowing HistoryLine, channel: Int, _ index: Int) -> Float
  {
    let now = position + Int64(index), x = fade.value(after: index + 1)
    let from = history.sample(channel: channel, at: now - Int64(delay))
    guard x != 1 else {
      return delay == next ? from : history.sample(channel: channel, at: now - Int64(next))
    }
    let to = history.sample(channel: channel, at: now - Int64(next))
    return from + (to - from) * x
  }
}
