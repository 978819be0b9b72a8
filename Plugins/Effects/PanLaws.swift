// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// How two sides share a sound, by one of four laws, or on the way from one to another.
///
/// With x from −1 (away) to 1 (all of it) a side gets, in this order: (1 + x) / 2, then the first, the 1.5th
/// and the second power of sin(π/4 · (1 + x)). At the centre these are −6.02, −3.01, −4.52 and −6.02 dB. The
/// first and the last add up to 1 in amplitude, the second in power.
struct PanLaws: BitwiseCopyable {
  /// How much each law has to say, at the start of a glide and at its end.
  private var before: SIMD4<Float>, after: SIMD4<Float>
  private var progress = Ramp(1)

  init(of law: Int) {
    after = Self.alone(law)
    before = after
  }

  var isMoving: Bool { @_noLocks @_noAllocation get { progress.isMoving } }

  @_noLocks @_noAllocation mutating func glide(to law: Int, over frames: Int) {
    before = weights(after: 0)
    after = Self.alone(law)
    progress = Ramp(0)
    progress.glide(to: 1, over: frames)
  }

  @_noLocks @_noAllocation mutating func skip(_ frames: Int) { progress.skip(frames) }
  @_noLocks @_noAllocation mutating func finish() { progress.finish() }

  /// What a side gets of a mono sound that lies at `place` as seen from it.
  @_noLocks @_noAllocation func share(_ place: Float, after frames: Int) -> Float {
    (weights(after: frames) * Self.shares(place)).sum()
  }

  /// What a side keeps of its own sound when the balance is at `place`: all of it from the centre on.
  @_noLocks @_noAllocation func balance(_ place: Float, after frames: Int) -> Float {
    guard place < 0 else { return 1 }
    return min((weights(after: frames) * Self.shares(place) / Self.shares(0)).sum(), 1)
  }

  @_noLocks @_noAllocation private func weights(after frames: Int) -> SIMD4<Float> {
    before + (after - before) * progress.value(after: frames)
  }

  @_noLocks @_noAllocation private static func alone(_ law: Int) -> SIMD4<Float> {
    SIMD4(law <= 0 ? 1 : 0, law == 1 ? 1 : 0, law == 2 ? 1 : 0, law >= 3 ? 1 : 0)
  }

  @_noLocks @_noAllocation private static func shares(_ place: Float) -> SIMD4<Float> {
    let straight = (1 + place) / 2, sine = Float(rt_sin_double(.pi / 2 * Double(straight)))
    return SIMD4(straight, sine, sine * rt_sqrt(sine), sine * sine)
  }
}
