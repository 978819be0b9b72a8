// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// A read point that moves along a line as a head does along tape. While it moves, it changes the pitch by a factor of
/// 1 minus the growth of the delay in each frame.
///
/// As a tape head it has inertia, so that its speed is continuous: it moves to its target as a critically damped mass,
/// x″ = k · (pull · (target − x) − x′) with pull = k / 4. The pitch changes by at most an octave down or up.
///
/// Or it follows a ramp exactly. Before and after the ramp the delay is a whole number of frames; the difference, less
/// than a frame, grows and vanishes slowly enough to be inaudible.
struct TapeHead: BitwiseCopyable {
  private enum Movement { case none, tape, ramp, held }

  /// The largest decrease and increase of the delay in a frame: twice and half the pitch.
  private static var fastest: (down: Double, up: Double) { @_noLocks @_noAllocation get { (-1, 0.5) } }
  /// The time constant of the movement, in seconds: 1 / pull.
  private static var time: Double { 0.1 }

  /// The delay in frames, from 1 to the longest.
  private(set) var delay = 1.0
  /// The growth of the delay in a frame.
  private var speed = 0.0
  private var movement = Movement.none
  /// The difference from the ramp that the head follows.
  private var offset = Ramp(0)
  private let longest: Double, pull: Double, inertia: Double

  /// Creates a head at rest, whose delay is at most `longest` frames.
  init(longest: Int, sampleRate: Double) {
    self.longest = Double(longest)
    pull = 1 / (Self.time * sampleRate)
    inertia = 4 * pull
  }

  /// Whether the head can move.
  var exists: Bool { @_noLocks @_noAllocation get { longest > 1 } }
  var isMoving: Bool { @_noLocks @_noAllocation get { movement != .none } }

  /// Moves as a tape head, from a delay unless it is moving already.
  @_noLocks @_noAllocation mutating func bend(from delay: Int) {
    guard movement != .tape else { return }
    if movement == .none {
      self.delay = Double(delay)
      speed = 0
    }
    movement = .tape
  }

  /// Returns whether the head can follow a ramp: it is there already, and fast enough. After the ramp, it continues
  /// until it rests at a whole number of frames.
  @_noLocks @_noAllocation func follows(_ way: FineRamp, from delay: Int) -> Bool {
    guard exists, movement == .ramp || way.isRamp else { return false }
    let now = isMoving ? self.delay - (movement == .ramp ? Double(offset.value) : 0) : Double(delay)
    let distance = abs(way.value(after: 0) - now), speed = abs(way.speed)
    return distance < 1 && speed <= Self.fastest.up && (way.isRamp || !way.isMoving)
  }

  /// The number of frames until the ramp that the head follows, or the approach to it, ends; `Int.max` without one.
  @_noLocks @_noAllocation func remaining(_ way: FineRamp) -> Int {
    guard movement == .ramp else { return .max }
    let left = way.isMoving ? way.remaining : .max
    return offset.isMoving ? min(left, offset.remaining) : left
  }

  /// Follows a ramp from a delay, or from where it is. A difference from the ramp vanishes over `frames` frames.
  @_noLocks @_noAllocation mutating func follow(_ way: FineRamp, from delay: Int, over frames: Int) {
    let rest = way.isMoving ? 0 : Float(rt_floor_double(way.target + 0.5) - way.target)
    if movement == .none {
      self.delay = Double(delay)
      speed = 0
    }
    if movement != .ramp {
      movement = .ramp
      offset = Ramp(Float(self.delay - way.value(after: 0)))
      // A ramp under way is joined with the speed that the head has.
      guard offset.value != 0 else { return }
      return offset.glide(to: rest, over: -frames, from: Float(speed - way.speed), mayOvershoot: true)
    }
    if offset.target != rest { offset.glide(to: rest, over: -frames) }
  }

  /// Holds the delay of a ramp, while a crossfade replaces the read point.
  @_noLocks @_noAllocation mutating func hold() { if movement == .ramp { movement = .held } }

  /// Stops at the current delay.
  @_noLocks @_noAllocation mutating func stop() { movement = .none }

  /// The number of frames that can be read at once without reaching frames that are not yet written: the delay may
  /// shrink by one frame in each frame, and the interpolation needs another frame on each side.
  var reach: Int { @_noLocks @_noAllocation get { max(1, (Int(delay) - 1) / 2) } }

  /// Computes the delays of the next `count` frames, towards the value of a ramp; stops the head when it rests at the
  /// ramp's target, rounded to frames.
  @_noLocks @_noAllocation @unsafe
  mutating func run(_ delays: UnsafeMutablePointer<Double>, towards way: FineRamp, count: Int) {
    guard movement == .tape else {
      for frame in 0..<count {
        if movement == .ramp {
          let there = way.value(after: frame + 1) + Double(offset.value(after: frame + 1)), before = delay
          delay = min(max(min(max(there, delay - 1), delay + 1), 1), longest)
          speed = delay - before
        }
        unsafe delays[frame] = delay
      }
      guard movement == .ramp else { return }
      offset.skip(count)
      if way.remaining <= count, !offset.isMoving, abs(delay - rt_floor_double(delay + 0.5)) < 1e-5 { stop() }
      return
    }
    for frame in 0..<count {
      let isResting = frame + 1 >= way.remaining
      let target = isResting ? rt_floor_double(way.target + 0.5) : way.value(after: frame + 1)
      let distance = target - delay
      let wanted = min(max(distance * pull, Self.fastest.down), Self.fastest.up)
      speed += (wanted - speed) * inertia
      delay += speed
      if abs(target - delay) < 1e-5, abs(speed) < 1e-7, isResting {
        delay = target
        speed = 0
        stop()
      } else if delay < 1 || delay > longest {
        delay = min(max(delay, 1), longest)
        speed = 0
      }
      unsafe delays[frame] = delay
    }
  }
}
