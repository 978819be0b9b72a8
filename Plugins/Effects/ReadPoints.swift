// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// Where a delay reads its line: one place at rest, two while it fades from one delay to the next, and one
/// that moves while it bends there.
///
/// A delay that glides far goes there in hops, each a crossfade to where the glide will then be; or, where it
/// bends, as a ``TapeHead``. When that begins depends on the frame alone, never on how the sound is cut into
/// blocks.
struct ReadPoints: BitwiseCopyable {
  /// The delay that is heard, or faded from, in frames; where ``isBending`` it is the head's that counts.
  private(set) var delay: Int
  /// The delay that is faded to.
  private(set) var next: Int
  /// From 0, all from `delay`, to 1, all from `next`.
  private(set) var fade = Ramp(1)
  /// Whether it goes from one delay to another as tape does. A way that was begun ends as it began, or fades.
  var bends = false
  private var head: TapeHead
  /// The delay asked for, and the way there.
  private var asked: Ramp
  private let longestFade: Int
  private var fadeLength = 1

  /// One read point, `delay` frames back.
  ///
  /// - Parameter head: what moves it where it ``bends``, on a line that has the frames it needs.
  init(delay: Int, longestFade: Int, head: TapeHead = TapeHead(longest: 1, sampleRate: 1)) {
    self.delay = delay
    self.longestFade = max(longestFade, 1)
    next = delay
    asked = Ramp(Float(delay))
    self.head = head
  }

  /// The nearest frame to a time in milliseconds.
  @_noLocks @_noAllocation static func frames(_ milliseconds: Double, _ sampleRate: Double) -> Int {
    Int(rt_floor_double(milliseconds * sampleRate / 1000 + 0.5))
  }

  /// Whether both points are heard.
  var isFading: Bool { @_noLocks @_noAllocation get { fade.isMoving } }
  /// Whether the first point moves: see ``bend(_:count:)``.
  var isBending: Bool { @_noLocks @_noAllocation get { head.isMoving } }
  /// The delay that all this leads to.
  var target: Int { @_noLocks @_noAllocation get { Int(asked.target) } }
  /// The longest delay that is heard from now on.
  var longest: Int {
    @_noLocks @_noAllocation get { max(max(target, delay), head.isMoving ? Int(head.delay) + 1 : 0) }
  }

  /// Heads for a delay, to be reached in `frames` frames; 0 is at once.
  @_noLocks @_noAllocation mutating func glide(to delay: Int, over frames: Int) {
    asked.glide(to: Float(delay), over: frames)
    fadeLength = min(max(frames, 1), longestFade)
    if frames <= 0 { arrive() }
  }

  /// Ends all ways where they were heading.
  @_noLocks @_noAllocation mutating func arrive() {
    asked.finish()
    fade = Ramp(1)
    head.stop()
    delay = target
    next = target
  }

  /// Sets out where that is due.
  ///
  /// - Returns: how many of `frames` can be worked on at once: none that is yet to be written, none of
  ///   another hop.
  @_noLocks @_noAllocation mutating func begin(_ frames: Int) -> Int {
    if !fade.isMoving, asked.isMoving || target != delay || head.isMoving {
      if !bends {
        next = Int(asked.value(after: fadeLength) + 0.5)
        fade = Ramp(0)
        fade.glide(to: 1, over: fadeLength)
      } else if !head.isMoving {
        head.start(at: delay)
      }
    }
    let reach = min(frames, head.isMoving ? head.reach : delay)
    return fade.isMoving ? min(min(reach, fade.remaining), next) : reach
  }

  /// Lays out the delays of the first point for the next `count` frames, while it moves.
  @_noLocks @_noAllocation @unsafe
  mutating func bend(_ delays: UnsafeMutablePointer<Double>, count: Int) {
    unsafe head.run(delays, towards: asked, count: count)
    if !head.isMoving { delay = target }
  }

  /// Reads `count` frames of a line by both points, of which the first does not move.
  ///
  /// - Parameters:
  ///   - other: room for what the second one reads.
  ///   - shift: what is added to both delays, in frames.
  @_noLocks @_noAllocation @unsafe func read(
    _ line: borrowing DelayLine, _ sink: UnsafeMutablePointer<Float>, count: Int,
    other: UnsafeMutablePointer<Float>, shift: Int = 0
  ) {
    unsafe line.read(sink, delay: delay + shift, count: count)
    unsafe fade(line, sink, count: count, other: other, shift: shift)
  }

  /// Adds the second point to what the first one has read, as far as it is heard: see
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

  /// Moves on `frames` frames.
  @_noLocks @_noAllocation mutating func advance(_ frames: Int) {
    asked.skip(frames)
    guard fade.isMoving else { return }
    fade.skip(frames)
    if !fade.isMoving {
      delay = next
      head.stop()
    }
  }
}
