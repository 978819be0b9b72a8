// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// A value that glides with a soft start and a soft stop: for what must not change its speed at once, such as
/// a read point, whose speed is heard as pitch.
struct EasedRamp: BitwiseCopyable {
  private var start: Double
  /// Where the glide ends.
  private(set) var target: Double
  /// From 0 to 1.
  private var way = Ramp(1)

  /// A value at rest.
  @_noLocks @_noAllocation init(_ value: Double) {
    start = value
    target = value
  }

  /// Whether the value still moves.
  var isMoving: Bool { @_noLocks @_noAllocation get { way.isMoving } }

  /// The value `frames` from now.
  @_noLocks @_noAllocation func value(after frames: Int) -> Double {
    let share = Double(way.value(after: frames))
    guard share < 1 else { return target }
    return start + (target - start) * (share * share * (3 - 2 * share))
  }

  /// Heads for `value`, to be reached after `frames` more frames; 0 is at once.
  @_noLocks @_noAllocation mutating func glide(to value: Double, over frames: Int) {
    start = self.value(after: 0)
    target = value
    way = Ramp(frames > 0 ? 0 : 1)
    way.glide(to: 1, over: frames)
  }

  /// Steps `frames` on at once.
  @_noLocks @_noAllocation mutating func skip(_ frames: Int) { way.skip(frames) }

  /// Ends the glide where it was heading.
  @_noLocks @_noAllocation mutating func finish() { way.finish() }
}
