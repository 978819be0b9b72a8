// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// How four lines of the network are read between their frames, side by side: cubic interpolation that moves
/// in a straight line.
///
/// Each read point swings around its line's length. Over a segment, the four weights of its beginning turn
/// into the four of its end, on a window of five frames at most: a crossfade between two points less than a
/// frame apart. As neither end ever lifts a frequency, nothing in between does, whatever the swing.
struct ReverbSwing: BitwiseCopyable {
  /// The weights of a window's frames in each line, oldest first.
  private struct Weights: BitwiseCopyable {
    var first = SIMD4<Float>(), second = SIMD4<Float>(), third = SIMD4<Float>()
    var fourth = SIMD4<Float>(), fifth = SIMD4<Float>()
  }

  /// Where the swings begin, in turns, and how fast they go against the others.
  private var origins = SIMD4<Float>(), speeds = SIMD4<Float>()
  /// Where the swings are when the segment begins, in turns.
  private var phases = SIMD4<Float>()
  /// Where the read points are against the lines' lengths when the segment begins and when it ends, in
  /// frames.
  private var from = SIMD4<Float>(), to = SIMD4<Float>()
  /// The windows' oldest frames, as delays against the lines' lengths.
  private var oldest = SIMD4<Float>()
  /// The weights when the segment begins, and what they grow by over it.
  private var weights = Weights(), growth = Weights()

  /// The fastest that a read point goes in a segment, in frames.
  private static var fastest: Float { @_noLocks @_noAllocation get { 0.95 } }

  /// Read points at rest, of the lines from `line` on: their swings have nothing to do with each other.
  init(from line: Int) {
    for lane in 0..<4 {
      let number = Double(line + lane)
      origins[lane] = Float((number * 0.381_966).truncatingRemainder(dividingBy: 1))
      speeds[lane] = Float(0.75 + 0.5 * (number * 3.090_169_943_75 + 0.3).truncatingRemainder(dividingBy: 1))
    }
  }

  /// Puts the read points where they begin at once, for a swing by `depth` frames.
  @_noLocks @_noAllocation mutating func rest(by depth: Float) {
    phases = origins
    to = depth * Self.wave(phases)
    from = to
  }

  /// Plans the next segment.
  ///
  /// - Parameters:
  ///   - share: how much of the last segment has passed, from 0 to 1.
  ///   - turn: how far a swing goes in a segment on average, in turns; less than one.
  ///   - depth: how far it swings, in frames; no read point goes faster than it may.
  @_noLocks @_noAllocation mutating func begin(after share: Float, turn: Float, depth: Float) {
    phases += speeds * (turn * share)
    phases -= Self.floor(phases)
    let ahead = phases + speeds * turn, way = depth * Self.wave(ahead - Self.floor(ahead))
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

  /// The weights of points between the frames of windows, moved on by a frame where `later` is 1 and not 0.
  ///
  /// They are whole numbers of 2⁻¹⁷, an error of −108 dB, so that all on their straight ways are exact,
  /// however a loop adds them up; and their sum is one.
  @_noLocks @_noAllocation @inline(__always)
  private static func weights(at points: SIMD4<Float>, later: SIMD4<Float>) -> Weights {
    let exact = CubicWeights.at(points), sooner = 1 - later
    let one = rounded(exact.0), two = rounded(exact.1), four = rounded(exact.3),
      three = 1 - (one + two + four)
    return Weights(
      first: one * sooner, second: two * sooner + one * later, third: three * sooner + two * later,
      fourth: four * sooner + three * later, fifth: four * later)
  }

  /// The nearest whole number of 2⁻¹⁷: adding so large a number leaves no bits for the rest.
  @_noLocks @_noAllocation @inline(__always) private static func rounded(_ x: SIMD4<Float>) -> SIMD4<Float> {
    (x + 96) - 96
  }

  /// Reads `count` frames of a line, at its `length` give or take the swing.
  ///
  /// - Parameters:
  ///   - lane: which of the four lines it is.
  ///   - shares: how far the segment has come at each frame, from 0 to 1.
  ///   - window: scratch for `count + 12` frames.
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
    let share = unsafe shares[eightFrom: 0], step = 8 / Float(ReverbNetwork.stretch)
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

  /// A smooth swing between −1 and 1 over a turn, of two parabolas.
  @_noLocks @_noAllocation @inline(__always) private static func wave(_ turn: SIMD4<Float>) -> SIMD4<Float> {
    let half = 2 * turn - 1
    return 4 * half * (1 - half.sizes)
  }

  /// The whole numbers below, for numbers of less than a million; for a whole number itself or the one
  /// before, which are the same point of a line. Adding so large a number leaves no bits for the rest.
  @_noLocks @_noAllocation @inline(__always) private static func floor(_ x: SIMD4<Float>) -> SIMD4<Float> {
    (x - 0.5 + 12_582_912) - 12_582_912
  }
}
