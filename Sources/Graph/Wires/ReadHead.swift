// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

/// Where the past is read: at one delay, or, while that changes, at two that cross in a short fade.
///
/// Trivial data of the audio thread. What wires, bypasses and feedback have in common.
struct ReadHead: BitwiseCopyable {
  /// The frame that comes next, by the count of the history that it reads.
  private(set) var position: Int64 = 0
  /// The first frame that was remembered; nothing older can be read.
  private var birth: Int64
  /// How late the past is read now, and at the end of the fade.
  private(set) var delay: Int, next: Int
  private var fade: Ramp

  /// A head at rest. Where `isSilentBefore`, what was before the first frame is known to be silence.
  @_noLocks @_noAllocation init(delay: Int, isSilentBefore: Bool = false) {
    self.delay = delay
    next = delay
    fade = Ramp(1)
    birth = isSilentBefore ? .min / 2 : 0
  }

  /// Whether it is between two delays.
  var isMoving: Bool { @_noLocks @_noAllocation get { fade.isMoving } }

  /// Whether it reads what comes in, without delay.
  var isPrompt: Bool { @_noLocks @_noAllocation get { delay == 0 && next == 0 } }

  /// How far back it reads now.
  var reach: Int { @_noLocks @_noAllocation get { max(delay, next) } }

  /// Whether the past reaches back `delay` frames.
  @_noLocks @_noAllocation func reaches(_ delay: Int) -> Bool { position - birth >= Int64(delay) }

  /// Forgets what lies more than `frames` back.
  @_noLocks @_noAllocation mutating func forget(beyond frames: Int) {
    birth = max(birth, position - Int64(frames))
  }

  /// Heads for another delay, unless it is on its way already or the past does not reach so far yet.
  @_noLocks @_noAllocation mutating func aim(at wanted: Int, over frames: Int) {
    guard !fade.isMoving, wanted != delay, reaches(wanted) else { return }
    next = wanted
    fade = Ramp(0)
    fade.glide(to: 1, over: frames)
  }

  /// Steps over frames that were read, or need not be.
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

  /// The sample of one channel that lies `index` frames ahead.
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
