// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The early reflections of a reverb: eight echoes for each channel.
///
/// Their density increases with time, and their level falls as that of sound does with distance. Together the echoes of
/// a channel have the energy of the input. Most come from the channel's own side, the others from the opposite side.
@safe struct ReverbReflections: ~Copyable {
  /// An echo: its time relative to the mean time between walls, its amplitude, its side, and its delay in frames.
  private struct Echo: BitwiseCopyable {
    var time: Double, amplitude: Float, isRight: Bool, delay = 0
  }
  private static var count: Int { @_noLocks @_noAllocation get { 8 } }

  private let sampleRate: Double
  private let channelCount: Int, sliceLength: Int
  private let echoes: UnsafeMutablePointer<Echo>
  /// The mean time between walls for which the delays are computed, in seconds.
  private var mean = 0.0
  private var left: ReverbLine, right: ReverbLine
  /// A slice for each echo of a channel, for frames from before the first one.
  private let spare: UnsafeMutablePointer<Float>

  /// Creates silent reflections for rooms whose walls are up to `longestMean` seconds apart.
  init(channels: Int, longestMean: Double, sampleRate: Double, sliceLength: Int) {
    self.sampleRate = sampleRate
    channelCount = channels
    let frames = Int(longestMean * sampleRate) + 2 * sliceLength
    left = ReverbLine(longest: frames, sliceLength: sliceLength)
    right = ReverbLine(longest: frames, sliceLength: sliceLength)
    unsafe echoes = .allocate(capacity: channels * Self.count)
    self.sliceLength = sliceLength
    unsafe spare = .allocate(capacity: Self.count * sliceLength)
    unsafe spare.initialize(repeating: 0, count: Self.count * sliceLength)
    for channel in 0..<channels {
      for number in 0..<Self.count {
        unsafe (echoes + channel * Self.count + number).initialize(to: Self.echo(number, channel))
      }
      var energy: Float = 0
      for number in 0..<Self.count {
        let amplitude = unsafe echoes[channel * Self.count + number].amplitude
        energy += amplitude * amplitude
      }
      for number in 0..<Self.count {
        unsafe echoes[channel * Self.count + number].amplitude /= energy.squareRoot()
      }
    }
  }

  deinit {
    unsafe echoes.deallocate()
    unsafe spare.deallocate()
  }

  private static func echo(_ number: Int, _ channel: Int) -> Echo {
    // Multiples of the golden and silver ratios are scattered without regularity.
    let scatter = (Double(number) * 0.618_034 + Double(channel) * 0.414_214 + 0.2)
      .truncatingRemainder(dividingBy: 1)
    let time = 0.12 + 0.68 * rt_pow_double((Double(number) + 0.8 * scatter) / Double(count), 0.7)
    let isDown = (number * 5 + channel * 3) % 7 < 3, isAcross = number % 3 == 2
    let amplitude = 1 / (0.25 + time)
    return Echo(
      time: time, amplitude: Float(isDown ? -amplitude : amplitude), isRight: (channel % 2 == 1) != isAcross)
  }

  /// Clears all state.
  @_noLocks @_noAllocation mutating func clear() {
    left.clear()
    right.clear()
  }

  /// Writes `count` frames of both sides.
  @_noLocks @_noAllocation @unsafe mutating func write(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int
  ) {
    unsafe self.left.write(left, count: count)
    unsafe self.right.write(right, count: count)
  }

  /// Adds the reflections of `channel` to `sink`, for a room of `mean` seconds from wall to wall.
  ///
  /// - Parameter gains: the level for each of the `count` frames written last.
  @_noLocks @_noAllocation @unsafe mutating func add(
    to sink: UnsafeMutablePointer<Float>, _ channel: Int, mean: Double, count: Int,
    gains: UnsafeMutablePointer<Float>
  ) {
    if mean != self.mean { setDelays(for: mean) }
    let one = unsafe echo(channel, 0, count), two = unsafe echo(channel, 1, count)
    let three = unsafe echo(channel, 2, count), four = unsafe echo(channel, 3, count)
    let five = unsafe echo(channel, 4, count), six = unsafe echo(channel, 5, count)
    let seven = unsafe echo(channel, 6, count), eight = unsafe echo(channel, 7, count)
    var frame = 0
    while frame < count {
      var all = unsafe one.sound[fourFrom: frame] * one.amplitude
      unsafe all += two.sound[fourFrom: frame] * two.amplitude
      unsafe all += three.sound[fourFrom: frame] * three.amplitude
      unsafe all += four.sound[fourFrom: frame] * four.amplitude
      unsafe all += five.sound[fourFrom: frame] * five.amplitude
      unsafe all += six.sound[fourFrom: frame] * six.amplitude
      unsafe all += seven.sound[fourFrom: frame] * seven.amplitude
      unsafe all += eight.sound[fourFrom: frame] * eight.amplitude
      unsafe sink[fourFrom: frame] = sink[fourFrom: frame] + all * gains[fourFrom: frame]
      frame += 4
    }
  }

  /// Computes the delays of the echoes for a room of `mean` seconds from wall to wall.
  @_noLocks @_noAllocation private mutating func setDelays(for mean: Double) {
    self.mean = mean
    for number in 0..<channelCount * Self.count {
      unsafe echoes[number].delay = Int(echoes[number].time * mean * sampleRate)
    }
  }

  /// Returns the signal of one of a channel's echoes, and its amplitude.
  @_noLocks @_noAllocation @inline(__always) @unsafe private func echo(
    _ channel: Int, _ number: Int, _ count: Int
  ) -> (
    sound: UnsafePointer<Float>, amplitude: Float
  ) {
    let echo = unsafe echoes[channel * Self.count + number], delay = echo.delay + count
    let memory = unsafe spare + number * sliceLength
    let sound =
      unsafe echo.isRight
      ? right.frames(delay: delay, count: count, spare: memory)
      : left.frames(delay: delay, count: count, spare: memory)
    return unsafe (sound, echo.amplitude)
  }
}
