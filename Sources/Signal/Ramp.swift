// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A value that glides linearly.
///
/// Each value is computed from the number of elapsed frames and never accumulated, so that a long ramp ends exactly at
/// its target.
public struct Ramp: BitwiseCopyable, Sendable {
  /// The start and target values of the glide.
  public var start: Float, target: Float
  /// The number of elapsed frames, and the length of the glide in frames.
  @usableFromInline var elapsed: Int, length: Int

  /// Creates a ramp at rest.
  @_noLocks @_noAllocation @inlinable public init(_ value: Float) {
    start = value
    target = value
    elapsed = 0
    length = 0
  }

  /// The current value.
  @inlinable public var value: Float {
    @_noLocks @_noAllocation @inline(__always) get {
      value(after: 0)
    }
  }

  /// Returns the value `frames` frames from now. A loop over a block computes with it before it skips the block.
  @_noLocks @_noAllocation @inlinable @inline(__always) public func value(after frames: Int) -> Float {
    let there = elapsed + frames
    return there < length ? start + (target - start) * (Float(there) / Float(length)) : target
  }

  /// The number of frames until the glide ends; 0 at rest.
  @inlinable public var remaining: Int {
    @_noLocks @_noAllocation @inline(__always) get { length - elapsed }
  }

  /// Whether the value is gliding.
  @inlinable public var isMoving: Bool {
    @_noLocks @_noAllocation @inline(__always) get { elapsed < length }
  }

  /// Starts a glide to `value` over `frames` frames; 0 sets it at once.
  @_noLocks @_noAllocation @inlinable public mutating func glide(to value: Float, over frames: Int) {
    guard frames > 0 else {
      self = Ramp(value)
      return
    }
    start = self.value
    target = value
    elapsed = 0
    length = frames
  }

  /// Advances by one frame and returns the value there. The last step of a glide returns its target.
  @_noLocks @_noAllocation @inlinable @inline(__always) public mutating func next() -> Float {
    guard elapsed < length else { return target }
    elapsed += 1
    return value
  }

  /// Advances by `frames` frames.
  @_noLocks @_noAllocation @inlinable public mutating func skip(_ frames: Int) {
    elapsed = min(length, elapsed + max(frames, 0))
  }

  /// Finishes the glide at its target.
  @_noLocks @_noAllocation @inlinable public mutating func finish() { elapsed = length }
}
