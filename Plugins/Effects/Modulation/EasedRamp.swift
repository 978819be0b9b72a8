// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// A value that glides with zero slope at both ends: for values whose speed must be continuous, such as a read point,
/// whose speed is heard as pitch.
struct EasedRamp: BitwiseCopyable {
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

  /// Returns the value `frames` frames from now.
  @_noLocks @_noAllocation func value(after frames: Int) -> Double {
    let share = Double(way.value(after: frames))
    guard share < 1 else { return target }
    return start + (target - start) * (share * share * (3 - 2 * share))
  }

  /// Starts a glide to `value` over `frames` frames; 0 sets it at once.
  @_noLocks @_noAllocation mutating func glide(to value: Double, over frames: Int) {
    start = self.value(after: 0)
    target = value
    way = Ramp(frames > 0 ? 0 : 1)
    way.glide(to: 1, over: frames)
  }

  /// Advances by `frames` frames.
  @_noLocks @_noAllocation mutating func skip(_ frames: Int) { way.skip(frames) }

  /// Finishes the glide at its target.
  @_noLocks @_noAllocation mutating func finish() { way.finish() }
}
