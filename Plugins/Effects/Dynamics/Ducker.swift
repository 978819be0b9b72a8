// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// A ducker: lowers the signal while the side-chain is above the threshold, such as music under a voice.
///
/// It has two input buses: the signal and the side-chain. While the level of the side-chain reaches the threshold, and
/// for the hold time after, all channels are attenuated by the depth. With look-ahead the signal is delayed, so that it
/// is already lowered when the voice begins; the delay is the effect's latency. 1 to 64 channels, and as many on the
/// side-chain.
@safe public struct Ducker: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The level of the side-chain above which the signal is lowered, in dBFS.
    case threshold
    /// The attenuation, in decibels.
    case depth
    /// The time in which the attenuation is 63 % complete, in milliseconds.
    case attack
    /// The time for which the side-chain must stay below the threshold before the signal is restored, in milliseconds.
    case hold
    /// The time in which the release is 63 % complete, in milliseconds.
    case release
    /// The delay of the signal, in milliseconds, rounded to frames.
    case lookAhead
  }

  private static var sliceLength: Int { @_noLocks @_noAllocation get { LevelDetector.sliceLength } }

  private let sampleRate: Double
  private let channelCount: Int
  private var detector: LevelDetector
  private var trigger = Trigger()
  private var follower: GainFollower
  private var threshold: Ramp, depth: Ramp
  private var hold: Float
  private let lines: UnsafeMutablePointer<DelayLine>
  /// The read points of the lines: the look-ahead plus one slice, so that all frames of a slice are written before they
  /// are read.
  private var points: ReadPoints
  /// Slices: levels, reductions, then gain factors; the signal at one read point; the signal at the other.
  private let gains: UnsafeMutablePointer<Float>
  private let sound: UnsafeMutablePointer<Float>, second: UnsafeMutablePointer<Float>

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
    let initial = Self.initial, sliceLength = Self.sliceLength
    sampleRate = layout.sampleRate
    channelCount = layout.outputs.first ?? 1
    detector = LevelDetector(layout, aside: 1)
    detector.fit(release: initial.release)
    follower = GainFollower(layout.sampleRate, rise: initial.attack, fall: initial.release)
    threshold = Ramp(initial.threshold)
    depth = Ramp(initial.depth)
    hold = initial.hold
    unsafe lines = .allocate(capacity: channelCount)
    let longest = ReadPoints.frames(Double(Self.longestLookAhead), sampleRate) + sliceLength
    for channel in 0..<channelCount { unsafe (lines + channel).initialize(to: DelayLine(longest: longest)) }
    points = ReadPoints(
      delay: sliceLength + ReadPoints.frames(Double(initial.lookAhead), sampleRate),
      longestFade: Int(0.05 * sampleRate))
    unsafe gains = .allocate(capacity: 3 * sliceLength)
    unsafe gains.initialize(repeating: 0, count: 3 * sliceLength)
    unsafe sound = unsafe gains + sliceLength
    unsafe second = unsafe sound + sliceLength
  }

  deinit {
    unsafe lines.deinitialize(count: channelCount)
    unsafe lines.deallocate()
    unsafe gains.deallocate()
  }

  public var latency: Int { @_noLocks @_noAllocation get { points.target - Self.sliceLength } }

  /// The gain acts on the delayed signal.
  @_noLocks @_noAllocation public func latency(before parameter: Parameter) -> Int {
    parameter == .depth ? latency : 0
  }

  /// The look-ahead; the longer one during a crossfade to a new look-ahead.
  public var tail: Int {
    @_noLocks @_noAllocation get { max(points.delay, points.target) - Self.sliceLength }
  }

  @_noLocks @_noAllocation public mutating func reset() {
    for channel in 0..<channelCount { unsafe lines[channel].clear() }
    detector.reset()
    trigger = Trigger()
    follower.reset()
    threshold.finish()
    depth.finish()
    points.arrive()
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .threshold: threshold.glide(to: value, over: frames)
    case .depth: depth.glide(to: value, over: frames)
    case .attack: follower.rise.glide(to: value, over: frames)
    case .hold: hold = value
    case .release:
      follower.fall.glide(to: value, over: frames)
      detector.fit(release: value)
    case .lookAhead:
      points.glide(to: Double(value) * sampleRate / 1000 + Double(Self.sliceLength), over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    var start = 0, most: Float = 0
    while start < block.frameCount {
      let count = points.begin(min(Self.sliceLength, block.frameCount - start))
      let part = block.slice(from: start, count: count)
      most = max(most, computeGains(part))
      for channel in 0..<channelCount { lower(part, channel) }
      points.advance(count)
      start += count
    }
    block.show(most, on: 0)
  }

  /// Computes the gain factors of a slice.
  ///
  /// - Returns: the largest gain reduction, in decibels.
  @_noLocks @_noAllocation private mutating func computeGains(_ block: Block) -> Float {
    let count = block.frameCount
    // The detector itself already holds the level for the length of its window.
    let held = max(Int(Double(hold) * sampleRate / 1000) - detector.windowLength, 0)
    unsafe detector.read(block, into: gains)
    for frame in 0..<count {
      let start = threshold.value(after: frame + 1)
      let isLoud = unsafe trigger.next(gains[frame], upper: start, lower: start, hold: held)
      unsafe gains[frame] = isLoud ? depth.value(after: frame + 1) : 0
    }
    threshold.skip(count)
    depth.skip(count)
    let most = unsafe follower.run(gains, count: count)
    for frame in 0..<count { unsafe gains[frame] = Decibels.quickAmplitude(-gains[frame]) }
    return most
  }

  /// Delays and attenuates a slice of one channel.
  @_noLocks @_noAllocation private mutating func lower(_ block: Block, _ channel: Int) {
    let count = block.frameCount, dry = block.input()[channel], wet = block.output()[channel]
    for frame in 0..<count { unsafe sound[frame] = dry[clean: frame] }
    unsafe lines[channel].write(sound, count: count)
    unsafe points.read(lines[channel], sound, count: count, other: second, shift: count - Self.sliceLength)
    for frame in 0..<count { wet[frame] = unsafe sound[frame] * gains[frame] }
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Ducker, _ block: Block) {
  effect.set(.threshold, to: 0, over: 0)
  effect.reset()
  effect.process(block)
}
