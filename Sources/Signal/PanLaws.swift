// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// How two sides share a sound, by one of several laws, or on the way from one to another.
///
/// With x from −1 (away) to 1 (all of it) a side gets, in the order of their numbers: (1 + x) / 2, then the
/// first, the 1.5th and the second power of sin(π/4 · (1 + x)), then 1 from the centre on and cos(π/2 · x)
/// before it, and by the last law always 1. At the centre these are −6.02, −3.01, −4.52, −6.02, 0 and 0 dB.
/// The first and the fourth add up to 1 in amplitude, the second in power.
public struct PanLaws: BitwiseCopyable, Sendable {
  /// The number of the law by which both sides get all, wherever the sound lies.
  public static var nowhere: Int { @_noLocks @_noAllocation get { 5 } }

  /// How much each law has to say, at the start of a glide and at its end.
  private var before: SIMD8<Float>, after: SIMD8<Float>
  private var progress = Ramp(1)
  /// Where it is, or where it heads.
  private var law: Int

  /// One law by its number, from 0; numbers that there are not count as the nearest.
  @_noLocks @_noAllocation public init(of law: Int) {
    self.law = min(max(law, 0), Self.nowhere)
    after = Self.alone(self.law)
    before = after
  }

  /// Whether it is on its way from one law to another.
  public var isMoving: Bool { @_noLocks @_noAllocation get { progress.isMoving } }

  /// Heads for another law, to be there after so many frames; 0 is at once.
  @_noLocks @_noAllocation public mutating func glide(to law: Int, over frames: Int) {
    before = weights(after: 0)
    self.law = min(max(law, 0), Self.nowhere)
    after = Self.alone(self.law)
    progress = Ramp(0)
    progress.glide(to: 1, over: frames)
  }

  /// Steps so many frames on.
  @_noLocks @_noAllocation public mutating func skip(_ frames: Int) { progress.skip(frames) }
  /// Ends a glide where it was heading.
  @_noLocks @_noAllocation public mutating func finish() { progress.finish() }

  /// What one of two sides is multiplied by, so many frames from now: wherever sound is panned, it is by this.
  ///
  /// - Parameters:
  ///   - pan: where the sound lies, from −1, left, to 1, right.
  ///   - isMono: whether both sides get the same sound, which is placed between them; else each has its own, and
  ///     the balance is shifted: nothing is lost in the centre.
  @_noLocks @_noAllocation @inline(__always)
  public func factor(_ pan: Float, isRight: Bool, isMono: Bool, after frames: Int = 0) -> Float {
    let place = isRight ? pan : -pan
    return isMono ? share(place, after: frames) : balance(place, after: frames)
  }

  /// What a side gets of a mono sound that lies at `place` as seen from it.
  @_noLocks @_noAllocation private func share(_ place: Float, after frames: Int) -> Float {
    progress.isMoving ? (weights(after: frames) * Self.shares(place)).sum() : Self.share(place, by: law)
  }

  /// What a side keeps of its own sound when the balance is at `place`: all of it from the centre on.
  @_noLocks @_noAllocation private func balance(_ place: Float, after frames: Int) -> Float {
    guard place < 0 else { return 1 }
    guard progress.isMoving else { return min(Self.share(place, by: law) / Self.share(0, by: law), 1) }
    return min((weights(after: frames) * Self.shares(place) / Self.shares(0)).sum(), 1)
  }

  @_noLocks @_noAllocation private func weights(after frames: Int) -> SIMD8<Float> {
    before + (after - before) * progress.value(after: frames)
  }

  @_noLocks @_noAllocation private static func alone(_ law: Int) -> SIMD8<Float> {
    var weights = SIMD8<Float>()
    weights[law] = 1
    return weights
  }

  /// What every law says, in the order of their numbers.
  @_noLocks @_noAllocation private static func shares(_ place: Float) -> SIMD8<Float> {
    // What no law uses is 1, since it is divided by, too.
    SIMD8(
      share(place, by: 0), share(place, by: 1), share(place, by: 2), share(place, by: 3), share(place, by: 4),
      1, 1, 1)
  }

  @_noLocks @_noAllocation private static func share(_ place: Float, by law: Int) -> Float {
    // On the way to a side, rounding may go beyond it.
    let place = place < -1 ? -1 : place, straight = (1 + place) / 2
    guard law != 0 else { return straight }
    guard law < 4 else { return law == 4 ? kept(place) : 1 }
    let sine = Float(rt_sin_double(.pi / 2 * Double(straight)))
    return law == 1 ? sine : sine * (law == 2 ? rt_sqrt(sine) : sine)
  }

  /// What a side keeps by the law of balance of a sound that lies at `place` as seen from it: a quarter cosine,
  /// by which sounds of equal power cross, too.
  @_noLocks @_noAllocation public static func kept(_ place: Float) -> Float {
    place < 0 ? rt_cos(max(place, -1) * (.pi / 2)) : 1
  }
}
