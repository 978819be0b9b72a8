// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// Modulated read points for four lines of the network, with an interpolation between eight frames.
///
/// Each read point moves around its line's length. Over a segment, the weights at its start crossfade to the weights at
/// its end: a crossfade between two points less than a frame apart. Both keep the treble: up to 11 kHz at 48 kHz, their
/// gain differs from 1 by less than 0.02 dB.
struct ReverbModulation: BitwiseCopyable {
  /// The initial phases of the modulations in cycles, and their relative speeds.
  private var origins = SIMD4<Float>(), speeds = SIMD4<Float>()
  /// The phases of the modulations at the start of the segment, in cycles.
  private var phases = SIMD4<Float>()
  /// The offsets of the read points from the lines' lengths at the start and at the end of the segment, in frames.
  private var from = SIMD4<Float>(), to = SIMD4<Float>()
  /// The whole frames of the offsets.
  private var firsts = SIMD4<Float>(), lasts = SIMD4<Float>()
  /// The weights at the start and at the end of the segment for each line.
  private var starts = InlineArray<4, SIMD8<Float>>(repeating: SIMD8())
  private var ends = InlineArray<4, SIMD8<Float>>(repeating: SIMD8())

  /// The number of frames by which a read point needs more than its offset, on each side.
  static var margin: Int { @_noLocks @_noAllocation get { 5 } }
  /// The maximum movement of a read point in a segment, in frames.
  private static var fastest: Float { @_noLocks @_noAllocation get { 0.95 } }

  /// Creates read points at rest for every second line from `line` on, with uncorrelated modulations.
  init(from line: Int) {
    for lane in 0..<4 {
      let number = Double(line + 2 * lane)
      origins[lane] = Float((number * 0.381_966).truncatingRemainder(dividingBy: 1))
      speeds[lane] = Float(0.75 + 0.5 * (number * 3.090_169_943_75 + 0.3).truncatingRemainder(dividingBy: 1))
    }
  }

  /// Sets the read points to their initial positions, for a modulation by `depth` frames.
  @_noLocks @_noAllocation mutating func rest(by depth: Float, weights: borrowing SincWeights) {
    phases = origins
    to = depth * Self.wave(phases)
    weigh(by: weights)
    from = to
    firsts = lasts
    starts = ends
  }

  /// Begins the next segment.
  ///
  /// - Parameters:
  ///   - share: the proportion of the last segment that has elapsed, from 0 to 1.
  ///   - advance: the average phase advance in a segment, in cycles; less than 1.
  ///   - depth: the modulation depth in frames. The movement of each read point is limited.
  @_noLocks @_noAllocation
  mutating func begin(after share: Float, advance: Float, depth: Float, weights: borrowing SincWeights) {
    phases += speeds * (advance * share)
    phases -= Self.floor(phases)
    let ahead = phases + speeds * advance, way = depth * Self.wave(ahead - Self.floor(ahead))
    if share < 1 {
      to = from + (to - from) * share
      weigh(by: weights)
    }
    from = to
    firsts = lasts
    starts = ends
    let fastest = SIMD4<Float>(repeating: Self.fastest)
    to = from + (way - from).larger(-fastest).smaller(fastest)
    weigh(by: weights)
  }

  /// Computes the weights at the end of the segment.
  @_noLocks @_noAllocation private mutating func weigh(by weights: borrowing SincWeights) {
    lasts = Self.floor(to)
    let parts = to - lasts
    for lane in 0..<4 { ends[lane] = weights.eight(at: parts[lane]) }
  }

  /// Reads `count` frames of a line at its modulated `length`.
  ///
  /// - Parameters:
  ///   - lane: the index of the line among the four.
  ///   - shares: the progress of the segment at each frame, from 0 to 1.
  ///   - window: temporary memory for `count + 16` frames.
  @_noLocks @_noAllocation @unsafe func read(
    _ line: borrowing ReverbLine, _ lane: Int, length: Int, into sink: UnsafeMutablePointer<Float>,
    count: Int, shares: UnsafeMutablePointer<Float>, window: UnsafeMutablePointer<Float>
  ) {
    if from[lane] == 0, to[lane] == 0 {
      return unsafe rt_copy_floats(sink, line.frames(delay: length, count: count, spare: window), count)
    }
    let first = Int(firsts[lane]), last = Int(lasts[lane]), oldest = max(first, last)
    let source = unsafe line.frames(delay: length + oldest + 4, count: count + 16, spare: window)
    if first == last {
      unsafe blend(lane, source, source, sink, count, shares)
    } else {
      unsafe blend(lane, source + (oldest - first), source + (oldest - last), sink, count, shares)
    }
  }

  /// Crossfades from the weights at the start, on the frames from `one`, to those at the end, on the frames from
  /// `other`. It is inlined, so that equal frames are loaded once.
  @_noLocks @_noAllocation @inline(__always) @unsafe private func blend(
    _ lane: Int, _ one: UnsafePointer<Float>, _ other: UnsafePointer<Float>,
    _ sink: UnsafeMutablePointer<Float>, _ count: Int, _ shares: UnsafeMutablePointer<Float>
  ) {
    let start = starts[lane], end = ends[lane]
    var frame = 0
    while frame < count {
      var old = unsafe one[eightFrom: frame] * start[0], new = unsafe other[eightFrom: frame] * end[0]
      unsafe old += one[eightFrom: frame + 1] * start[1]
      unsafe new += other[eightFrom: frame + 1] * end[1]
      unsafe old += one[eightFrom: frame + 2] * start[2]
      unsafe new += other[eightFrom: frame + 2] * end[2]
      unsafe old += one[eightFrom: frame + 3] * start[3]
      unsafe new += other[eightFrom: frame + 3] * end[3]
      unsafe old += one[eightFrom: frame + 4] * start[4]
      unsafe new += other[eightFrom: frame + 4] * end[4]
      unsafe old += one[eightFrom: frame + 5] * start[5]
      unsafe new += other[eightFrom: frame + 5] * end[5]
      unsafe old += one[eightFrom: frame + 6] * start[6]
      unsafe new += other[eightFrom: frame + 6] * end[6]
      unsafe old += one[eightFrom: frame + 7] * start[7]
      unsafe new += other[eightFrom: frame + 7] * end[7]
      unsafe sink[eightFrom: frame] = old + (new - old) * shares[eightFrom: frame]
      frame += 8
    }
  }

  /// Returns a smooth wave between −1 and 1 over a cycle, made of two parabolas.
  @_noLocks @_noAllocation @inline(__always) private static func wave(_ phase: SIMD4<Float>) -> SIMD4<Float> {
    let half = 2 * phase - 1
    return 4 * half * (1 - half.sizes)
  }

  /// Returns the integer below each number, for magnitudes under one million. For an integer it may return the integer
  /// itself or the one before; with the fraction, both stand for the same point of a line. Adding a large number
  /// removes the fractional bits.
  @_noLocks @_noAllocation @inline(__always) private static func floor(_ x: SIMD4<Float>) -> SIMD4<Float> {
    (x - 0.5 + 12_582_912) - 12_582_912
  }
}
