// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Loads and stores of eight floats at any address. Loops over frames are written with them, so that their speed does
// not depend on automatic vectorisation.

extension SIMD4<Float> {
  /// The absolute value of each number.
  @inlinable package var sizes: SIMD4<Float> {
    @_noLocks @_noAllocation @inline(__always) get { SIMD4(abs(x), abs(y), abs(z), abs(w)) }
  }

  /// Returns the larger number of each pair. In this form it compiles to one instruction; a mask needs five.
  @_noLocks @_noAllocation @inlinable @inline(__always)
  package func larger(_ other: SIMD4<Float>) -> SIMD4<Float> {
    SIMD4(
      x > other.x ? x : other.x, y > other.y ? y : other.y, z > other.z ? z : other.z,
      w > other.w ? w : other.w)
  }

  /// Returns the smaller number of each pair.
  @_noLocks @_noAllocation @inlinable @inline(__always)
  package func smaller(_ other: SIMD4<Float>) -> SIMD4<Float> {
    SIMD4(
      x < other.x ? x : other.x, y < other.y ? y : other.y, z < other.z ? z : other.z,
      w < other.w ? w : other.w)
  }
}

extension UnsafePointer<Float> {
  /// The floats at the indices `index` to `index + 7`, all of which must be readable.
  @inlinable @unsafe package subscript(eightFrom index: Int) -> SIMD8<Float> {
    @_noLocks @_noAllocation @inline(__always) get {
      unsafe UnsafeRawPointer(self + index).loadUnaligned(as: SIMD8<Float>.self)
    }
  }

  /// The floats at the indices `index` to `index + 3`, all of which must be readable.
  @inlinable @unsafe package subscript(fourFrom index: Int) -> SIMD4<Float> {
    @_noLocks @_noAllocation @inline(__always) get {
      unsafe UnsafeRawPointer(self + index).loadUnaligned(as: SIMD4<Float>.self)
    }
  }
}

extension UnsafeMutablePointer<Float> {
  /// The floats at the indices `index` to `index + 7`, all of which the caller owns.
  @inlinable @unsafe package subscript(eightFrom index: Int) -> SIMD8<Float> {
    @_noLocks @_noAllocation @inline(__always) get {
      unsafe UnsafeRawPointer(self + index).loadUnaligned(as: SIMD8<Float>.self)
    }
    @_noLocks @_noAllocation @inline(__always) nonmutating set {
      unsafe UnsafeMutableRawPointer(self + index).storeBytes(of: newValue, as: SIMD8<Float>.self)
    }
  }

  /// The floats at the indices `index` to `index + 3`, all of which the caller owns.
  @inlinable @unsafe package subscript(fourFrom index: Int) -> SIMD4<Float> {
    @_noLocks @_noAllocation @inline(__always) get {
      unsafe UnsafeRawPointer(self + index).loadUnaligned(as: SIMD4<Float>.self)
    }
    @_noLocks @_noAllocation @inline(__always) nonmutating set {
      unsafe UnsafeMutableRawPointer(self + index).storeBytes(of: newValue, as: SIMD4<Float>.self)
    }
  }
}

extension Samples {
  /// The samples from `frame` to `frame + 7`, all of which must exist. As with `[clean:]`, an invalid sample reads as
  /// 0.
  @inlinable package subscript(cleanEightFrom frame: Int) -> SIMD8<Float> {
    @_noLocks @_noAllocation @inline(__always) get {
      precondition(0 <= frame && frame <= count - 8, "frames outside the block")
      let raw = unsafe base[eightFrom: frame], size = raw.replacing(with: -raw, where: raw .< 0)
      return SIMD8(repeating: 0).replacing(with: raw, where: size .<= Samples.loudest)
    }
  }
}
