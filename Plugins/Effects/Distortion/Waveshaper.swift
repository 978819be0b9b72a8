// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Memoryless distortion: a polynomial of third order, and a soft clipper.
///
/// It processes streams of an oversampled signal. Gliding values are interpolated linearly between frames.
@safe struct Waveshaper: ~Copyable {
  /// The coefficients of the polynomial, and its mix, from 0 to 1.
  var linear = Ramp(1), squared = Ramp(0), cubic = Ramp(0), mix = Ramp(0)
  /// The gain before the clipper.
  var gain = Ramp(1)
  /// The coefficients of x, x² and x³ and the gain at the boundaries between frames.
  private let edges: UnsafeMutablePointer<Float>
  private let capacity: Int
  private var isMoving = false
  /// The same values at rest: x, x², x³, gain.
  private var rest = SIMD4<Float>(1, 0, 0, 1)

  /// Creates a shaper that only clips, for up to `sliceLength` frames at once.
  init(sliceLength: Int) {
    capacity = sliceLength + PolyphaseBuffer.spare
    unsafe edges = .allocate(capacity: 4 * capacity)
    unsafe edges.initialize(repeating: 0, count: 4 * capacity)
  }

  deinit { unsafe edges.deallocate() }

  /// The largest level of a full-scale signal at the clipper, now and at the end of all glides.
  var drive: Float {
    @_noLocks @_noAllocation get {
      let now = values(after: 0), end = values(after: .max / 2)
      return max(now.w * (now.x + now.y + now.z), end.w * (end.x + end.y + end.z))
    }
  }

  /// Whether a value is gliding.
  var glides: Bool { @_noLocks @_noAllocation get { sliceLength(atMost: .max) < .max } }

  /// Returns the number of frames, at most `count`, until a glide ends.
  @_noLocks @_noAllocation func sliceLength(atMost count: Int) -> Int {
    var count = count
    if linear.isMoving { count = min(count, linear.remaining) }
    if squared.isMoving { count = min(count, squared.remaining) }
    if cubic.isMoving { count = min(count, cubic.remaining) }
    if mix.isMoving { count = min(count, mix.remaining) }
    if gain.isMoving { count = min(count, gain.remaining) }
    return count
  }

  /// Finishes all glides.
  @_noLocks @_noAllocation mutating func reset() { skip(.max / 2) }

  /// Advances by `count` frames, and computes their values.
  @_noLocks @_noAllocation mutating func advance(_ count: Int) {
    isMoving =
      linear.isMoving || squared.isMoving || cubic.isMoving || mix.isMoving || gain.isMoving
    if isMoving {
      for edge in 0...count {
        let values = values(after: edge)
        for term in 0..<4 { unsafe edges[term * capacity + edge] = values[term] }
      }
    } else {
      rest = values(after: 0)
    }
    skip(count)
  }

  @_noLocks @_noAllocation private mutating func skip(_ count: Int) {
    linear.skip(count)
    squared.skip(count)
    cubic.skip(count)
    mix.skip(count)
    gain.skip(count)
  }

  @_noLocks @_noAllocation private func values(after frames: Int) -> SIMD4<Float> {
    let mix = mix.value(after: frames), linear = linear.value(after: frames)
    return SIMD4(
      1 + (linear - 1) * mix, squared.value(after: frames) * mix, cubic.value(after: frames) * mix,
      gain.value(after: frames))
  }

  /// Applies the polynomial to `count` frames of stream `number` of `streams`, and up to a vectorised group more.
  @_noLocks @_noAllocation @unsafe
  func bend(_ samples: UnsafeMutablePointer<Float>, number: Int, of streams: Int, count: Int) {
    if !isMoving && rest.x == 1 && rest.y == 0 && rest.z == 0 { return }
    let way = Float(number + 1) / Float(streams)
    var group = 0
    while group < count {
      let x = unsafe samples[eightFrom: group]
      if isMoving {
        let a = value(0, group, way), b = value(1, group, way), c = value(2, group, way)
        unsafe samples[eightFrom: group] = x * (a + x * (b + x * c))
      } else {
        unsafe samples[eightFrom: group] = x * (rest.x + x * (rest.y + x * rest.z))
      }
      group += 8
    }
  }

  /// Applies gain and clipper to `count` frames of a stream, and up to a vectorised group more.
  @_noLocks @_noAllocation @unsafe
  func clip(_ samples: UnsafeMutablePointer<Float>, number: Int, of streams: Int, count: Int) {
    let way = Float(number + 1) / Float(streams)
    var group = 0
    while group < count {
      let gain = isMoving ? value(3, group, way) : SIMD8(repeating: rest.w)
      unsafe samples[eightFrom: group] = Self.clip(samples[eightFrom: group] * gain)
      group += 8
    }
  }

  /// Returns the values of a term for eight frames of a stream.
  @_noLocks @_noAllocation @inline(__always)
  private func value(_ term: Int, _ frame: Int, _ way: Float) -> SIMD8<Float> {
    let before = unsafe edges[eightFrom: term * capacity + frame]
    return unsafe before + (edges[eightFrom: term * capacity + frame + 1] - before) * way
  }

  /// Returns the hyperbolic tangent, with an error below 0.0001 and a magnitude of at most 1.
  ///
  /// J. H. Lambert's continued fraction x/(1 + x²/(3 + x²/(5 + …))) up to 13, which reaches 1 at 4.97. As the function
  /// is smooth, the harmonics of a sine decay fast: with a drive of A each is e^(−2·asinh(π/2A)) of the one before.
  @_noLocks @_noAllocation @inline(__always) static func clip(_ x: SIMD8<Float>) -> SIMD8<Float> {
    let end: Float = 4.97178
    let x = x.clamped(lowerBound: SIMD8(repeating: -end), upperBound: SIMD8(repeating: end)), square = x * x
    let above = 135_135 + square * (17_325 + square * (378 + square))
    let below = 135_135 + square * (62_370 + square * (3150 + square * 28))
    let y = x * above / below
    return y.clamped(lowerBound: SIMD8(repeating: -1), upperBound: SIMD8(repeating: 1))
  }
}
