// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// A true-peak limiter: keeps the signal, including the peaks between samples, below a ceiling.
///
/// The signal is delayed by a little less than 2 ms, in which the gain decreases smoothly, so that it is low when the
/// peak arrives; the latency is constant. No sample exceeds the ceiling. The true peak (ITU-R BS.1770) exceeds it by at
/// most 0.1 dB for signals up to 0.45 of the sample rate (21.6 kHz at 48 kHz), and for any signal on meters whose
/// interpolation filter is as short as the example in the standard. A lowered ceiling takes effect one latency later. All channels get the same gain, computed
/// from the loudest channel. 1 to 64 channels.
@safe public struct Limiter: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The gain before the limiter, in decibels.
    case gain
    /// The maximum true peak of the output, in dBTP.
    case ceiling
    /// The time in which a shrinking reduction is 63 % complete, in milliseconds.
    case release
  }

  /// The number of frames in a slice.
  private static var sliceLength: Int { @_noLocks @_noAllocation get { 64 } }
  /// The time in which the gain decreases, in seconds. The latency is 91 frames at 48 kHz.
  private static var lookAhead: Double { 0.00142 }
  /// The safety margin below the ceiling, in decibels: for rounding errors, and for peaks that rise because the gain
  /// changes under them.
  private static var guardBand: Float { @_noLocks @_noAllocation get { 0.05 } }

  /// The latency in frames.
  public let latency: Int
  private let channelCount: Int
  private let lines: UnsafeMutablePointer<DelayLine>
  private let truePeak: TruePeak
  /// The largest required reduction of the frames in the look-ahead.
  private var largest: SlidingMaximum
  private var follower: GainFollower
  /// Turns a step of the reduction into a linear slope that ends when the peak arrives. The mean of reductions that are
  /// all sufficient is sufficient.
  private var slope: MovingAverage
  private var gain: Ramp, ceiling: Ramp
  /// The peaks, then the reductions, then the gain factors of a slice; the signal of one channel.
  private let gains: UnsafeMutablePointer<Float>, sound: UnsafeMutablePointer<Float>

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
    let initial = Self.initial, sliceLength = Self.sliceLength
    let down = max(Int(Self.lookAhead * layout.sampleRate), 1)
    // The gain stays at its minimum for all samples that shape the peak. The true-peak value of a frame is delayed by
    // `TruePeak.reach` frames, and applies from `reach` frames before that frame to `reach` frames after it.
    let flat = 2 * TruePeak.reach
    latency = TruePeak.reach + down - 1 + flat / 2
    channelCount = layout.outputs.first ?? 1
    unsafe lines = .allocate(capacity: channelCount)
    let longest = sliceLength + max(latency, TruePeak.history)
    for channel in 0..<channelCount { unsafe (lines + channel).initialize(to: DelayLine(longest: longest)) }
    truePeak = TruePeak(longest: sliceLength)
    largest = SlidingMaximum(length: down + flat, longest: down + flat)
    follower = GainFollower(layout.sampleRate, rise: 0, fall: initial.release)
    slope = MovingAverage(length: down)
    gain = Ramp(Decibels.amplitude(initial.gain))
    ceiling = Ramp(initial.ceiling)
    unsafe gains = .allocate(capacity: 2 * sliceLength)
    unsafe gains.initialize(repeating: 0, count: 2 * sliceLength)
    unsafe sound = unsafe gains + sliceLength
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
      let count = min(Self.sliceLength, block.frameCount - start)
      most = max(most, work(block.slice(from: start, count: count)))
      start += count
    }
    block.show(most, on: 0)
  }

  /// Copies a channel's signal, with the gain applied. A constant gain has a loop of its own, which is faster.
  @_noLocks @_noAllocation private func take(_ dry: Samples, _ count: Int) {
    if gain.isMoving {
      for frame in 0..<count { unsafe sound[frame] = dry[clean: frame] * gain.value(after: frame + 1) }
    } else {
      let factor = gain.target
      for frame in 0..<count { unsafe sound[frame] = dry[clean: frame] * factor }
    }
  }

  /// Replaces peaks by decibels above the ceiling.
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

  /// Processes a slice.
  ///
  /// - Returns: the largest reduction, in decibels.
  @_noLocks @_noAllocation private mutating func work(_ block: Block) -> Float {
    let count = block.frameCount, source = block.input(), sink = block.output()
    unsafe rt_clear_floats(gains, count)
    var isAbove = false
    // Peaks that are below the ceiling in the whole slice need not be computed.
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

  /// Replaces peaks by gain factors.
  ///
  /// The call can be skipped if no peak exceeds the ceiling and the slope is zero: any remaining reduction rounds to
  /// zero, and later reductions do not depend on it, as the follower rises at once.
  ///
  /// - Returns: the largest reduction, in decibels.
  @_noLocks @_noAllocation private mutating func shape(_ count: Int) -> Float {
    measureExcess(count)
    unsafe largest.run(gains, count: count)
    _ = unsafe follower.run(gains, count: count)
    unsafe slope.run(gains, count: count)
    // In a loop apart from the factors, so that both loops are vectorised.
    let most = unsafe Samples(gains, count: count).peak
    for frame in 0..<count { unsafe gains[frame] = Decibels.quickAmplitude(-gains[frame]) }
    return most
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Limiter, _ block: Block) {
  effect.set(.ceiling, to: 0, over: 0)
  effect.reset()
  effect.process(block)
}
