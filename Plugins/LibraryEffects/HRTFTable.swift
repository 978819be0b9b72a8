// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// What two ears hear of an impulse from each of many directions, and from any direction between them.
///
/// Between measured directions the impulses of the nearest four are mixed, each as it is after its own
/// delay, and their delays are mixed apart, so that the sound has one onset and no comb. The shares are R.
/// Franke's and G. Nielson's (1980): with s the way to a direction and r that to the fifth, ((r − s) / (r ·
/// s))². So a measured direction sounds as it was measured, sample by sample, and nothing jumps on the way
/// to the next.
///
/// Made on the control thread, read on the audio thread.
@safe struct HRTFTable: ~Copyable {
  /// How long an impulse is, in frames, and the multiple of eight that it fits in.
  let taps: Int, paddedTaps: Int
  /// How many floats one row has: the impulse of one ear, one float behind the row's start, moved to the
  /// latest onset of all.
  let rowLength: Int
  private let index: DirectionIndex
  /// Two rows a direction, left and right.
  private let rows: UnsafeMutableBufferPointer<Float>
  /// By how many frames each row was moved.
  private let moves: UnsafeMutableBufferPointer<SIMD2<Float>>

  /// What one ear hears of a direction, all directions and ears equally long.
  typealias Impulse = [Float]

  /// A table of at least one direction: unit vectors in the head's own frame, and the impulses of each.
  init(_ measured: [(direction: SIMD3<Float>, left: Impulse, right: Impulse)]) {
    index = DirectionIndex(measured.map(\.direction))
    taps = measured[0].left.count
    paddedTaps = (taps + 7) & ~7
    let onsets = measured.map { (left: Self.onset($0.left), right: Self.onset($0.right)) }
    let latest = onsets.reduce(0) { max($0, $1.left, $1.right) }
    let earliest = onsets.reduce(latest) { min($0, $1.left, $1.right) }
    // One float before the impulse and two behind it, for the cubic between frames.
    rowLength = (paddedTaps + latest - earliest + 4 + 7) & ~7
    unsafe rows = .allocate(capacity: measured.count * 2 * rowLength)
    unsafe rows.initialize(repeating: 0)
    unsafe moves = .allocate(capacity: measured.count)
    for (number, (heard, onset)) in zip(measured, onsets).enumerated() {
      let move = (left: latest - onset.left, right: latest - onset.right)
      unsafe moves.initializeElement(at: number, to: SIMD2(Float(move.left), Float(move.right)))
      for frame in 0..<taps {
        unsafe rows[2 * number * rowLength + 1 + move.left + frame] = heard.left[frame]
        unsafe rows[(2 * number + 1) * rowLength + 1 + move.right + frame] = heard.right[frame]
      }
    }
  }

  deinit {
    unsafe rows.deallocate()
    unsafe moves.deallocate()
  }

  /// Writes what both ears hear from `direction`, a unit vector: ``paddedTaps`` frames each.
  ///
  /// - Parameter scratch: ``rowLength`` floats.
  @_noLocks @_noAllocation @unsafe func write(
    _ direction: SIMD3<Float>, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>,
    scratch: UnsafeMutablePointer<Float>
  ) {
    let near = index.nearest(to: direction), shares = Self.shares(near)
    var move = SIMD2<Float>()
    for place in 0..<min(near.count, 4) { unsafe move += moves[near[place].number] * shares[place] }
    unsafe mix(near, shares, ear: 0, into: scratch)
    unsafe lay(scratch, from: move.x, into: left)
    unsafe mix(near, shares, ear: 1, into: scratch)
    unsafe lay(scratch, from: move.y, into: right)
  }

  /// How much each of the nearest four has to say.
  @_noLocks @_noAllocation private static func shares(_ near: NearDirections) -> SIMD4<Float> {
    guard near[0].square > 1e-10 else { return SIMD4(1, 0, 0, 0) }
    // A little beyond the last, so that five at the same distance share the sound.
    let beyond =
      near.count == DirectionIndex.depth ? 1.01 * rt_sqrt(near[DirectionIndex.depth - 1].square) : 4
    var shares = SIMD4<Float>()
    for place in 0..<min(near.count, 4) {
      let way = rt_sqrt(near[place].square), share = (beyond - way) / (beyond * way)
      shares[place] = share * share
    }
    return shares / shares.sum()
  }

  @_noLocks @_noAllocation private func mix(
    _ near: NearDirections, _ shares: SIMD4<Float>, ear: Int, into sink: UnsafeMutablePointer<Float>
  ) {
    unsafe rt_clear_floats(sink, rowLength)
    for place in 0..<min(near.count, 4) where shares[place] > 0 {
      guard let base = unsafe rows.baseAddress else { return }
      let row = unsafe base + (2 * near[place].number + ear) * rowLength, share = shares[place]
      for eight in 0..<rowLength / 8 {
        unsafe sink[eightFrom: 8 * eight] += row[eightFrom: 8 * eight] * share
      }
    }
  }

  /// Reads a row from a place between its frames, by the cubic through the four around it.
  @_noLocks @_noAllocation private func lay(
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
      let place = 8 * eight
      let inner = unsafe start[eightFrom: place + 1] * second + start[eightFrom: place + 2] * third
      unsafe sink[eightFrom: place] =
        inner + start[eightFrom: place] * first + start[eightFrom: place + 3] * fourth
    }
  }

  /// Where an impulse begins: its first sample above 0.15 of its loudest.
  private static func onset(_ impulse: Impulse) -> Int {
    let peak = impulse.reduce(0) { max($0, abs($1)) }
    return impulse.firstIndex { abs($0) > 0.15 * peak } ?? 0
  }
}
