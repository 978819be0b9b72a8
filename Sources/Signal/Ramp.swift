// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A value that glides in a straight line.
///
/// Each value is computed from how many frames have passed, never added up, so that a long ramp ends exactly.
public struct Ramp: BitwiseCopyable, Sendable {
  /// Where the glide began, and where it ends.
  public var start: Float, target: Float
  /// How many frames have passed, and how many the glide takes.
  @usableFromInline var elapsed: Int, length: Int

  /// A ramp at rest.
  @_noLocks @_noAllocation @inlinable public init(_ value: Float) {
    start = value
    target = value
    elapsed = 0
    length = 0
  }

  /// The value now.
  @inlinable public var value: Float {
    @_noLocks @_noAllocation @inline(__always) get {
      value(after: 0)
    }
  }

  /// The value `frames` from now: what a loop over a block computes with before it skips the block.
  @_noLocks @_noAllocation @inlinable @inline(__always) public func value(after frames: Int) -> Float {
    let there = elapsed + frames
    return there < length ? start + (target - start) * (Float(there) / Float(length)) : target
  }

  /// How many frames of the glide lie ahead; 0 at rest.
  @inlinable public var remaining: Int {
    @_noLocks @_noAllocation @inline(__always) get { length - elapsed }
  }

  /// Whether the value still moves.
  @inlinable public var isMoving: Bool {
    @_noLocks @_noAllocation @inline(__always) get { elapsed < length }
  }

  /// Heads for `value`, to be reached after `frames` more frames; 0 is at once.
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

  /// Steps one frame on and gives the value there. The last step of a glide gives its target.
  @_noLocks @_noAllocation @inlinable @inline(__always) public mutating func next() -> Float {
    guard elapsed < length else { return target }
    elapsed += 1
    return value
  }

  /// Steps `frames` on at once.
  @_noLocks @_noAllocation @inlinable public mutating func skip(_ frames: Int) {
    elapsed = min(length, elapsed + max(frames, 0))
  }

  /// Ends the glide where it was heading.
  @_noLocks @_noAllocation @inlinable public mutating func finish() { elapsed = length }
}
