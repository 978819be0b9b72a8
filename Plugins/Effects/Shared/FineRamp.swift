// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// A ``Ramp`` in double precision: for a read point, whose rounding errors would be heard as noise.
struct FineRamp: BitwiseCopyable {
  private var start: Double
  /// The target of the glide.
  private(set) var target: Double
  /// The progress of the glide, from 0 to 1.
  private var way = Ramp(1)

  /// Creates a value at rest.
  @_noLocks @_noAllocation init(_ value: Double) {
    start = value
    target = value
  }

  /// Whether the value is gliding.
  var isMoving: Bool { @_noLocks @_noAllocation get { way.isMoving } }
  /// Whether the value is gliding in a straight line: along a ramp that a user wrote.
  var isRamp: Bool { @_noLocks @_noAllocation get { way.isMoving && !way.isSmooth } }
  /// The number of frames until the glide ends; 0 at rest.
  var remaining: Int { @_noLocks @_noAllocation get { way.remaining } }
  /// The change of the value in a frame.
  var speed: Double { @_noLocks @_noAllocation get { (target - start) * Double(way.speed) } }

  /// Returns the value `frames` frames from now.
  @_noLocks @_noAllocation func value(after frames: Int) -> Double {
    guard frames < way.remaining else { return target }
    return start + (target - start) * Double(way.value(after: frames))
  }

  /// Starts a glide, as ``Ramp/glide(to:over:)`` does.
  @_noLocks @_noAllocation mutating func glide(to value: Double, over frames: Int) {
    let now = self.value(after: 0), speed = self.speed
    start = now
    target = value
    way = Ramp(frames == 0 ? 1 : 0)
    let span = target - start
    way.glide(to: 1, over: frames, from: span == 0 ? 0 : Float(speed / span))
  }

  /// Advances by `frames` frames.
  @_noLocks @_noAllocation mutating func skip(_ frames: Int) { way.skip(frames) }

  /// Finishes the glide at its target.
  @_noLocks @_noAllocation mutating func finish() { way.finish() }
}
