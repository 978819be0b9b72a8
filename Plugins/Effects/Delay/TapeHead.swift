// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// A read point that moves along a line as a head does along tape. While it moves, it changes the pitch by a factor of
/// 1 minus the growth of the delay in each frame.
///
/// It has inertia, so that its speed is continuous: it moves to its target as a critically damped mass, x″ = k · (pull
/// · (target − x) − x′) with pull = k / 4. The pitch changes by at most an octave down or up.
struct TapeHead: BitwiseCopyable {
  /// The largest decrease and increase of the delay in a frame: twice and half the pitch.
  private static var fastest: (down: Double, up: Double) { @_noLocks @_noAllocation get { (-1, 0.5) } }
  /// The time constant of the movement, in seconds: 1 / pull.
  private static var time: Double { 0.1 }

  /// The delay in frames, from 1 to the longest.
  private(set) var delay = 1.0
  /// The growth of the delay in a frame.
  private var speed = 0.0
  private(set) var isMoving = false
  private let longest: Double, pull: Double, inertia: Double

  /// Creates a head at rest, whose delay is at most `longest` frames.
  init(longest: Int, sampleRate: Double) {
    self.longest = Double(longest)
    pull = 1 / (Self.time * sampleRate)
    inertia = 4 * pull
  }

  /// Starts to move from a delay.
  @_noLocks @_noAllocation mutating func start(at delay: Int) {
    self.delay = Double(delay)
    speed = 0
    isMoving = true
  }

  /// Stops at the current delay.
  @_noLocks @_noAllocation mutating func stop() { isMoving = false }

  /// The number of frames that can be read at once without reaching frames that are not yet written: the delay may
  /// shrink by one frame in each frame, and the interpolation needs another frame on each side.
  var reach: Int { @_noLocks @_noAllocation get { max(1, (Int(delay) - 1) / 2) } }

  /// Computes the delays of the next `count` frames, towards the value of a ramp; stops the head when it reaches the
  /// ramp's target.
  @_noLocks @_noAllocation @unsafe
  mutating func run(_ delays: UnsafeMutablePointer<Double>, towards way: Ramp, count: Int) {
    for frame in 0..<count {
      let target = Double(way.value(after: frame + 1)), distance = target - delay
      let wanted = min(max(distance * pull, Self.fastest.down), Self.fastest.up)
      speed += (wanted - speed) * inertia
      delay += speed
      if abs(target - delay) < 1e-5, abs(speed) < 1e-7, frame + 1 >= way.remaining {
        delay = target
        speed = 0
        isMoving = false
      } else if delay < 1 || delay > longest {
        delay = min(max(delay, 1), longest)
        speed = 0
      }
      unsafe delays[frame] = delay
    }
  }
}
