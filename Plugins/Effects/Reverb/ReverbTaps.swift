// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The outputs of a reverb's network: each channel hears every line at a point of its own, half of them inverted.
///
/// The points are scattered over the lines, so that the first echoes come early, no time between echoes is repeated,
/// and the channels are uncorrelated.
@safe struct ReverbTaps: ~Copyable {
  private let channelCount: Int, lineCount: Int, sliceLength: Int
  /// The line of each tap, channel by channel. The second half of a channel's lines is inverted.
  private let lines: UnsafeMutablePointer<Int>
  /// The position of each tap as a proportion of its line's length.
  private let positions: UnsafeMutablePointer<Double>
  /// The delays that are heard, and the delays that fade in, in frames.
  private let delays: UnsafeMutablePointer<Int>, nextDelays: UnsafeMutablePointer<Int>
  /// A slice for each of four taps, for frames from before the first one.
  private let spare: UnsafeMutablePointer<Float>

  /// Creates taps for a multiple of eight lines.
  init(channels: Int, lineCount: Int, sliceLength: Int) {
    let count = channels * lineCount
    channelCount = channels
    self.lineCount = lineCount
    self.sliceLength = sliceLength
    unsafe lines = .allocate(capacity: 3 * count)
    unsafe positions = .allocate(capacity: count)
    unsafe spare = .allocate(capacity: 4 * sliceLength)
    unsafe spare.initialize(repeating: 0, count: 4 * sliceLength)
    unsafe delays = unsafe lines + count
    unsafe nextDelays = unsafe delays + count
    for channel in 0..<channels {
      // An odd step visits all lines. Multiples of the plastic number's powers are scattered without regularity.
      let step = 2 * ((5 * channel + 3) % 8) + 1, start = 3 * channel + 1
      let scatter = channel % 2 == 0 ? 0.754_877_666 : 0.569_840_291
      for number in 0..<lineCount {
        let line = (start + step * number) % lineCount, tap = channel * lineCount + number
        let share = (0.5 + 0.75 * Double(channel) + scatter * Double(line)).truncatingRemainder(dividingBy: 1)
        unsafe (lines + tap).initialize(to: line)
        unsafe (positions + tap).initialize(to: 0.05 + 0.65 * share)
        unsafe (delays + tap).initialize(to: 1)
        unsafe (nextDelays + tap).initialize(to: 1)
      }
    }
  }

  deinit {
    unsafe lines.deallocate()
    unsafe positions.deallocate()
    unsafe spare.deallocate()
  }

  /// Begins a crossfade to the taps of lines with these lengths.
  @_noLocks @_noAllocation @unsafe mutating func fade(to lengths: UnsafeMutablePointer<Int>) {
    for tap in 0..<channelCount * lineCount {
      unsafe nextDelays[tap] = max(Int(positions[tap] * Double(lengths[lines[tap]])), 1)
    }
  }

  /// Ends the crossfade.
  @_noLocks @_noAllocation mutating func arrive() {
    for tap in 0..<channelCount * lineCount { unsafe delays[tap] = nextDelays[tap] }
  }

  /// Writes the sum of a channel's taps for the `count` frames written last to `sink`, multiplied by `gains`.
  @_noLocks @_noAllocation @unsafe func read(
    _ channel: Int, _ network: UnsafeMutablePointer<ReverbLine>, into sink: UnsafeMutablePointer<Float>,
    count: Int, gains: UnsafeMutablePointer<Float>, isNext: Bool
  ) {
    let half = lineCount / 2
    for side in 0..<2 {
      let first = channel * lineCount + side * half
      for quarter in 0..<half / 4 {
        let tap = first + 4 * quarter
        let one = unsafe frames(network, tap, 0, count, isNext),
          two = unsafe frames(network, tap, 1, count, isNext)
        let three = unsafe frames(network, tap, 2, count, isNext)
        let four = unsafe frames(network, tap, 3, count, isNext)
        let isFirst = side + quarter == 0, isLast = side == 1 && quarter == half / 4 - 1
        var frame = 0
        while frame < count {
          let pair = unsafe one[eightFrom: frame] + two[eightFrom: frame]
          var sum = unsafe pair + (three[eightFrom: frame] + four[eightFrom: frame])
          if side == 1 { sum = -sum }
          if !isFirst { unsafe sum += sink[eightFrom: frame] }
          if isLast { unsafe sum *= gains[eightFrom: frame] * 0.25 }
          unsafe sink[eightFrom: frame] = sum
          frame += 8
        }
      }
    }
  }

  /// Returns the frames of one of the four taps from `tap` on.
  @_noLocks @_noAllocation @inline(__always) @unsafe private func frames(
    _ network: UnsafeMutablePointer<ReverbLine>, _ tap: Int, _ number: Int, _ count: Int, _ isNext: Bool
  ) -> UnsafePointer<Float> {
    let delay = unsafe isNext ? nextDelays[tap + number] : delays[tap + number]
    return unsafe network[lines[tap + number]].frames(
      delay: delay + count, count: count, spare: spare + number * sliceLength)
  }
}
