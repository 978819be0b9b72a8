// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// A low-pass between two rates, of which one is twice the other.
///
/// Each stream of the result is a sum of products over streams of the source. Which tap meets which stream,
/// and how far back, is laid down once; taps that are alike are taken together.
@safe struct RateFilter: ~Copyable {
  /// Two samples that a factor counts for, by their distance from the present frame of the first stream.
  private struct Pair: BitwiseCopyable {
    var factor: Float
    var first: Int, second: Int
  }

  /// How many past frames of the source are read.
  let history: Int
  private let pairs: UnsafeMutablePointer<Pair>
  /// Where the pairs of each stream of the result begin, and where the last ones end.
  private let starts: UnsafeMutablePointer<Int>

  /// A filter that makes two samples of one, as loud as they were.
  init(up taps: LowPassTaps, from sources: Int, longest: Int) {
    self.init(taps, from: sources, to: 2 * sources, longest: longest)
  }

  /// A filter that makes one sample of two.
  init(down taps: LowPassTaps, from sources: Int, longest: Int) {
    self.init(taps, from: sources, to: sources / 2, longest: longest)
  }

  private init(_ taps: LowPassTaps, from sources: Int, to sinks: Int, longest: Int) {
    let reach = taps.reach, isUp = sinks > sources
    history = ((isUp ? reach : 2 * reach) + sources - 1) / sources
    let stride = Phases.stride(history: history, longest: longest)
    unsafe pairs = .allocate(capacity: sinks * (reach + 1))
    unsafe starts = .allocate(capacity: sinks + 1)
    var made = 0
    /// Where a sample lies that is `place` samples after the present frame's first.
    func offset(_ place: Int) -> Int {
      let number = ((place % sources) + sources) % sources
      return number * stride + (place - number) / sources
    }
    for sink in 0..<sinks {
      unsafe (starts + sink).initialize(to: made)
      for tap in 0...reach {
        // Between two samples of the source lies nothing.
        if isUp && (sink - tap) % 2 != 0 { continue }
        let factor = taps(tap - reach) * (isUp ? 2 : 1) * (tap == reach ? 0.5 : 1), last = 2 * reach - tap
        if factor == 0 { continue }
        let pair = Pair(
          factor: Float(factor), first: offset(isUp ? (sink - tap) / 2 : 2 * sink - tap),
          second: offset(isUp ? (sink - last) / 2 : 2 * sink - last))
        unsafe (pairs + made).initialize(to: pair)
        made += 1
      }
    }
    unsafe (starts + sinks).initialize(to: made)
  }

  deinit {
    unsafe pairs.deallocate()
    unsafe starts.deallocate()
  }

  /// Makes `count` frames of stream `number` of the result, and up to a group more.
  @_noLocks @_noAllocation @unsafe func run(
    _ source: borrowing Phases, number: Int, to sink: UnsafeMutablePointer<Float>, count: Int
  ) {
    let base = unsafe UnsafePointer(source.stream(0))
    let start = unsafe starts[number], end = unsafe starts[number + 1]
    var group = 0
    while group < count {
      let here = unsafe base + group
      var early = SIMD8<Float>(), late = SIMD8<Float>()
      for place in start..<end {
        let pair = unsafe pairs[place], first = unsafe here + pair.first, second = unsafe here + pair.second
        unsafe early += (first[eightFrom: 0] + second[eightFrom: 0]) * pair.factor
        unsafe late += (first[eightFrom: 8] + second[eightFrom: 8]) * pair.factor
      }
      unsafe sink[eightFrom: group] = early
      unsafe sink[eightFrom: group + 8] = late
      group += 16
    }
  }
}
