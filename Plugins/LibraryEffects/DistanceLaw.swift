// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The attenuation of a signal with distance.
///
/// With d as the distance, r the reference distance, m the maximum distance and k the roll-off, the gain is
///
///     inverse      r / (r + k · (d − r))
///     exponential  (d / r) to the power of −k
///     linear       1 − k · (d − r) / (m − r), at least 0
///
/// as in section 3.4 of OpenAL 1.1, in the clamped form: distances are clamped to r … m. If m is not larger than r, the
/// gain is always 1.
struct DistanceLaw: BitwiseCopyable {
  /// The formula.
  private var model = Model.inverse
  /// r and m in metres, and k.
  var reference = Ramp(1), maximum = Ramp(100_000), rollOff = Ramp(1)

  /// The formulas, in the order of the parameter's choices.
  private enum Model: Int, BitwiseCopyable {
    case inverse, exponential, linear
  }

  /// Whether a value is gliding.
  var isMoving: Bool {
    @_noLocks @_noAllocation get {
      if reference.isMoving { return true }
      if maximum.isMoving { return true }
      return rollOff.isMoving
    }
  }

  /// Sets the formula by its index.
  @_noLocks @_noAllocation mutating func choose(_ number: Int) { model = Model(rawValue: number) ?? model }

  /// Advances by `frames` frames.
  @_noLocks @_noAllocation mutating func skip(_ frames: Int) {
    reference.skip(frames)
    maximum.skip(frames)
    rollOff.skip(frames)
  }

  /// Returns the gain at a distance in metres, `frames` frames from now: from 0 to 1.
  @_noLocks @_noAllocation func gain(at distance: Float, after frames: Int) -> Float {
    let near = Double(reference.value(after: frames)), far = Double(maximum.value(after: frames))
    let decay = Double(rollOff.value(after: frames))
    guard far > near, distance > Float(near) else { return 1 }
    let there = min(Double(distance), far)
    switch model {
    case .inverse: return Float(near / (near + decay * (there - near)))
    case .exponential: return Float(rt_pow_double(there / near, -decay))
    case .linear: return Float(max(1 - decay * (there - near) / (far - near), 0))
    }
  }
}
