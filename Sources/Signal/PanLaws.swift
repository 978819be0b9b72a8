// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// The pan law that distributes a signal to two sides, or a crossfade from one law to another.
///
/// With x from −1 (the opposite side) to 1 (this side), the gain of a side is, in the order of the laws' numbers: (1 +
/// x) / 2; then the first, the 1.5th and the second power of sin(π/4 · (1 + x)); then cos(π/2 · x) for x below 0 and 1
/// for all other x; and with the last law always 1. At the centre these gains are −6.02, −3.01, −4.52, −6.02, 0 and 0
/// dB. The gains of both sides add up to 1 in amplitude with the first and the fourth law, and in power with the
/// second.
public struct PanLaws: BitwiseCopyable, Sendable {
  /// The number of the law with which both sides get the full signal at any position.
  public static var nowhere: Int { @_noLocks @_noAllocation get { 5 } }

  /// The weights of the laws at the start and at the end of a glide.
  private var before: SIMD8<Float>, after: SIMD8<Float>
  private var progress = Ramp(1)
  /// The current law, or the target of a glide.
  private var law: Int

  /// Creates a pan law from its number, from 0; other numbers are clamped.
  @_noLocks @_noAllocation public init(of law: Int) {
    self.law = min(max(law, 0), Self.nowhere)
    after = Self.alone(self.law)
    before = after
  }

  /// Whether a glide to another law is in progress.
  public var isMoving: Bool { @_noLocks @_noAllocation get { progress.isMoving } }

  /// Glides to another law over `frames` frames; 0 sets it at once.
  @_noLocks @_noAllocation public mutating func glide(to law: Int, over frames: Int) {
    before = weights(after: 0)
    self.law = min(max(law, 0), Self.nowhere)
    after = Self.alone(self.law)
    progress = Ramp(0)
    progress.glide(to: 1, over: -abs(frames))
  }

  /// Advances by `frames` frames.
  @_noLocks @_noAllocation public mutating func skip(_ frames: Int) { progress.skip(frames) }
  /// Finishes a glide at once.
  @_noLocks @_noAllocation public mutating func finish() { progress.finish() }

  /// Returns the gain factor of one of two sides, `frames` frames from now. All panning in Swiftlet uses this function.
  ///
  /// - Parameters:
  ///   - pan: the position, from −1, left, to 1, right.
  ///   - isMono: whether both sides get the same signal, which is placed between them. Otherwise each side has a signal
  ///     of its own, and the balance shifts: nothing is attenuated in the centre.
  @_noLocks @_noAllocation @inline(__always)
  public func factor(_ pan: Float, isRight: Bool, isMono: Bool, after frames: Int = 0) -> Float {
    let side = isRight ? pan : -pan
    return isMono ? share(side, after: frames) : balance(side, after: frames)
  }

  /// Returns the gain of a side for a mono signal; `side` is 1 at this side and −1 at the opposite side.
  @_noLocks @_noAllocation private func share(_ side: Float, after frames: Int) -> Float {
    progress.isMoving ? (weights(after: frames) * Self.shares(side)).sum() : Self.share(side, by: law)
  }

  /// Returns the gain of a side for its own signal; `side` is the balance, 1 at this side. The gain is 1 from the
  /// centre on.
  @_noLocks @_noAllocation private func balance(_ side: Float, after frames: Int) -> Float {
    guard side < 0 else { return 1 }
    guard progress.isMoving else { return min(Self.share(side, by: law) / Self.share(0, by: law), 1) }
    return min((weights(after: frames) * Self.shares(side) / Self.shares(0)).sum(), 1)
  }

  @_noLocks @_noAllocation private func weights(after frames: Int) -> SIMD8<Float> {
    before + (after - before) * progress.value(after: frames)
  }

  @_noLocks @_noAllocation private static func alone(_ law: Int) -> SIMD8<Float> {
    var weights = SIMD8<Float>()
    weights[law] = 1
    return weights
  }

  /// Returns the gains of all laws, in the order of their numbers.
  @_noLocks @_noAllocation private static func shares(_ side: Float) -> SIMD8<Float> {
    // Unused lanes are 1, since they are also divisors.
    SIMD8(
      share(side, by: 0), share(side, by: 1), share(side, by: 2), share(side, by: 3), share(side, by: 4),
      1, 1, 1)
  }

  @_noLocks @_noAllocation private static func share(_ side: Float, by law: Int) -> Float {
    // While the position glides to a side, rounding may exceed it.
    let side = side < -1 ? -1 : side, straight = (1 + side) / 2
    guard law != 0 else { return straight }
    guard law < 4 else { return law == 4 ? kept(side) : 1 }
    let sine = Float(rt_sin_double(.pi / 2 * Double(straight)))
    return law == 1 ? sine : sine * (law == 2 ? rt_sqrt(sine) : sine)
  }

  /// Returns the gain of a side with the balance law; `side` is 1 at this side. The curve is a quarter cosine, which
  /// is also an equal-power crossfade.
  @_noLocks @_noAllocation public static func kept(_ side: Float) -> Float {
    // The sine of exactly zero is zero, but a cosine at the rounded π/2 is not.
    side < 0 ? Float(rt_sin_double(.pi / 2 * (1 + Double(max(side, -1))))) : 1
  }
}
