// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// A low-pass filter between two sample rates, one of which is twice the other.
///
/// Each stream of the output is a sum of products over streams of the input. The stream and frame offset of each tap
/// are computed once. Two taps with the same factor are evaluated together.
@safe struct RateFilter: ~Copyable {
  /// Two samples with the same factor, by their offsets from the current frame of the first stream.
  private struct Pair: BitwiseCopyable {
    var factor: Float
    var first: Int, second: Int
  }

  /// The number of past frames of the source that are read.
  let history: Int
  private let pairs: UnsafeMutablePointer<Pair>
  /// The index of the first pair for each output stream, and the number of all pairs.
  private let starts: UnsafeMutablePointer<Int>

  /// Creates an upsampling filter, with unity gain, whose input is delayed by `late` frames.
  init(up taps: LowPassTaps, from sources: Int, longest: Int, late: Int = 0) {
    self.init(taps, from: sources, to: 2 * sources, longest: longest, late: late)
  }

  /// Creates a downsampling filter.
  init(down taps: LowPassTaps, from sources: Int, longest: Int) {
    self.init(taps, from: sources, to: sources / 2, longest: longest, late: 0)
  }

  private init(_ taps: LowPassTaps, from sources: Int, to sinks: Int, longest: Int, late: Int) {
    let reach = taps.reach, isUp = sinks > sources
    history = ((isUp ? reach : 2 * reach) + sources - 1) / sources + late
    let stride = PolyphaseBuffer.stride(history: history, longest: longest)
    unsafe pairs = .allocate(capacity: sinks * (reach + 1))
    unsafe starts = .allocate(capacity: sinks + 1)
    var made = 0
    /// Returns the offset of the sample that is `distance` samples after the first one of the current frame.
    func offset(_ distance: Int) -> Int {
      let number = ((distance % sources) + sources) % sources
      return number * stride + (distance - number) / sources - late
    }
    for sink in 0..<sinks {
      unsafe (starts + sink).initialize(to: made)
      for tap in 0...reach {
        // The samples inserted between two samples of the source are zero.
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

  /// Computes `count` frames of output stream `number`, and up to a vectorised group more.
  @_noLocks @_noAllocation @unsafe func run(
    _ source: borrowing PolyphaseBuffer, number: Int, to sink: UnsafeMutablePointer<Float>, count: Int
  ) {
    let base = unsafe UnsafePointer(source.stream(0))
    let start = unsafe starts[number], end = unsafe starts[number + 1]
    var group = 0
    while group < count {
      let here = unsafe base + group
      var early = SIMD8<Float>(), late = SIMD8<Float>()
      for index in start..<end {
        let pair = unsafe pairs[index], first = unsafe here + pair.first, second = unsafe here + pair.second
        unsafe early += (first[eightFrom: 0] + second[eightFrom: 0]) * pair.factor
        unsafe late += (first[eightFrom: 8] + second[eightFrom: 8]) * pair.factor
      }
      unsafe sink[eightFrom: group] = early
      unsafe sink[eightFrom: group + 8] = late
      group += 16
    }
  }
}
