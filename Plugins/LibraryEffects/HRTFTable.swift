// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The impulse responses of two ears from many measured directions, and from any direction in between by interpolation.
///
/// Between measured directions the responses of the nearest four are mixed. Their delays are removed before and mixed
/// separately, so that the result has one onset and no comb filtering. The weights are those of R. Franke and G.
/// Nielson (1980): with s as the distance to a direction and r that to the fifth, ((r − s) / (r · s))². So a measured
/// direction gives exactly the measured response, and the interpolation is continuous.
///
/// The table is created on a control thread and read on the audio thread.
@safe struct HRTFTable: ~Copyable {
  /// The length of an impulse response in frames, and the same rounded up to a multiple of eight.
  let taps: Int, paddedTaps: Int
  /// The length of a row in floats: the impulse response of one ear, beginning one float after the row's start, shifted
  /// so that its onset is at the latest onset of all.
  let rowLength: Int
  private let index: DirectionIndex
  /// Two rows for each direction, left and right.
  private let rows: UnsafeMutableBufferPointer<Float>
  /// The shift of each row in frames.
  private let moves: UnsafeMutableBufferPointer<SIMD2<Float>>

  /// The impulse response of one ear; all have the same length.
  typealias Impulse = [Float]

  /// Creates a table of at least one direction: unit vectors in the coordinates of the head, and the impulse responses
  /// of each.
  init(_ measured: [(direction: SIMD3<Float>, left: Impulse, right: Impulse)]) {
    index = DirectionIndex(measured.map(\.direction))
    taps = measured[0].left.count
    paddedTaps = (taps + 7) & ~7
    let onsets = measured.map { (left: Self.onset($0.left), right: Self.onset($0.right)) }
    let latest = onsets.reduce(0) { max($0, $1.left, $1.right) }
    let earliest = onsets.reduce(latest) { min($0, $1.left, $1.right) }
    // One float before the response and two after it, for cubic interpolation.
    rowLength = (paddedTaps + latest - earliest + 4 + 7) & ~7
    unsafe rows = .allocate(capacity: measured.count * 2 * rowLength)
    unsafe rows.initialize(repeating: 0)
    unsafe moves = .allocate(capacity: measured.count)
    for (number, (responses, onset)) in zip(measured, onsets).enumerated() {
      let move = (left: latest - onset.left, right: latest - onset.right)
      unsafe moves.initializeElement(at: number, to: SIMD2(Float(move.left), Float(move.right)))
      for frame in 0..<taps {
        unsafe rows[2 * number * rowLength + 1 + move.left + frame] = responses.left[frame]
        unsafe rows[(2 * number + 1) * rowLength + 1 + move.right + frame] = responses.right[frame]
      }
    }
  }

  deinit {
    unsafe rows.deallocate()
    unsafe moves.deallocate()
  }

  /// Writes the impulse responses of both ears for `direction`, a unit vector: ``paddedTaps`` frames each.
  ///
  /// - Parameter scratch: temporary memory for ``rowLength`` floats.
  @_noLocks @_noAllocation @unsafe func write(
    _ direction: SIMD3<Float>, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>,
    scratch: UnsafeMutablePointer<Float>
  ) {
    let near = index.nearest(to: direction), shares = Self.shares(near)
    var move = SIMD2<Float>()
    for rank in 0..<min(near.count, 4) { unsafe move += moves[near[rank].number] * shares[rank] }
    unsafe mix(near, shares, ear: 0, into: scratch)
    unsafe interpolate(scratch, from: move.x, into: left)
    unsafe mix(near, shares, ear: 1, into: scratch)
    unsafe interpolate(scratch, from: move.y, into: right)
  }

  /// Returns the weights of the nearest four directions.
  @_noLocks @_noAllocation private static func shares(_ near: NearDirections) -> SIMD4<Float> {
    guard near[0].square > 1e-10 else { return SIMD4(1, 0, 0, 0) }
    // Slightly beyond the last, so that five directions at the same distance do not all get the weight 0.
    let beyond =
      near.count == DirectionIndex.depth ? 1.01 * rt_sqrt(near[DirectionIndex.depth - 1].square) : 4
    var shares = SIMD4<Float>()
    for rank in 0..<min(near.count, 4) {
      let way = rt_sqrt(near[rank].square), share = (beyond - way) / (beyond * way)
      shares[rank] = share * share
    }
    return shares / shares.sum()
  }

  @_noLocks @_noAllocation private func mix(
    _ near: NearDirections, _ shares: SIMD4<Float>, ear: Int, into sink: UnsafeMutablePointer<Float>
  ) {
    unsafe rt_clear_floats(sink, rowLength)
    for rank in 0..<min(near.count, 4) where shares[rank] > 0 {
      guard let base = unsafe rows.baseAddress else { return }
      let row = unsafe base + (2 * near[rank].number + ear) * rowLength, share = shares[rank]
      for eight in 0..<rowLength / 8 {
        unsafe sink[eightFrom: 8 * eight] += row[eightFrom: 8 * eight] * share
      }
    }
  }

  /// Reads a row at a fractional position, by cubic interpolation.
  @_noLocks @_noAllocation private func interpolate(
    _ row: UnsafeMutablePointer<Float>, from move: Float, into sink: UnsafeMutablePointer<Float>
  ) {
    let whole = rt_floor(move), between = move - whole, start = unsafe row + Int(whole)
    guard between > 0 else {
      unsafe rt_copy_floats(sink, start + 1, paddedTaps)
      return
    }
    let before = between + 1, after = 1 - between, beyond = 2 - between
    let first = -between * after * beyond / 6, second = before * after * beyond / 2
    let third = before * between * beyond / 2, fourth = -before * between * after / 6
    for eight in 0..<paddedTaps / 8 {
      let index = 8 * eight
      let inner = unsafe start[eightFrom: index + 1] * second + start[eightFrom: index + 2] * third
      unsafe sink[eightFrom: index] =
        inner + start[eightFrom: index] * first + start[eightFrom: index + 3] * fourth
    }
  }

  /// Returns the onset of an impulse response: the index of its first sample above 0.15 of its peak.
  private static func onset(_ impulse: Impulse) -> Int {
    let peak = impulse.reduce(0) { max($0, abs($1)) }
    return impulse.firstIndex { abs($0) > 0.15 * peak } ?? 0
  }
}
