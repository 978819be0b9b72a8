// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// Echoes with a constant decay rate: each echo is `e^(−rate · time)` of the one before, `time` in seconds.
///
/// So a long delay and a short one, which resonates like a tube, have decayed by the same amount after the same time.
@safe struct DecayingEcho: ~Copyable {
  /// The longest time between echoes, in milliseconds.
  static var longest: Float { 500 }

  private let sampleRate: Double
  private let channelCount: Int
  private let lines: UnsafeMutablePointer<DelayLine>
  private var points: ReadPoints
  private var time: Float, rate: Float
  /// The level of an echo relative to the one before, as a factor.
  private var feedback: Ramp
  private var mix = Ramp(0)
  /// The factor of the feedback: 0 while the mix is 0, so that the line need not be read.
  private var open = Ramp(0)
  private let echo: UnsafeMutablePointer<Float>, second: UnsafeMutablePointer<Float>

  /// Creates silent lines, for up to `sliceLength` frames at once.
  init(channelCount: Int, time: Float, rate: Float, sampleRate: Double, sliceLength: Int) {
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    self.time = time
    self.rate = rate
    let longest = max(ReadPoints.frames(Double(Self.longest), sampleRate), sliceLength)
    unsafe lines = .allocate(capacity: channelCount)
    for channel in 0..<channelCount { unsafe (lines + channel).initialize(to: DelayLine(longest: longest)) }
    points = ReadPoints(
      delay: max(ReadPoints.frames(Double(time), sampleRate), 1), longestFade: Int(0.05 * sampleRate))
    feedback = Ramp(Self.loss(time, rate))
    unsafe echo = .allocate(capacity: 2 * sliceLength)
    unsafe echo.initialize(repeating: 0, count: 2 * sliceLength)
    unsafe second = unsafe echo + sliceLength
  }

  deinit {
    unsafe lines.deinitialize(count: channelCount)
    unsafe lines.deallocate()
    unsafe echo.deallocate()
  }

  /// The number of frames until echoes are 180 dB below the input: the following stages may have a large gain.
  var tail: Int {
    @_noLocks @_noAllocation get {
      guard mix.target > 0 || mix.isMoving else { return 0 }
      return Int(min(21 / Double(rate), 600) * sampleRate) + 2 * max(points.delay, points.target)
    }
  }

  /// Glides to a time in milliseconds, rounded to frames, at least one frame.
  @_noLocks @_noAllocation mutating func setTime(_ milliseconds: Float, over frames: Int) {
    time = milliseconds
    points.glide(to: max(Double(time) * sampleRate / 1000, 1), over: frames)
    feedback.glide(to: Self.loss(time, rate), over: frames)
  }

  /// Glides to a decay rate in nepers per second.
  @_noLocks @_noAllocation mutating func setRate(_ rate: Float, over frames: Int) {
    self.rate = rate
    feedback.glide(to: Self.loss(time, rate), over: frames)
  }

  /// Glides to a proportion of echoes, from 0 to 1.
  @_noLocks @_noAllocation mutating func setMix(_ share: Float, over frames: Int) {
    mix.glide(to: share, over: frames)
    open.glide(to: share > 0 ? 1 : 0, over: frames)
  }

  /// Clears all state and finishes all glides.
  @_noLocks @_noAllocation mutating func reset() {
    for channel in 0..<channelCount { unsafe lines[channel].clear() }
    points.arrive()
    feedback.finish()
    mix.finish()
    open.finish()
  }

  /// Returns the number of frames, at most `count`, that either all have echoes or all have none.
  @_noLocks @_noAllocation func sliceLength(atMost count: Int) -> Int {
    mix.isMoving ? min(count, mix.remaining) : count
  }

  /// Adds echoes to `count` frames of all channels, which lie `apart` floats from each other.
  @_noLocks @_noAllocation @unsafe
  mutating func run(_ samples: UnsafeMutablePointer<Float>, apart: Int, count: Int) {
    guard mix.isMoving || mix.target > 0 else {
      // Without a mix, the lines store the input without feedback.
      for channel in 0..<channelCount { unsafe lines[channel].write(samples + channel * apart, count: count) }
      skip(count)
      return
    }
    var start = 0
    while start < count {
      let some = points.begin(count - start)
      for channel in 0..<channelCount { unsafe work(channel, samples + channel * apart + start, some) }
      skip(some)
      start += some
    }
  }

  @_noLocks @_noAllocation private mutating func skip(_ count: Int) {
    points.advance(count)
    feedback.skip(count)
    mix.skip(count)
    open.skip(count)
  }

  @_noLocks @_noAllocation @unsafe
  private func work(_ channel: Int, _ samples: UnsafeMutablePointer<Float>, _ count: Int) {
    unsafe points.read(lines[channel], echo, count: count, other: second)
    for frame in 0..<count {
      let sample = unsafe samples[frame], repeated = unsafe echo[frame] * feedback.value(after: frame + 1)
      unsafe second[frame] = LoopSaturation.bend(sample + repeated * open.value(after: frame + 1))
      unsafe samples[frame] = sample + (repeated - sample) * mix.value(after: frame + 1)
    }
    unsafe lines[channel].write(second, count: count)
  }

  @_noLocks @_noAllocation private static func loss(_ milliseconds: Float, _ rate: Float) -> Float {
    Float(rt_exp_double(-Double(rate) * Double(milliseconds) / 1000))
  }
}
