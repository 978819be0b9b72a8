// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The filters after four lines of the network, in parallel: first-order shelves whose coefficients are interpolated
/// linearly over a segment.
///
/// `y = a·x + b·m`, then `m = c·m + d·x`. The state m is a weighted mean of the input, however the coefficients move.
struct ReverbFilters: BitwiseCopyable {
  /// The coefficients of the four filters.
  private struct Coefficients: BitwiseCopyable {
    var a = SIMD4<Float>(), b = SIMD4<Float>(), c = SIMD4<Float>(), d = SIMD4<Float>()
  }

  private var memory = SIMD4<Float>()
  private var now = Coefficients(), end = Coefficients(), growth = Coefficients(), requested = Coefficients()
  private var isMoving = false

  /// Creates filters whose output is silent.
  init() {}

  /// Clears all state.
  @_noLocks @_noAllocation mutating func clear() { memory = SIMD4() }

  /// Sets the coefficients of the filter after `line` at the end of the next segment. ``begin(after:)`` must follow.
  ///
  /// The Hadamard matrix of sixteen lines is a sum of terms with factor ±1; its factor 1/4 is included here.
  @_noLocks @_noAllocation mutating func set(
    _ line: Int, _ shelf: (a: Float, b: Float, c: Float, d: Float), inverted isInverted: Bool
  ) {
    let factor: Float = isInverted ? -0.25 : 0.25
    requested.a[line] = factor * shelf.a
    requested.b[line] = factor * shelf.b
    requested.c[line] = shelf.c
    requested.d[line] = shelf.d
  }

  /// Begins a segment. `share` is the proportion of the last segment that has elapsed.
  @_noLocks @_noAllocation mutating func begin(after share: Float) {
    if share < 1 {
      now.a += growth.a * share
      now.b += growth.b * share
      now.c += growth.c * share
      now.d += growth.d * share
    } else {
      now = end
    }
    end = requested
    growth.a = end.a - now.a
    growth.b = end.b - now.b
    growth.c = end.c - now.c
    growth.d = end.d - now.d
    isMoving = growth.a != SIMD4() || growth.b != SIMD4() || growth.c != SIMD4()
  }

  /// Filters up to four frames of four rows, which lie `apart` floats apart, and mixes the rows, in place.
  @_noLocks @_noAllocation @inline(__always) @unsafe mutating func run(
    _ rows: UnsafeMutablePointer<Float>, apart: Int, _ shares: UnsafeMutablePointer<Float>, count: Int
  ) {
    var frames = unsafe Self.transposed(
      rows[fourFrom: 0], rows[fourFrom: apart], rows[fourFrom: 2 * apart], rows[fourFrom: 3 * apart])
    if isMoving {
      unsafe frames.0 = next(frames.0, at: shares[0])
      if count > 1 { unsafe frames.1 = next(frames.1, at: shares[1]) }
      if count > 2 { unsafe frames.2 = next(frames.2, at: shares[2]) }
      if count > 3 { unsafe frames.3 = next(frames.3, at: shares[3]) }
    } else {
      frames.0 = next(frames.0)
      if count > 1 { frames.1 = next(frames.1) }
      if count > 2 { frames.2 = next(frames.2) }
      if count > 3 { frames.3 = next(frames.3) }
    }
    let lines = Self.transposed(frames.0, frames.1, frames.2, frames.3)
    let mixed = Hadamard.mixed(lines.0, lines.1, lines.2, lines.3)
    unsafe rows[fourFrom: 0] = mixed.0
    unsafe rows[fourFrom: apart] = mixed.1
    unsafe rows[fourFrom: 2 * apart] = mixed.2
    unsafe rows[fourFrom: 3 * apart] = mixed.3
  }

  @_noLocks @_noAllocation @inline(__always) private mutating func next(_ x: SIMD4<Float>) -> SIMD4<Float> {
    let y = now.a * x + now.b * memory
    memory = now.c * memory + now.d * x
    return y
  }

  @_noLocks @_noAllocation @inline(__always)
  private mutating func next(_ x: SIMD4<Float>, at share: Float) -> SIMD4<Float> {
    let y = (now.a + growth.a * share) * x + (now.b + growth.b * share) * memory
    memory = (now.c + growth.c * share) * memory + (now.d + growth.d * share) * x
    return y
  }

  /// Transposes four rows: first pairs of floats, then pairs of pairs. The pairs are handled as doubles, because the
  /// optimiser would otherwise split the vectors into scalars.
  @_noLocks @_noAllocation @inline(__always) private static func transposed(
    _ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>
  ) -> (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
    let ab = pairs(SIMD4(a.x, b.x, a.y, b.y)), cd = pairs(SIMD4(c.x, d.x, c.y, d.y))
    let laterAB = pairs(SIMD4(a.z, b.z, a.w, b.w)), laterCD = pairs(SIMD4(c.z, d.z, c.w, d.w))
    return (
      four(SIMD2(ab.x, cd.x)), four(SIMD2(ab.y, cd.y)), four(SIMD2(laterAB.x, laterCD.x)),
      four(SIMD2(laterAB.y, laterCD.y))
    )
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func pairs(_ four: SIMD4<Float>) -> SIMD2<Double> {
    unsafe unsafeBitCast(four, to: SIMD2<Double>.self)
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func four(_ pairs: SIMD2<Double>) -> SIMD4<Float> {
    unsafe unsafeBitCast(pairs, to: SIMD4<Float>.self)
  }
}
