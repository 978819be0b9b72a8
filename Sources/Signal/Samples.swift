// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// One channel of a block, to read.
///
/// The view owns no memory and is valid as long as its block is. An access to a frame outside it ends the program, also
/// in release builds, so that memory of another buffer is never touched. In a loop over all frames of the block the
/// compiler proves that every access is inside, and the check costs nothing.
@safe public struct Samples: BitwiseCopyable {
  @usableFromInline let base: UnsafePointer<Float>
  /// The number of frames.
  public let count: Int

  /// Creates a view of `count` floats from `base`, which the caller keeps alive.
  @_noLocks @_noAllocation @inlinable @unsafe package init(_ base: UnsafePointer<Float>, count: Int) {
    unsafe self.base = base
    self.count = count
  }

  /// The sample at `frame`, counted from the start of the block.
  @inlinable public subscript(frame: Int) -> Float {
    @_noLocks @_noAllocation @inline(__always) get {
      precondition(UInt(bitPattern: frame) < UInt(bitPattern: count), "frame outside the block")
      return unsafe base[frame]
    }
  }

  /// The sample at `frame`, or 0 if it is NaN, infinite or larger than 10¹⁵ in magnitude (300 dB above full scale).
  ///
  /// Effects read their input with this, so that one invalid sample does not reach their state.
  @inlinable public subscript(clean frame: Int) -> Float {
    @_noLocks @_noAllocation @inline(__always) get {
      let sample = self[frame]
      return abs(sample) <= Samples.loudest ? sample : 0
    }
  }

  /// The largest valid magnitude of a sample: 300 dB above full scale.
  @inlinable package static var loudest: Float { @_noLocks @_noAllocation @inline(__always) get { 1e15 } }

  /// The address of the floats, for manually vectorised code.
  @inlinable package var unsafeBase: UnsafePointer<Float> {
    @_noLocks @_noAllocation get { unsafe base }
  }
}

/// One channel of a block, to write.
///
/// The view works like ``Samples``; samples that have been written can be read.
@safe public struct MutableSamples: BitwiseCopyable {
  @usableFromInline let base: UnsafeMutablePointer<Float>
  /// The number of frames.
  public let count: Int

  /// Creates a view of `count` floats from `base`, which the caller keeps alive.
  @_noLocks @_noAllocation @inlinable @unsafe package init(_ base: UnsafeMutablePointer<Float>, count: Int) {
    unsafe self.base = base
    self.count = count
  }

  /// The sample at `frame`, counted from the start of the block.
  @inlinable public subscript(frame: Int) -> Float {
    @_noLocks @_noAllocation @inline(__always) get {
      precondition(UInt(bitPattern: frame) < UInt(bitPattern: count), "frame outside the block")
      return unsafe base[frame]
    }
    @_noLocks @_noAllocation @inline(__always) nonmutating set {
      precondition(UInt(bitPattern: frame) < UInt(bitPattern: count), "frame outside the block")
      unsafe base[frame] = newValue
    }
  }

  /// The address of the floats, for manually vectorised code.
  @inlinable package var unsafeBase: UnsafeMutablePointer<Float> {
    @_noLocks @_noAllocation get { unsafe base }
  }

  /// Sets every frame to 0.
  @_noLocks @_noAllocation @inlinable public func clear() {
    for frame in 0..<count { self[frame] = 0 }
  }

  /// Copies `source`, which must have at least as many frames.
  @_noLocks @_noAllocation @inlinable public func copy(_ source: Samples) {
    precondition(source.count >= count, "the source is too short")
    for frame in 0..<count { self[frame] = source[frame] }
  }
}
