// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The read points of a delay: one at rest, two during a crossfade from one delay to the next, and a moving one during
/// a pitch bend.
///
/// A step crossfades to the new delay, and along a ramp the read point moves. With ``bends``, it moves as a
/// ``TapeHead`` in both cases. A ramp that is too fast for the head, and any ramp without a head, consists of
/// crossfades, each to the delay that the ramp will have reached at its end. The frame at which a crossfade begins does
/// not depend on block sizes.
struct ReadPoints: BitwiseCopyable {
  /// The delay that is heard or fades out, in frames; while ``isBending``, the head's delay counts instead.
  private(set) var delay: Int
  /// The delay that fades in, in frames.
  private(set) var next: Int
  /// The crossfade's position, from 0, only `delay`, to 1, only `next`.
  private(set) var fade = Ramp(1)
  /// Whether a change of the delay bends the pitch as tape does. If this is switched during a change, a crossfade is
  /// completed and a pitch bend ends with a crossfade.
  var bends = false
  private var head: TapeHead
  /// The glide of the requested delay.
  private var requested: FineRamp
  private let longestFade: Int
  private var fadeLength = 1

  /// Creates one read point, `delay` frames back.
  ///
  /// - Parameter head: the head that moves the read point if ``bends`` is true; the line must hold the frames that it
  ///   needs.
  init(delay: Int, longestFade: Int, head: TapeHead = TapeHead(longest: 1, sampleRate: 1)) {
    self.delay = delay
    self.longestFade = max(longestFade, 1)
    next = delay
    requested = FineRamp(Double(delay))
    self.head = head
  }

  /// Returns a time in milliseconds as a number of frames, rounded.
  @_noLocks @_noAllocation static func frames(_ milliseconds: Double, _ sampleRate: Double) -> Int {
    Int(rt_floor_double(milliseconds * sampleRate / 1000 + 0.5))
  }

  /// Whether a crossfade is in progress.
  var isFading: Bool { @_noLocks @_noAllocation get { fade.isMoving } }
  /// Whether the first read point is moving: see ``bend(_:count:)``.
  var isBending: Bool { @_noLocks @_noAllocation get { head.isMoving } }
  /// The delay at the end of all changes, in frames.
  var target: Int { @_noLocks @_noAllocation get { Int(rt_floor_double(requested.target + 0.5)) } }
  /// The longest delay that is heard from now on.
  var longest: Int {
    @_noLocks @_noAllocation get { max(max(target, delay), head.isMoving ? Int(head.delay) + 1 : 0) }
  }

  /// Glides to a delay, as ``Ramp/glide(to:over:)`` does. At rest, the delay is a whole number of frames.
  @_noLocks @_noAllocation mutating func glide(to delay: Double, over frames: Int) {
    requested.glide(to: frames > 0 && head.exists ? delay : rt_floor_double(delay + 0.5), over: frames)
    fadeLength = min(max(abs(frames), 1), longestFade)
    if frames == 0 { arrive() }
  }

  /// Ends all changes at the target.
  @_noLocks @_noAllocation mutating func arrive() {
    requested.finish()
    fade = Ramp(1)
    head.stop()
    delay = target
    next = target
  }

  /// Begins a step if one is due.
  ///
  /// - Returns: the number of frames, at most `frames`, that can be processed at once: all of them have been written
  ///   and belong to the same step.
  @_noLocks @_noAllocation mutating func begin(_ frames: Int) -> Int {
    if !fade.isMoving, requested.isMoving || target != delay || head.isMoving {
      if bends {
        head.bend(from: delay)
      } else if head.follows(requested, from: delay) {
        head.follow(requested, from: delay, over: longestFade)
      } else {
        head.hold()
        next = Int(requested.value(after: fadeLength) + 0.5)
        fade = Ramp(0)
        fade.glide(to: 1, over: -fadeLength)
      }
    }
    let reach = min(frames, head.isMoving ? min(head.reach, head.remaining(requested)) : delay)
    return fade.isMoving ? min(min(reach, fade.remaining), next) : reach
  }

  /// Computes the delays of the first read point for the next `count` frames, while it moves.
  @_noLocks @_noAllocation @unsafe
  mutating func bend(_ delays: UnsafeMutablePointer<Double>, count: Int) {
    unsafe head.run(delays, towards: requested, count: count)
    if !head.isMoving { delay = target }
  }

  /// Reads `count` frames of a line with both read points, while the first one does not move.
  ///
  /// - Parameters:
  ///   - other: memory for the frames of the second read point.
  ///   - shift: the number of frames that is added to both delays.
  @_noLocks @_noAllocation @unsafe func read(
    _ line: borrowing DelayLine, _ sink: UnsafeMutablePointer<Float>, count: Int,
    other: UnsafeMutablePointer<Float>, shift: Int = 0
  ) {
    unsafe line.read(sink, delay: delay + shift, count: count)
    unsafe fade(line, sink, count: count, other: other, shift: shift)
  }

  /// Mixes the second read point with the frames that the first one has read, if a crossfade is in progress: see
  /// ``read(_:_:count:other:shift:)``.
  @_noLocks @_noAllocation @unsafe func fade(
    _ line: borrowing DelayLine, _ sink: UnsafeMutablePointer<Float>, count: Int,
    other: UnsafeMutablePointer<Float>, shift: Int = 0
  ) {
    guard fade.isMoving else { return }
    unsafe line.read(other, delay: next + shift, count: count)
    for frame in 0..<count {
      unsafe sink[frame] += (other[frame] - sink[frame]) * fade.value(after: frame + 1)
    }
  }

  /// Advances by `frames` frames.
  @_noLocks @_noAllocation mutating func advance(_ frames: Int) {
    requested.skip(frames)
    guard fade.isMoving else { return }
    fade.skip(frames)
    if !fade.isMoving {
      delay = next
      head.stop()
    }
  }
}
