// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Sums of products of complex numbers, in eight lanes.
struct ConvolverProducts: BitwiseCopyable {
  private var realReal = SIMD8<Float>(), imaginaryImaginary = SIMD8<Float>()
  private var realImaginary = SIMD8<Float>(), imaginaryReal = SIMD8<Float>()

  @_noLocks @_noAllocation init() {}

  /// Adds `count` products of consecutive groups of eight numbers.
  @_noLocks @_noAllocation @inline(__always) mutating func add(
    _ one: UnsafeMutablePointer<Float>, _ other: UnsafeMutablePointer<Float>, count: Int
  ) {
    var sums = self, index = 0
    while index < 16 * count {
      let ar = unsafe one[eightFrom: index], ai = unsafe one[eightFrom: index + 8]
      let br = unsafe other[eightFrom: index], bi = unsafe other[eightFrom: index + 8]
      sums.realReal += ar * br
      sums.imaginaryImaginary += ai * bi
      sums.realImaginary += ar * bi
      sums.imaginaryReal += ai * br
      index += 16
    }
    self = sums
  }

  /// Stores the sums. The imaginary part of the first bin holds the last bin, which is real.
  @_noLocks @_noAllocation @inline(__always)
  func store(to sink: UnsafeMutablePointer<Float>, isFirst: Bool) {
    unsafe sink[eightFrom: 0] = realReal - imaginaryImaginary
    unsafe sink[eightFrom: 8] = realImaginary + imaginaryReal
    guard isFirst else { return }
    unsafe sink[0] = realReal[0]
    unsafe sink[8] = imaginaryImaginary[0]
  }
}
