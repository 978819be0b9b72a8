// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The part of a stereo signal that a band processes, or a crossfade from one part to another.
///
/// A band's filter runs on left and right. The difference e between its output and input is distributed by a symmetric
/// matrix: the matrix of `all` is the identity, that of `mid` gives (e.left + e.right) / 2 to both sides. As the filter
/// is linear, this equals filtering the part alone, and the matrices can be interpolated.
struct EqualizerPart: BitwiseCopyable {
  /// The parts, in the order of the parameter's choices.
  enum Part: Int {
    case all, left, right, mid, side
  }

  /// The diagonal of the matrix for left and right, and its off-diagonal element.
  private var target = EqualizerPart.matrix(.all), before = EqualizerPart.matrix(.all)
  private var amount = Ramp(1)

  /// Creates the part `all`.
  @_noLocks @_noAllocation init() {}

  /// Whether the band processes all channels and no crossfade is in progress.
  var areAll: Bool {
    @_noLocks @_noAllocation get { !amount.isMoving && target.z == 0 && target.x == 1 && target.y == 1 }
  }

  /// Starts a crossfade to a part, by its index.
  @_noLocks @_noAllocation mutating func glide(to part: Int, over frames: Int) {
    before = reached(after: 0)
    target = Self.matrix(Part(rawValue: part) ?? .all)
    amount = Ramp(0)
    amount.glide(to: 1, over: -abs(frames))
  }

  /// Finishes the crossfade.
  @_noLocks @_noAllocation mutating func finish() { amount.finish() }

  /// Advances by `frames` frames.
  @_noLocks @_noAllocation mutating func skip(_ frames: Int) { amount.skip(frames) }

  /// Replaces `wet` by the filtered part plus the unfiltered rest.
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

  /// Returns the matrix: left to left, right to right, each to the other; the fourth element is unused.
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
