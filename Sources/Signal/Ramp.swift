// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A value that glides: along a straight line, or smoothly.
///
/// A straight line is the shape of a ramp that a user wrote. Its corners are audible if it is short, so a step is
/// smoothed by a cubic curve instead, whose slope is continuous: it begins with the slope that the value has, and ends
/// with zero slope.
///
/// Each value is computed from the number of elapsed frames and never accumulated, so that a long ramp ends exactly at
/// its target.
public struct Ramp: BitwiseCopyable, Sendable {
  /// The start and target values of the glide.
  public var start: Float, target: Float
  /// The coefficients of the share of the glide and of its square. That of its cube is what the whole change lacks. A
  /// straight line has the whole change as `slope`, and no others.
  @usableFromInline var slope: Float, bend: Float
  /// The number of elapsed frames, and the length of the glide in frames.
  @usableFromInline var elapsed: Int, length: Int

  /// Creates a ramp at rest.
  @_noLocks @_noAllocation @inlinable public init(_ value: Float) {
    start = value
    target = value
    slope = 0
    bend = 0
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
    guard there < length else { return target }
    let way = Float(there) / Float(length)
    return start + way * (slope + way * (bend + way * (target - start - slope - bend)))
  }

  /// The change of the value in a frame.
  @inlinable public var speed: Float {
    @_noLocks @_noAllocation get {
      guard elapsed < length else { return 0 }
      let way = Float(elapsed) / Float(length)
      return (slope + way * (2 * bend + 3 * way * (target - start - slope - bend))) / Float(length)
    }
  }

  /// Whether the value is gliding smoothly instead of along a straight line.
  @inlinable package var isSmooth: Bool {
    @_noLocks @_noAllocation get { isMoving && (bend != 0 || slope != target - start) }
  }

  /// The number of frames until the glide ends; 0 at rest.
  @inlinable public var remaining: Int {
    @_noLocks @_noAllocation @inline(__always) get { length - elapsed }
  }

  /// Whether the value is gliding.
  @inlinable public var isMoving: Bool {
    @_noLocks @_noAllocation @inline(__always) get { elapsed < length }
  }

  /// Starts a glide to `value`.
  ///
  /// - Parameter frames: the length. Above 0: a straight line over `frames` frames. 0: sets the value at once. Below 0:
  ///   a smooth glide over −`frames` frames, as ``Effect/set(_:to:over:)`` requests it for a step.
  @_noLocks @_noAllocation @inlinable public mutating func glide(to value: Float, over frames: Int) {
    glide(to: value, over: frames, from: speed)
  }

  /// Starts a glide to `value`, with the slope at which a smooth glide begins, as the change in a frame.
  ///
  /// - Parameter mayOvershoot: whether the curve may leave the range from its start to its own target and the last one.
  @_noLocks @_noAllocation @inlinable
  public mutating func glide(
    to value: Float, over frames: Int, from speed: Float, mayOvershoot: Bool = false
  ) {
    guard frames != 0 else {
      self = Ramp(value)
      return
    }
    let now = self.value, ahead = max(abs(value - now), abs(target - now))
    start = now
    target = value
    elapsed = 0
    length = abs(frames)
    let span = value - now
    guard frames < 0 else {
      slope = span
      bend = 0
      return
    }
    // With a steeper slope, the curve would overshoot both its own target and the last one.
    let steepest = mayOvershoot ? Float.infinity : 3 * ahead
    slope = max(-steepest, min(steepest, speed * Float(length)))
    bend = 3 * span - 2 * slope
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
