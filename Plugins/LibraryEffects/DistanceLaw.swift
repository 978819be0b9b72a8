// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// How much softer sound gets with distance.
///
/// With d the distance, r the reference distance, m the maximum distance and k the roll-off, the gain is
///
///     inverse      r / (r + k · (d − r))
///     exponential  (d / r) to the power of −k
///     linear       1 − k · (d − r) / (m − r), 0 at the least
///
/// as OpenAL 1.1 states them in its section 3.4, in the clamped form: what is nearer than r sounds as at r,
/// what is further than m as at m. Where m is no more than r, distance changes nothing.
struct DistanceLaw: BitwiseCopyable {
  /// The formula.
  private var model = Model.inverse
  /// r and m in metres, and k.
  var reference = Ramp(1), maximum = Ramp(100_000), rollOff = Ramp(1)

  /// The formulas, by their numbers among the choices.
  private enum Model: Int, BitwiseCopyable {
    case inverse, exponential, linear
  }

  /// Whether a setting glides.
  var isMoving: Bool {
    @_noLocks @_noAllocation get {
      if reference.isMoving { return true }
      if maximum.isMoving { return true }
      return rollOff.isMoving
    }
  }

  /// Takes the formula of a number.
  @_noLocks @_noAllocation mutating func choose(_ number: Int) { model = Model(rawValue: number) ?? model }

  /// Steps `frames` on.
  @_noLocks @_noAllocation mutating func skip(_ frames: Int) {
    reference.skip(frames)
    maximum.skip(frames)
    rollOff.skip(frames)
  }

  /// What sound from so many metres away is multiplied by, `frames` from now: from 0 to 1.
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
