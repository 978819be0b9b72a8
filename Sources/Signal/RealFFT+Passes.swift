// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The passes of the complex transform. A portion of each is 32 numbers: eight butterflies of radix 4.
extension RealFFT {
  /// The four complex numbers of a radix-4 butterfly, in each of eight lanes.
  private struct Fours: BitwiseCopyable {
    var a: (re: SIMD8<Float>, im: SIMD8<Float>), b: (re: SIMD8<Float>, im: SIMD8<Float>)
    var c: (re: SIMD8<Float>, im: SIMD8<Float>), d: (re: SIMD8<Float>, im: SIMD8<Float>)
  }

  @_noLocks @_noAllocation func pass(_ number: Int, _ portions: Range<Int>) {
    let isEven = number % 2 == 0
    let source = unsafe isEven ? memory.front : memory.back
    let sink = unsafe isEven ? memory.back : memory.front
    if number == memory.fourCount { return unsafe pair(source, sink, portions) }
    switch number {
    case 0: unsafe first(source, sink, portions)
    case 1: unsafe second(source, sink, portions)
    default: unsafe further(number, source, sink, portions)
    }
  }

  /// Computes the first pass: eight butterflies at once, whose results are stored at a stride of four.
  @_noLocks @_noAllocation private func first(
    _ source: FFTMemory.Numbers, _ sink: FFTMemory.Numbers, _ portions: Range<Int>
  ) {
    for portion in portions {
      let index = 8 * portion
      let y = unsafe twiddled(source, index, pass: 0)
      unsafe interleave(y.a.re, y.b.re, y.c.re, y.d.re, sink.real + 4 * index)
      unsafe interleave(y.a.im, y.b.im, y.c.im, y.d.im, sink.imaginary + 4 * index)
    }
  }

  /// Computes the second pass: two butterflies with different twiddle factors, in four lanes each.
  @_noLocks @_noAllocation private func second(
    _ source: FFTMemory.Numbers, _ sink: FFTMemory.Numbers, _ portions: Range<Int>
  ) {
    for portion in portions {
      let index = 8 * portion
      let y = unsafe twiddled(source, index, pass: 1)
      unsafe Self.halve(y.a.re, y.b.re, y.c.re, y.d.re, sink.real + 4 * index)
      unsafe Self.halve(y.a.im, y.b.im, y.c.im, y.d.im, sink.imaginary + 4 * index)
    }
  }

  /// Computes a pass from the third on: groups of eight butterflies with the same twiddle factors.
  @_noLocks @_noAllocation private func further(
    _ number: Int, _ source: FFTMemory.Numbers, _ sink: FFTMemory.Numbers, _ portions: Range<Int>
  ) {
    let quarter = halfCount / 4, roots = unsafe memory.roots(number), length = unsafe roots.length
    // The number of butterflies with the same twiddle factors, and the number of portions that they make.
    let stride = 1 << (2 * number), same = stride / 8
    var portion = portions.lowerBound
    while portion < portions.upperBound {
      let root = portion / same, end = min((root + 1) * same, portions.upperBound)
      let base = unsafe roots.base + root
      let w1r = unsafe SIMD8(repeating: base[0]), w1i = unsafe SIMD8(repeating: base[length])
      let w2r = unsafe SIMD8(repeating: base[2 * length]), w2i = unsafe SIMD8(repeating: base[3 * length])
      let w3r = unsafe SIMD8(repeating: base[4 * length]), w3i = unsafe SIMD8(repeating: base[5 * length])
      while portion < end {
        let index = 8 * portion, to = index + 3 * root * stride
        let y = Self.twiddle(unsafe Self.butterfly(source, index, quarter), w1r, w1i, w2r, w2i, w3r, w3i)
        unsafe sink.real[eightFrom: to] = y.a.re
        unsafe sink.imaginary[eightFrom: to] = y.a.im
        unsafe sink.real[eightFrom: to + stride] = y.b.re
        unsafe sink.imaginary[eightFrom: to + stride] = y.b.im
        unsafe sink.real[eightFrom: to + 2 * stride] = y.c.re
        unsafe sink.imaginary[eightFrom: to + 2 * stride] = y.c.im
        unsafe sink.real[eightFrom: to + 3 * stride] = y.d.re
        unsafe sink.imaginary[eightFrom: to + 3 * stride] = y.d.im
        portion += 1
      }
    }
  }

  /// Computes the last pass if the number of complex numbers is no power of four: sums and differences of both halves.
  @_noLocks @_noAllocation private func pair(
    _ source: FFTMemory.Numbers, _ sink: FFTMemory.Numbers, _ portions: Range<Int>
  ) {
    let half = halfCount / 2
    let end = max(half / 8, 1)
    for block in min(2 * portions.lowerBound, end)..<min(2 * portions.upperBound, end) {
      let index = 8 * block
      let ar = unsafe source.real[eightFrom: index], ai = unsafe source.imaginary[eightFrom: index]
      let br = unsafe source.real[eightFrom: index + half]
      let bi = unsafe source.imaginary[eightFrom: index + half]
      unsafe sink.real[eightFrom: index] = ar + br
      unsafe sink.imaginary[eightFrom: index] = ai + bi
      // This order is required: if a half has only four numbers, the other four lanes are overwritten.
      unsafe sink.real[eightFrom: index + half] = ar - br
      unsafe sink.imaginary[eightFrom: index + half] = ai - bi
    }
  }

  /// Returns eight butterflies from index `index` on, before the multiplication by twiddle factors.
  @_noLocks @_noAllocation @inline(__always) private static func butterfly(
    _ source: FFTMemory.Numbers, _ index: Int, _ quarter: Int
  ) -> Fours {
    let ar = unsafe source.real[eightFrom: index], ai = unsafe source.imaginary[eightFrom: index]
    let cr = unsafe source.real[eightFrom: index + 2 * quarter]
    let ci = unsafe source.imaginary[eightFrom: index + 2 * quarter]
    let sumR = ar + cr, sumI = ai + ci, wayR = ar - cr, wayI = ai - ci
    let br = unsafe source.real[eightFrom: index + quarter]
    let bi = unsafe source.imaginary[eightFrom: index + quarter]
    let dr = unsafe source.real[eightFrom: index + 3 * quarter]
    let di = unsafe source.imaginary[eightFrom: index + 3 * quarter]
    let oddR = br + dr, oddI = bi + di, sideR = bi - di, sideI = dr - br
    return Fours(
      a: (sumR + oddR, sumI + oddI), b: (wayR + sideR, wayI + sideI), c: (sumR - oddR, sumI - oddI),
      d: (wayR - sideR, wayI - sideI))
  }

  /// Returns eight butterflies from index `index` on, each multiplied by twiddle factors of its own, as in the first
  /// two passes.
  @_noLocks @_noAllocation @inline(__always) private func twiddled(
    _ source: FFTMemory.Numbers, _ index: Int, pass: Int
  ) -> Fours {
    let x = unsafe Self.butterfly(source, index, halfCount / 4), roots = unsafe memory.roots(pass)
    return unsafe Self.twiddle(
      x, roots.base[eightFrom: index], roots.base[eightFrom: index + roots.length],
      roots.base[eightFrom: index + 2 * roots.length], roots.base[eightFrom: index + 3 * roots.length],
      roots.base[eightFrom: index + 4 * roots.length], roots.base[eightFrom: index + 5 * roots.length])
  }

  /// Multiplies all but the first of the four numbers by their twiddle factors.
  @_noLocks @_noAllocation @inline(__always) private static func twiddle(
    _ x: Fours, _ w1r: SIMD8<Float>, _ w1i: SIMD8<Float>, _ w2r: SIMD8<Float>, _ w2i: SIMD8<Float>,
    _ w3r: SIMD8<Float>, _ w3i: SIMD8<Float>
  ) -> Fours {
    Fours(
      a: x.a, b: (x.b.re * w1r - x.b.im * w1i, x.b.re * w1i + x.b.im * w1r),
      c: (x.c.re * w2r - x.c.im * w2i, x.c.re * w2i + x.c.im * w2r),
      d: (x.d.re * w3r - x.d.im * w3i, x.d.re * w3i + x.d.im * w3r))
  }

  /// Stores one lane of each vector, then the next lane of each. The vectors are first written to memory: with direct
  /// access to their lanes, the optimiser would scalarise the preceding arithmetic.
  @_noLocks @_noAllocation @inline(__always) private func interleave(
    _ a: SIMD8<Float>, _ b: SIMD8<Float>, _ c: SIMD8<Float>, _ d: SIMD8<Float>,
    _ sink: UnsafeMutablePointer<Float>
  ) {
    let scratch = unsafe memory.scratch
    unsafe scratch[eightFrom: 0] = a
    unsafe scratch[eightFrom: 8] = b
    unsafe scratch[eightFrom: 16] = c
    unsafe scratch[eightFrom: 24] = d
    for lane in 0..<8 {
      unsafe sink[fourFrom: 4 * lane] = SIMD4(
        scratch[lane], scratch[lane + 8], scratch[lane + 16], scratch[lane + 24])
    }
  }

  /// Stores four lanes of each vector, then the other four lanes of each.
  @_noLocks @_noAllocation @inline(__always) private static func halve(
    _ a: SIMD8<Float>, _ b: SIMD8<Float>, _ c: SIMD8<Float>, _ d: SIMD8<Float>,
    _ sink: UnsafeMutablePointer<Float>
  ) {
    unsafe sink[fourFrom: 0] = a.lowHalf
    unsafe sink[fourFrom: 4] = b.lowHalf
    unsafe sink[fourFrom: 8] = c.lowHalf
    unsafe sink[fourFrom: 12] = d.lowHalf
    unsafe sink[fourFrom: 16] = a.highHalf
    unsafe sink[fourFrom: 20] = b.highHalf
    unsafe sink[fourFrom: 24] = c.highHalf
    unsafe sink[fourFrom: 28] = d.highHalf
  }
}
