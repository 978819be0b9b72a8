// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Eight floats at once, wherever they lie: what loops over frames and taps are written with.

extension UnsafeMutablePointer<Float> {
  /// The floats from `place` to `place + 7`, all of which the caller owns.
  @unsafe subscript(eight place: Int) -> SIMD8<Float> {
    @_noLocks @_noAllocation @inline(__always) get {
      unsafe UnsafeRawPointer(self + place).loadUnaligned(as: SIMD8<Float>.self)
    }
    @_noLocks @_noAllocation @inline(__always) nonmutating set {
      unsafe UnsafeMutableRawPointer(self + place).storeBytes(of: newValue, as: SIMD8<Float>.self)
    }
  }
}
