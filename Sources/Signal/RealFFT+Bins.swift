// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Conversions between frames or bins and the complex numbers of the passes.
extension RealFFT {
  /// The numbers after the last pass.
  private var result: FFTMemory.Numbers {
    @_noLocks @_noAllocation get { unsafe memory.passCount % 2 == 0 ? memory.front : memory.back }
  }

  /// Returns the blocks of eight numbers that a range of portions covers.
  @_noLocks @_noAllocation private func blocks(_ portions: Range<Int>) -> Range<Int> {
    min(4 * portions.lowerBound, halfCount / 8)..<min(4 * portions.upperBound, halfCount / 8)
  }

  /// Packs even frames into real parts and odd frames into imaginary parts.
  @_noLocks @_noAllocation func unzip(_ samples: UnsafePointer<Float>, _ portions: Range<Int>) {
    for block in blocks(portions) {
      let index = 8 * block
      let low = unsafe samples[eightFrom: 2 * index], high = unsafe samples[eightFrom: 2 * index + 8]
      unsafe memory.front.real[eightFrom: index] = SIMD8(lowHalf: low.evenHalf, highHalf: high.evenHalf)
      unsafe memory.front.imaginary[eightFrom: index] = SIMD8(lowHalf: low.oddHalf, highHalf: high.oddHalf)
    }
  }

  /// Unpacks real parts to even frames and imaginary parts to odd frames. In the inverse transform the two are swapped.
  @_noLocks @_noAllocation func zip(to samples: UnsafeMutablePointer<Float>, _ portions: Range<Int>) {
    let result = unsafe result
    for block in blocks(portions) {
      let index = 8 * block
      let even = unsafe result.imaginary[eightFrom: index], odd = unsafe result.real[eightFrom: index]
      unsafe samples[eightFrom: 2 * index] = Self.alternating(even.lowHalf, odd.lowHalf)
      unsafe samples[eightFrom: 2 * index + 8] = Self.alternating(even.highHalf, odd.highHalf)
    }
  }

  /// Computes the bins of the real signal from the transform of even frames plus i times odd frames.
  @_noLocks @_noAllocation func split(to spectrum: Spectrum, _ portions: Range<Int>) {
    let result = unsafe result
    for block in blocks(portions) {
      let index = 8 * block
      if index == 0 {
        unsafe result.real[halfCount] = result.real[0]
        unsafe result.imaginary[halfCount] = result.imaginary[0]
      }
      let ar = unsafe result.real[eightFrom: index], ai = unsafe result.imaginary[eightFrom: index]
      let opposite = halfCount - 7 - index
      let br = unsafe Self.reversed(result.real[eightFrom: opposite])
      let bi = unsafe Self.reversed(result.imaginary[eightFrom: opposite])
      let c = unsafe memory.rotations.real[eightFrom: index]
      let s = unsafe memory.rotations.imaginary[eightFrom: index]
      let oddR = ai + bi, oddI = br - ar, at = block * spectrum.stride
      unsafe spectrum.real[eightFrom: at] = 0.5 * (ar + br + c * oddR + s * oddI)
      unsafe spectrum.imaginary[eightFrom: at] = 0.5 * (ai - bi + c * oddI - s * oddR)
      if index == 0 { unsafe spectrum.imaginary[0] = result.real[0] - result.imaginary[0] }
    }
  }

  /// Inverts ``split(to:_:)`` and divides by the number of complex numbers. Real and imaginary parts are swapped, which
  /// makes the passes compute the inverse transform.
  @_noLocks @_noAllocation func merge(_ spectrum: Spectrum, _ portions: Range<Int>) {
    let scale = 0.5 / Float(halfCount), front = unsafe memory.front
    for block in blocks(portions) {
      let index = 8 * block
      let at = block * spectrum.stride, opposite = (halfCount / 8 - 1 - block) * spectrum.stride
      let after = index == 0 ? 0 : opposite + spectrum.stride
      let ar = unsafe spectrum.real[eightFrom: at], ai = unsafe spectrum.imaginary[eightFrom: at]
      let br = unsafe Self.reversed(spectrum.real[eightFrom: opposite], behind: spectrum.real[after])
      let bi = unsafe Self.reversed(
        spectrum.imaginary[eightFrom: opposite], behind: spectrum.imaginary[after])
      let c = unsafe memory.rotations.real[eightFrom: index]
      let s = unsafe memory.rotations.imaginary[eightFrom: index]
      let wayR = ar - br, wayI = ai + bi
      unsafe front.imaginary[eightFrom: index] = scale * (ar + br - (wayR * s + wayI * c))
      unsafe front.real[eightFrom: index] = scale * (ai - bi + (wayR * c - wayI * s))
      if index == 0 {
        unsafe front.imaginary[0] = scale * (spectrum.real[0] + spectrum.imaginary[0])
        unsafe front.real[0] = scale * (spectrum.real[0] - spectrum.imaginary[0])
      }
    }
  }

  @_noLocks @_noAllocation @inline(__always)
  static func alternating(_ even: SIMD4<Float>, _ odd: SIMD4<Float>) -> SIMD8<Float> {
    SIMD8(even[0], odd[0], even[1], odd[1], even[2], odd[2], even[3], odd[3])
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func reversed(_ eight: SIMD8<Float>) -> SIMD8<Float> {
    SIMD8(eight[7], eight[6], eight[5], eight[4], eight[3], eight[2], eight[1], eight[0])
  }

  /// Returns `number` and then the lanes from the last to the second.
  @_noLocks @_noAllocation @inline(__always)
  private static func reversed(_ eight: SIMD8<Float>, behind number: Float) -> SIMD8<Float> {
    SIMD8(number, eight[7], eight[6], eight[5], eight[4], eight[3], eight[2], eight[1])
  }
}
