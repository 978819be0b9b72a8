// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Which part of a stereo sound a band works on, and on the way from one part to another, how much on each.
///
/// A band's filter runs on left and right alike. What it adds to them, e, is spread by a symmetric matrix:
/// that of all channels leaves it as it is, that of the middle gives (e.left + e.right) / 2 to both sides.
/// The filter is linear, so this is the same as filtering the middle alone, and matrices can glide.
struct EqualizerSides: BitwiseCopyable {
  /// The parts, in the order of the parameter's choices.
  enum Part: Int {
    case all, left, right, mid, side
  }

  /// What is kept of left and right, and what goes from each to the other.
  private var target = EqualizerSides.matrix(.all), before = EqualizerSides.matrix(.all)
  private var amount = Ramp(1)

  /// A band that works on all channels.
  @_noLocks @_noAllocation init() {}

  /// Whether the band works on all channels, and goes on to.
  var areAll: Bool {
    @_noLocks @_noAllocation get { !amount.isMoving && target.z == 0 && target.x == 1 && target.y == 1 }
  }

  /// Heads for a part, by its number.
  @_noLocks @_noAllocation mutating func glide(to part: Int, over frames: Int) {
    before = reached(after: 0)
    target = Self.matrix(Part(rawValue: part) ?? .all)
    amount = Ramp(0)
    amount.glide(to: 1, over: frames)
  }

  /// Ends the glide where it was heading.
  @_noLocks @_noAllocation mutating func finish() { amount.finish() }

  /// Moves on `frames` frames.
  @_noLocks @_noAllocation mutating func skip(_ frames: Int) { amount.skip(frames) }

  /// Gives back to the part what the filter made of it, and to the rest what was there before.
  @_noLocks @_noAllocation func spread(
    _ wet: UnsafeMutablePointer<SIMD2<Double>>, over dry: UnsafeMutablePointer<SIMD2<Double>>, count: Int
  ) {
    for frame in 0..<count {
      let matrix = amount.isMoving ? reached(after: frame + 1) : target
      let more = unsafe wet[frame] - dry[frame]
      let kept = SIMD2(matrix.x, matrix.y) * more
      unsafe wet[frame] = dry[frame] + (kept + matrix.z * SIMD2(more.y, more.x))
    }
  }

  @_noLocks @_noAllocation private func reached(after frames: Int) -> SIMD4<Double> {
    before + (target - before) * Double(amount.value(after: frames))
  }

  /// Left to left, right to right, each to the other; the fourth is not used.
  @_noLocks @_noAllocation static func matrix(_ part: Part) -> SIMD4<Double> {
    switch part {
    case .all: SIMD4(1, 1, 0, 0)
    case .left: SIMD4(1, 0, 0, 0)
    case .right: SIMD4(0, 1, 0, 0)
    case .mid: SIMD4(0.5, 0.5, 0.5, 0)
    case .side: SIMD4(0.5, 0.5, -0.5, 0)
    }
  }
}
