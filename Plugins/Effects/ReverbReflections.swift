// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The early part of a reverb: what comes back from the walls first, eight echoes for each channel.
///
/// They lie closer together as time goes on and fall as sound does with distance; all of a channel's together
/// are as loud as what came in. Most come from the channel's own side, the others from across.
@safe struct ReverbReflections: ~Copyable {
  /// An echo: when, against the mean time between walls, how loud, and of which side.
  private struct Echo: BitwiseCopyable {
    var time: Double, amplitude: Float, isRight: Bool
  }
  private static var count: Int { @_noLocks @_noAllocation get { 8 } }

  private let sampleRate: Double
  private let channelCount: Int, stretch: Int
  private let echoes: UnsafeMutablePointer<Echo>
  private var left: DelayLine, right: DelayLine
  /// Four echoes that do not lie in one piece; all of a channel's.
  private let heard: UnsafeMutablePointer<Float>, sum: UnsafeMutablePointer<Float>

  /// Silence, for rooms whose walls are up to `longestMean` seconds apart.
  init(channels: Int, longestMean: Double, sampleRate: Double, stretch: Int) {
    self.sampleRate = sampleRate
    channelCount = channels
    let frames = Int(longestMean * sampleRate) + 2 * stretch
    left = DelayLine(longest: frames)
    right = DelayLine(longest: frames)
    unsafe echoes = .allocate(capacity: channels * Self.count)
    self.stretch = stretch
    unsafe heard = .allocate(capacity: 5 * stretch)
    unsafe heard.initialize(repeating: 0, count: 5 * stretch)
    unsafe sum = unsafe heard + 4 * stretch
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
    unsafe heard.deallocate()
  }

  private static func echo(_ number: Int, _ channel: Int) -> Echo {
    // Golden and silver ratios scatter without ever lining up.
    let scatter = (Double(number) * 0.618_034 + Double(channel) * 0.414_214 + 0.2)
      .truncatingRemainder(dividingBy: 1)
    let time = 0.12 + 0.68 * rt_pow_double((Double(number) + 0.8 * scatter) / Double(count), 0.7)
    let isDown = (number * 5 + channel * 3) % 7 < 3, isAcross = number % 3 == 2
    let amplitude = 1 / (0.25 + time)
    return Echo(
      time: time, amplitude: Float(isDown ? -amplitude : amplitude), isRight: (channel % 2 == 1) != isAcross)
  }

  /// Forgets all sound.
  @_noLocks @_noAllocation mutating func clear() {
    left.clear()
    right.clear()
  }

  /// Takes in `count` frames of both sides.
  @_noLocks @_noAllocation @unsafe mutating func write(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int
  ) {
    unsafe self.left.write(left, count: count)
    unsafe self.right.write(right, count: count)
  }

  /// Adds to `sink` what `channel` hears in a room of `mean` seconds from wall to wall.
  ///
  /// - Parameter gains: how loud, for each of the `count` frames written last.
  @_noLocks @_noAllocation @unsafe func add(
    to sink: UnsafeMutablePointer<Float>, _ channel: Int, mean: Double, count: Int,
    gains: UnsafeMutablePointer<Float>
  ) {
    var frame = 0
    for half in 0..<2 {
      let one = unsafe echo(channel, 4 * half, mean, count),
        two = unsafe echo(channel, 4 * half + 1, mean, count)
      let three = unsafe echo(channel, 4 * half + 2, mean, count)
      let four = unsafe echo(channel, 4 * half + 3, mean, count)
      frame = 0
      while frame < count {
        var all = unsafe half == 0 ? SIMD8<Float>() : sum[eightFrom: frame]
        unsafe all += one.sound[eightFrom: frame] * one.amplitude
        unsafe all += two.sound[eightFrom: frame] * two.amplitude
        unsafe all += three.sound[eightFrom: frame] * three.amplitude
        unsafe all += four.sound[eightFrom: frame] * four.amplitude
        unsafe sum[eightFrom: frame] = all
        frame += 8
      }
    }
    frame = 0
    while frame < count {
      unsafe sink[eightFrom: frame] = sink[eightFrom: frame] + sum[eightFrom: frame] * gains[eightFrom: frame]
      frame += 8
    }
  }

  /// The sound of one of a channel's echoes, at least until the next one but three, and how loud it is.
  @_noLocks @_noAllocation @unsafe private func echo(
    _ channel: Int, _ number: Int, _ mean: Double, _ count: Int
  ) -> (sound: UnsafePointer<Float>, amplitude: Float) {
    let echo = unsafe echoes[channel * Self.count + number]
    let delay = Int(echo.time * mean * sampleRate) + count, place = unsafe heard + number % 4 * stretch
    let sound = unsafe echo.isRight ? read(right, delay, count, place) : read(left, delay, count, place)
    return unsafe (sound, echo.amplitude)
  }

  @_noLocks @_noAllocation @unsafe private func read(
    _ line: borrowing DelayLine, _ delay: Int, _ count: Int, _ place: UnsafeMutablePointer<Float>
  ) -> UnsafePointer<Float> {
    if let frames = unsafe line.peek(delay: delay, count: count + 7) { return unsafe frames }
    unsafe line.read(place, delay: delay, count: count)
    return unsafe UnsafePointer(place)
  }
}
