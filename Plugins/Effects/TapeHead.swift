// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// A read point that moves along a line as a head does along tape: what it reads while it moves changes its
/// pitch, by a factor of 1 − the growth of the delay from frame to frame.
///
/// It has inertia, so its speed never jumps: pulled towards where it is to be as a critically damped mass,
/// x″ = k · (pull · (target − x) − x′) with pull = k / 4, and never faster than an octave down or up.
struct TapeHead: BitwiseCopyable {
  /// The largest change of the delay in a frame, shorter and longer: twice the pitch, and half.
  private static var fastest: (down: Double, up: Double) { @_noLocks @_noAllocation get { (-1, 0.5) } }
  /// How long the pull takes for a distance, in seconds: 1 / pull.
  private static var time: Double { 0.1 }

  /// Its delay in frames, from 1 to the longest.
  private(set) var delay = 1.0
  /// By how much that grows in a frame.
  private var speed = 0.0
  private(set) var isMoving = false
  private let longest: Double, pull: Double, inertia: Double

  /// A head at rest, which goes no further than `longest` frames.
  init(longest: Int, sampleRate: Double) {
    self.longest = Double(longest)
    pull = 1 / (Self.time * sampleRate)
    inertia = 4 * pull
  }

  /// Sets out from a delay, at which it stands.
  @_noLocks @_noAllocation mutating func start(at delay: Int) {
    self.delay = Double(delay)
    speed = 0
    isMoving = true
  }

  /// Stops where it is.
  @_noLocks @_noAllocation mutating func stop() { isMoving = false }

  /// How many frames can be read at once, none of which is yet to be written: it may come towards them at one
  /// frame a frame, and reading between frames needs another on either side.
  var reach: Int { @_noLocks @_noAllocation get { max(1, (Int(delay) - 1) / 2) } }

  /// Lays out the delays of the next `count` frames, on its way to where a ramp leads; stops when it is
  /// there.
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
