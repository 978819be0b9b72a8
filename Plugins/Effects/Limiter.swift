// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// Keeps sound below a ceiling, its crests between samples too, without being heard to do so.
///
/// Sound is delayed a little less than 2 ms, in which the gain goes down in a smooth line, so that it is down
/// when the crest comes; the latency never changes. No sample lies above the ceiling, and the true peak (see
/// ITU-R BS.1770) not more than 0.1 dB: that of sound up to 20 kHz, and of any as meters show it whose
/// interpolation is as short as the standard's example. A ceiling that goes down holds from one latency
/// later. All channels get one gain, made of the loudest. Any number of channels from 1 to 64.
@safe public struct Limiter: Effect, ~Copyable {
  /// The numbers of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The level before it, in decibels.
    case gain
    /// The true peak that is never passed, in dBTP.
    case ceiling
    /// In how many milliseconds 63 % of a shrinking reduction are done.
    case release
  }

  /// How many frames are worked on at once.
  private static var stretch: Int { @_noLocks @_noAllocation get { 64 } }
  /// How long the gain takes down, in seconds.
  private static var lookAhead: Double { 0.0015 }
  /// How far below the ceiling it aims, in decibels: for all that is rounded, and for crests that rise
  /// because the gain moves under them.
  private static var guardBand: Float { @_noLocks @_noAllocation get { 0.05 } }

  /// How many frames the output lies behind.
  public let latency: Int
  private let channelCount: Int
  private let lines: UnsafeMutablePointer<DelayLine>
  private let truePeak: TruePeak
  /// The largest reduction of all frames that are on their way.
  private var largest: SlidingMaximum
  private var follower: GainFollower
  /// Makes a line of a step that reaches the bottom as the crest comes. The mean of reductions that are all
  /// large enough is large enough.
  private var slope: MovingAverage
  private var gain: Ramp, ceiling: Ramp
  /// Peaks, then reductions, then factors of a stretch of frames; the sound of one channel.
  private let gains: UnsafeMutablePointer<Float>, sound: UnsafeMutablePointer<Float>

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
    let initial = Self.initial, stretch = Self.stretch
    let down = max(Int(Self.lookAhead * layout.sampleRate), 1)
    // The gain stays at the bottom for as long as the samples that shape the crest last. So the reading of a
    // frame, which is late by the reach, counts from a reach before it to a reach after.
    let flat = 2 * TruePeak.reach
    latency = TruePeak.reach + down - 1 + flat / 2
    channelCount = layout.outputs.first ?? 1
    unsafe lines = .allocate(capacity: channelCount)
    let longest = stretch + max(latency, TruePeak.history)
    for channel in 0..<channelCount { unsafe (lines + channel).initialize(to: DelayLine(longest: longest)) }
    truePeak = TruePeak(longest: stretch)
    largest = SlidingMaximum(length: down + flat, longest: down + flat)
    follower = GainFollower(layout.sampleRate, rise: 0, fall: initial.release)
    slope = MovingAverage(length: down)
    gain = Ramp(Decibels.amplitude(initial.gain))
    ceiling = Ramp(initial.ceiling)
    unsafe gains = .allocate(capacity: 2 * stretch)
    unsafe gains.initialize(repeating: 0, count: 2 * stretch)
    unsafe sound = unsafe gains + stretch
  }

  deinit {
    unsafe lines.deinitialize(count: channelCount)
    unsafe lines.deallocate()
    unsafe gains.deallocate()
  }

  public var tail: Int { @_noLocks @_noAllocation get { latency } }

  @_noLocks @_noAllocation public mutating func reset() {
    for channel in 0..<channelCount { unsafe lines[channel].clear() }
    largest.clear()
    follower.reset()
    slope.clear()
    gain.finish()
    ceiling.finish()
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .gain: gain.glide(to: Decibels.amplitude(value), over: frames)
    case .ceiling: ceiling.glide(to: value, over: frames)
    case .release: follower.fall.glide(to: value, over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    var start = 0, most: Float = 0
    while start < block.frameCount {
      let count = min(Self.stretch, block.frameCount - start)
      most = max(most, work(block.slice(from: start, count: count)))
      start += count
    }
    block.show(most, on: 0)
  }

  /// Lays a channel's sound ready, with the gain on it. A gain at rest has a loop of its own: it is faster.
  @_noLocks @_noAllocation private func take(_ dry: Samples, _ count: Int) {
    if gain.isMoving {
      for frame in 0..<count { unsafe sound[frame] = dry[clean: frame] * gain.value(after: frame + 1) }
    } else {
      let factor = gain.target
      for frame in 0..<count { unsafe sound[frame] = dry[clean: frame] * factor }
    }
  }

  /// Turns peaks into decibels above the ceiling.
  @_noLocks @_noAllocation private func measureExcess(_ count: Int) {
    if ceiling.isMoving {
      for frame in 0..<count {
        let above = unsafe Decibels.quickLevel(gains[frame]) - ceiling.value(after: frame + 1)
        unsafe gains[frame] = max(above + Self.guardBand, 0)
      }
    } else {
      let edge = ceiling.target - Self.guardBand
      for frame in 0..<count { unsafe gains[frame] = max(Decibels.quickLevel(gains[frame]) - edge, 0) }
    }
  }

  /// Works on a stretch of frames.
  ///
  /// - Returns: the largest reduction.
  @_noLocks @_noAllocation private mutating func work(_ block: Block) -> Float {
    let count = block.frameCount, source = block.input(), sink = block.output()
    unsafe rt_clear_floats(gains, count)
    var isAbove = false
    // What lies below the ceiling throughout need not be known.
    let floor = Decibels.quickAmplitude(
      min(ceiling.value(after: 1), ceiling.value(after: count)) - Self.guardBand - 0.01)
    for channel in 0..<channelCount {
      take(source[channel], count)
      unsafe lines[channel].write(sound, count: count)
      if unsafe truePeak.raise(gains, count: count, by: lines[channel], above: floor) { isAbove = true }
    }
    var most: Float = 0
    if isAbove || !slope.isZero { most = shape(count) } else { follower.skip(count) }
    for channel in 0..<channelCount {
      let wet = sink[channel]
      unsafe lines[channel].read(sound, delay: latency + count, count: count)
      if most > 0 {
        for frame in 0..<count { wet[frame] = unsafe sound[frame] * gains[frame] }
      } else {
        unsafe rt_copy_floats(wet.unsafeBase, sound, count)
      }
    }
    gain.skip(count)
    ceiling.skip(count)
    return most
  }

  /// Turns peaks into factors.
  ///
  /// Where nothing lies above the ceiling and the slope is zero, it can be left out: whatever is still on its
  /// way rounds to zero, and what comes next does not hang on it, as the follower goes up at once.
  ///
  /// - Returns: the largest reduction.
  @_noLocks @_noAllocation private mutating func shape(_ count: Int) -> Float {
    measureExcess(count)
    unsafe largest.run(gains, count: count)
    _ = unsafe follower.run(gains, count: count)
    unsafe slope.run(gains, count: count)
    // Apart from the factors, so that both are worked out for several frames at once.
    let most = unsafe Samples(gains, count: count).peak
    for frame in 0..<count { unsafe gains[frame] = Decibels.quickAmplitude(-gains[frame]) }
    return most
  }
}

@_noLocks @_noAllocation private func proof(_ unit: inout Limiter, _ block: Block) {
  unit.set(.ceiling, to: 0, over: 0)
  unit.reset()
  unit.process(block)
}
