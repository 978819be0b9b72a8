// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The filters behind four lines of the network, side by side: first-order shelves whose coefficients go
/// straight from a segment's beginning to its end.
///
/// `y = a·x + b·m`, then `m = c·m + d·x`. What is remembered is a mean of what came in, however the
/// coefficients move.
struct ReverbFilters: BitwiseCopyable {
  /// The four coefficients of four filters.
  private struct Coefficients: BitwiseCopyable {
    var a = SIMD4<Float>(), b = SIMD4<Float>(), c = SIMD4<Float>(), d = SIMD4<Float>()
  }

  private var memory = SIMD4<Float>()
  private var now = Coefficients(), end = Coefficients(), growth = Coefficients(), asked = Coefficients()
  private var isMoving = false

  /// Filters that let nothing through.
  init() {}

  /// Forgets all sound.
  @_noLocks @_noAllocation mutating func clear() { memory = SIMD4() }

  /// Says where the filter behind `line` shall be at the end of the next segment. ``begin(after:)`` follows.
  ///
  /// The Hadamard matrix of sixteen lines is a sum of ±1; its factor 1/4 is put in here.
  @_noLocks @_noAllocation mutating func set(
    _ line: Int, _ shelf: (a: Float, b: Float, c: Float, d: Float), turned isTurned: Bool
  ) {
    let factor: Float = isTurned ? -0.25 : 0.25
    asked.a[line] = factor * shelf.a
    asked.b[line] = factor * shelf.b
    asked.c[line] = shelf.c
    asked.d[line] = shelf.d
  }

  /// Begins a segment after so much of the last one.
  @_noLocks @_noAllocation mutating func begin(after share: Float) {
    if share < 1 {
      now.a += growth.a * share
      now.b += growth.b * share
      now.c += growth.c * share
      now.d += growth.d * share
    } else {
      now = end
    }
    end = asked
    growth.a = end.a - now.a
    growth.b = end.b - now.b
    growth.c = end.c - now.c
    growth.d = end.d - now.d
    isMoving = growth.a != SIMD4() || growth.b != SIMD4() || growth.c != SIMD4()
  }

  /// Filters four frames of four rows that lie `apart` floats apart, in place.
  @_noLocks @_noAllocation @inline(__always) @unsafe mutating func runFour(
    _ rows: UnsafeMutablePointer<Float>, apart: Int, _ shares: UnsafeMutablePointer<Float>
  ) {
    let lines = unsafe (
      rows[fourFrom: 0], rows[fourFrom: apart], rows[fourFrom: 2 * apart], rows[fourFrom: 3 * apart]
    )
    var frames = Self.turned(lines.0, lines.1, lines.2, lines.3)
    if isMoving {
      unsafe frames.0 = next(frames.0, at: shares[0])
      unsafe frames.1 = next(frames.1, at: shares[1])
      unsafe frames.2 = next(frames.2, at: shares[2])
      unsafe frames.3 = next(frames.3, at: shares[3])
    } else {
      frames.0 = next(frames.0)
      frames.1 = next(frames.1)
      frames.2 = next(frames.2)
      frames.3 = next(frames.3)
    }
    let done = Self.turned(frames.0, frames.1, frames.2, frames.3)
    unsafe rows[fourFrom: 0] = done.0
    unsafe rows[fourFrom: apart] = done.1
    unsafe rows[fourFrom: 2 * apart] = done.2
    unsafe rows[fourFrom: 3 * apart] = done.3
  }

  /// Filters one frame of four rows, in place.
  @_noLocks @_noAllocation @inline(__always) @unsafe mutating func runOne(
    _ rows: UnsafeMutablePointer<Float>, apart: Int, _ share: Float
  ) {
    let frame = unsafe SIMD4(rows[0], rows[apart], rows[2 * apart], rows[3 * apart])
    let done = isMoving ? next(frame, at: share) : next(frame)
    for line in 0..<4 { unsafe rows[line * apart] = done[line] }
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

  /// Rows become columns.
  @_noLocks @_noAllocation @inline(__always) private static func turned(
    _ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>
  ) -> (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
    (
      SIMD4(a.x, b.x, c.x, d.x), SIMD4(a.y, b.y, c.y, d.y), SIMD4(a.z, b.z, c.z, d.z),
      SIMD4(a.w, b.w, c.w, d.w)
    )
  }
}
