// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The outputs of a reverb's network: each channel hears every line at a point of its own, half of them inverted.
///
/// The points are scattered over the lines, so that the first echoes come early, no time between echoes is repeated,
/// and the channels are uncorrelated.
@safe struct ReverbTaps: ~Copyable {
  private let channelCount: Int, lineCount: Int, stretch: Int
  /// The line of each tap, channel by channel. The second half of a channel's lines is inverted.
  private let lines: UnsafeMutablePointer<Int>
  /// The position of each tap as a proportion of its line's length.
  private let places: UnsafeMutablePointer<Double>
  /// The delays that are heard, and the delays that fade in, in frames.
  private let delays: UnsafeMutablePointer<Int>, nextDelays: UnsafeMutablePointer<Int>
  /// A slice for each of four taps, for frames from before the first one.
  private let spare: UnsafeMutablePointer<Float>

  /// Creates taps for a multiple of eight lines.
  init(channels: Int, lineCount: Int, stretch: Int) {
    let count = channels * lineCount
    channelCount = channels
    self.lineCount = lineCount
    self.stretch = stretch
    unsafe lines = .allocate(capacity: 3 * count)
    unsafe places = .allocate(capacity: count)
    unsafe spare = .allocate(capacity: 4 * stretch)
    unsafe spare.initialize(repeating: 0, count: 4 * stretch)
    unsafe delays = unsafe lines + count
    unsafe nextDelays = unsafe delays + count
    for channel in 0..<channels {
      // An odd step visits all lines. Multiples of the plastic number's powers are scattered without regularity.
      let step = 2 * ((5 * channel + 3) % 8) + 1, start = 3 * channel + 1
      let scatter = channel % 2 == 0 ? 0.754_877_666 : 0.569_840_291
      for number in 0..<lineCount {
        let line = (start + step * number) % lineCount, tap = channel * lineCount + number
        let way = (0.5 + 0.75 * Double(channel) + scatter * Double(line)).truncatingRemainder(dividingBy: 1)
        unsafe (lines + tap).initialize(to: line)
        unsafe (places + tap).initialize(to: 0.05 + 0.65 * way)
        unsafe (delays + tap).initialize(to: 1)
        unsafe (nextDelays + tap).initialize(to: 1)
      }
    }
  }

  deinit {
    unsafe lines.deallocate()
    unsafe places.deallocate()
    unsafe spare.deallocate()
  }

  /// Begins a crossfade to the taps of lines with these lengths.
  @_noLocks @_noAllocation @unsafe mutating func fade(to lengths: UnsafeMutablePointer<Int>) {
    for tap in 0..<channelCount * lineCount {
      unsafe nextDelays[tap] = max(Int(places[tap] * Double(lengths[lines[tap]])), 1)
    }
  }

  /// Ends the crossfade.
  @_noLocks @_noAllocation mutating func arrive() {
    for tap in 0..<channelCount * lineCount { unsafe delays[tap] = nextDelays[tap] }
  }

  /// Writes the sum of a channel's taps for the `count` frames written last to `sink`.
  @_noLocks @_noAllocation @unsafe func read(
    _ channel: Int, _ network: UnsafeMutablePointer<ReverbLine>, into sink: UnsafeMutablePointer<Float>,
    count: Int, isNext: Bool
  ) {
    let first = channel * lineCount, delays = unsafe (isNext ? nextDelays : delays) + first
    for quarter in 0..<lineCount / 4 {
      let place = 4 * quarter, lines = unsafe lines + first + place,
        sign: Float = 2 * place < lineCount ? 1 : -1
      let one = unsafe frames(network, lines[0], delays[place], 0, count)
      let two = unsafe frames(network, lines[1], delays[place + 1], 1, count)
      let three = unsafe frames(network, lines[2], delays[place + 2], 2, count)
      let four = unsafe frames(network, lines[3], delays[place + 3], 3, count)
      var frame = 0
      while frame < count {
        let sum =
          unsafe (one[eightFrom: frame] + two[eightFrom: frame])
          + (three[eightFrom: frame] + four[eightFrom: frame])
        unsafe sink[eightFrom: frame] = quarter == 0 ? sum : sink[eightFrom: frame] + sign * sum
        frame += 8
      }
    }
  }

  @_noLocks @_noAllocation @inline(__always) @unsafe private func frames(
    _ network: UnsafeMutablePointer<ReverbLine>, _ line: Int, _ delay: Int, _ number: Int, _ count: Int
  ) -> UnsafePointer<Float> {
    unsafe network[line].frames(delay: delay + count, count: count, spare: spare + number * stretch)
  }
}
