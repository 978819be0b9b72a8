// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// Makes room: lowers sound for as long as the side-chain is loud. Music under a voice.
///
/// Two buses come in: the sound, and what it makes room for. While the level of the side-chain reaches the
/// threshold, and for the hold after, all channels go down by the depth. With look-ahead the sound is
/// delayed, so that it is down when the voice begins; the latency says by how much. Any number of channels
/// from 1 to 64, and as many on the side-chain.
@safe public struct Ducker: Effect, ~Copyable {
  /// The numbers of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The level of the side-chain in dBFS from which room is made.
    case threshold
    /// By how many decibels.
    case depth
    /// In how many milliseconds 63 % of the way down are done.
    case attack
    /// For how many milliseconds the side-chain has to stay soft before the sound comes back.
    case hold
    /// In how many milliseconds 63 % of the way up are done.
    case release
    /// By how many milliseconds the sound is delayed, to the nearest frame.
    case lookAhead
  }

  private static var stretch: Int { @_noLocks @_noAllocation get { LevelDetector.stretch } }

  private let sampleRate: Double
  private let channelCount: Int
  private var detector: LevelDetector
  private var trigger = Trigger()
  private var follower: GainFollower
  private var threshold: Ramp, depth: Ramp
  private var hold: Float
  private let lines: UnsafeMutablePointer<DelayLine>
  /// Where the lines are read: a stretch more than the look-ahead, so that none of it is yet to be written.
  private var points: ReadPoints
  /// Levels, reductions, factors; the sound from one read point; the sound from the other.
  private let gains: UnsafeMutablePointer<Float>
  private let sound: UnsafeMutablePointer<Float>, second: UnsafeMutablePointer<Float>

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
    let initial = Self.initial, stretch = Self.stretch
    sampleRate = layout.sampleRate
    channelCount = layout.outputs.first ?? 1
    detector = LevelDetector(layout, aside: 1)
    detector.fit(release: initial.release)
    follower = GainFollower(layout.sampleRate, rise: initial.attack, fall: initial.release)
    threshold = Ramp(initial.threshold)
    depth = Ramp(initial.depth)
    hold = initial.hold
    unsafe lines = .allocate(capacity: channelCount)
    let longest = ReadPoints.frames(Double(Self.longestLookAhead), sampleRate) + stretch
    for channel in 0..<channelCount { unsafe (lines + channel).initialize(to: DelayLine(longest: longest)) }
    points = ReadPoints(
      delay: stretch + ReadPoints.frames(Double(initial.lookAhead), sampleRate),
      longestFade: Int(0.05 * sampleRate))
    unsafe gains = .allocate(capacity: 3 * stretch)
    unsafe gains.initialize(repeating: 0, count: 3 * stretch)
    unsafe sound = unsafe gains + stretch
    unsafe second = unsafe sound + stretch
  }

  deinit {
    unsafe lines.deinitialize(count: channelCount)
    unsafe lines.deallocate()
    unsafe gains.deallocate()
  }

  public var latency: Int { @_noLocks @_noAllocation get { points.target - Self.stretch } }

  /// While a new look-ahead fades in, the longer of the two.
  public var tail: Int { @_noLocks @_noAllocation get { max(points.delay, points.target) - Self.stretch } }

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
      points.glide(to: Self.stretch + ReadPoints.frames(Double(value), sampleRate), over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    var start = 0, most: Float = 0
    while start < block.frameCount {
      let count = points.begin(min(Self.stretch, block.frameCount - start))
      let part = block.slice(from: start, count: count)
      most = max(most, listen(part))
      for channel in 0..<channelCount { lower(part, channel) }
      points.advance(count)
      start += count
    }
    block.show(most, on: 0)
  }

  /// Makes the factors of a stretch of frames.
  ///
  /// - Returns: the largest reduction.
  @_noLocks @_noAllocation private mutating func listen(_ block: Block) -> Float {
    let count = block.frameCount
    // The level stays up for the detector's window by itself.
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

  /// Delays and lowers a stretch of frames of one channel.
  @_noLocks @_noAllocation private mutating func lower(_ block: Block, _ channel: Int) {
    let count = block.frameCount, dry = block.input()[channel], wet = block.output()[channel]
    for frame in 0..<count { unsafe sound[frame] = dry[clean: frame] }
    unsafe lines[channel].write(sound, count: count)
    unsafe points.read(lines[channel], sound, count: count, other: second, shift: count - Self.stretch)
    for frame in 0..<count { wet[frame] = unsafe sound[frame] * gains[frame] }
  }
}

@_noLocks @_noAllocation private func proof(_ unit: inout Ducker, _ block: Block) {
  unit.set(.threshold, to: 0, over: 0)
  unit.reset()
  unit.process(block)
}
