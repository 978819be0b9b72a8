// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// Modulated read points for four lines of the network, with cubic interpolation.
///
/// Each read point moves around its line's length. Over a segment, the four weights at its start crossfade to the four
/// at its end, on a window of at most five frames: a crossfade between two points less than a frame apart. As the
/// interpolation amplifies no frequency at either end, the crossfade does not either, with any modulation.
struct ReverbModulation: BitwiseCopyable {
  /// The weights of a window's frames in each line, oldest first.
  private struct Weights: BitwiseCopyable {
    var first = SIMD4<Float>(), second = SIMD4<Float>(), third = SIMD4<Float>()
    var fourth = SIMD4<Float>(), fifth = SIMD4<Float>()
  }

  /// The initial phases of the modulations in cycles, and their relative speeds.
  private var origins = SIMD4<Float>(), speeds = SIMD4<Float>()
  /// The phases of the modulations at the start of the segment, in cycles.
  private var phases = SIMD4<Float>()
  /// The offsets of the read points from the lines' lengths at the start and at the end of the segment, in frames.
  private var from = SIMD4<Float>(), to = SIMD4<Float>()
  /// The delays of the windows' oldest frames, relative to the lines' lengths.
  private var oldest = SIMD4<Float>()
  /// The weights at the start of the segment, and their growth over the segment.
  private var weights = Weights(), growth = Weights()

  /// The maximum movement of a read point in a segment, in frames.
  private static var fastest: Float { @_noLocks @_noAllocation get { 0.95 } }

  /// Creates read points at rest for the lines from `line` on, with uncorrelated modulations.
  init(from line: Int) {
    for lane in 0..<4 {
      let number = Double(line + lane)
      origins[lane] = Float((number * 0.381_966).truncatingRemainder(dividingBy: 1))
      speeds[lane] = Float(0.75 + 0.5 * (number * 3.090_169_943_75 + 0.3).truncatingRemainder(dividingBy: 1))
    }
  }

  /// Sets the read points to their initial positions, for a modulation by `depth` frames.
  @_noLocks @_noAllocation mutating func rest(by depth: Float) {
    phases = origins
    to = depth * Self.wave(phases)
    from = to
  }

  /// Begins the next segment.
  ///
  /// - Parameters:
  ///   - share: the proportion of the last segment that has elapsed, from 0 to 1.
  ///   - advance: the average phase advance in a segment, in cycles; less than 1.
  ///   - depth: the modulation depth in frames. The movement of each read point is limited.
  @_noLocks @_noAllocation mutating func begin(after share: Float, advance: Float, depth: Float) {
    phases += speeds * (advance * share)
    phases -= Self.floor(phases)
    let ahead = phases + speeds * advance, way = depth * Self.wave(ahead - Self.floor(ahead))
    from = share < 1 ? from + (to - from) * share : to
    let fastest = SIMD4<Float>(repeating: Self.fastest)
    to = from + (way - from).larger(-fastest).smaller(fastest)
    let first = Self.floor(from), last = Self.floor(to)
    oldest = first.larger(last) + 2
    weights = Self.weights(at: from - first, later: oldest - 2 - first)
    let end = Self.weights(at: to - last, later: oldest - 2 - last)
    growth.first = end.first - weights.first
    growth.second = end.second - weights.second
    growth.third = end.third - weights.third
    growth.fourth = end.fourth - weights.fourth
    growth.fifth = end.fifth - weights.fifth
  }

  /// Returns the weights of points between the frames of windows, shifted by a frame if `later` is 1 instead of 0.
  ///
  /// They are rounded to multiples of 2⁻¹⁷, an error of −108 dB, so that the linear interpolation is exact in any order
  /// of additions. Their sum is 1.
  @_noLocks @_noAllocation @inline(__always)
  private static func weights(at points: SIMD4<Float>, later: SIMD4<Float>) -> Weights {
    let exact = CubicWeights.at(points), sooner = 1 - later
    let one = rounded(exact.0), two = rounded(exact.1), four = rounded(exact.3),
      three = 1 - (one + two + four)
    return Weights(
      first: one * sooner, second: two * sooner + one * later, third: three * sooner + two * later,
      fourth: four * sooner + three * later, fifth: four * later)
  }

  /// Returns the nearest multiple of 2⁻¹⁷: adding a large number removes the lower bits.
  @_noLocks @_noAllocation @inline(__always) private static func rounded(_ x: SIMD4<Float>) -> SIMD4<Float> {
    (x + 96) - 96
  }

  /// Reads `count` frames of a line at its modulated `length`.
  ///
  /// - Parameters:
  ///   - lane: the index of the line among the four.
  ///   - shares: the progress of the segment at each frame, from 0 to 1.
  ///   - window: temporary memory for `count + 12` frames.
  @_noLocks @_noAllocation @unsafe func read(
    _ line: borrowing ReverbLine, _ lane: Int, length: Int, into sink: UnsafeMutablePointer<Float>,
    count: Int, shares: UnsafeMutablePointer<Float>, window: UnsafeMutablePointer<Float>
  ) {
    if from[lane] == 0, to[lane] == 0 {
      return unsafe rt_copy_floats(sink, line.frames(delay: length, count: count, spare: window), count)
    }
    let source = unsafe line.frames(delay: length + Int(oldest[lane]), count: count + 12, spare: window)
    let a = weights.first[lane], b = weights.second[lane], c = weights.third[lane], d = weights.fourth[lane]
    let e = weights.fifth[lane], moreA = growth.first[lane], moreB = growth.second[lane]
    let moreC = growth.third[lane], moreD = growth.fourth[lane], moreE = growth.fifth[lane]
    let share = unsafe shares[eightFrom: 0], step = 8 / Float(ReverbNetwork.sliceLength)
    var now = (a + moreA * share, b + moreB * share, c + moreC * share, d + moreD * share)
    let steps = (moreA * step, moreB * step, moreC * step, moreD * step)
    var frame = 0
    while frame < count {
      let older = unsafe source[eightFrom: frame] * now.0 + source[eightFrom: frame + 1] * now.1
      let newer = unsafe source[eightFrom: frame + 2] * now.2 + source[eightFrom: frame + 3] * now.3
      unsafe sink[eightFrom: frame] = older + newer
      now.0 += steps.0
      now.1 += steps.1
      now.2 += steps.2
      now.3 += steps.3
      frame += 8
    }
    guard e != 0 || moreE != 0 else { return }
    frame = 0
    while frame < count {
      let weight = unsafe e + moreE * shares[fourFrom: frame]
      unsafe sink[fourFrom: frame] += source[fourFrom: frame + 4] * weight
      frame += 4
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
