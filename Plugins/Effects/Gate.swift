// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// Makes soft passages softer: a gate that shuts out noise, or an expander that pushes it back.
///
/// Open, it changes nothing. It opens where the level reaches the threshold, and closes once the level has
/// stayed below threshold less hysteresis for the hold. Closed, each decibel below the threshold becomes as
/// many as the ratio says, down to the range. All channels get one gain, made of the loudest. Nothing is
/// delayed. Any number of channels from 1 to 64.
@safe public struct Gate: Effect, ~Copyable {
  /// The numbers of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The level in dBFS at which it opens.
    case threshold
    /// How many decibels below the threshold it closes.
    case hysteresis
    /// How many decibels each one below the threshold becomes.
    case ratio
    /// How many decibels it takes away at the most.
    case range
    /// In how many milliseconds 63 % of the way open are done.
    case attack
    /// For how many milliseconds the level has to stay low before it closes.
    case hold
    /// In how many milliseconds 63 % of the way closed are done.
    case release
    /// Whether the level is that of the side-chain bus.
    case sidechain
  }

  private let sampleRate: Double
  private var detector: LevelDetector
  private var trigger = Trigger()
  private var follower: GainFollower
  private var threshold: Ramp, hysteresis: Ramp, slope: Ramp, range: Ramp
  private var hold: Float
  /// Levels, then reductions of a stretch of frames.
  private let gains: UnsafeMutablePointer<Float>

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
    let initial = Self.initial
    sampleRate = layout.sampleRate
    detector = LevelDetector(layout)
    detector.fit(release: initial.release)
    follower = GainFollower(
      layout.sampleRate, rise: initial.release, fall: initial.attack, reduction: initial.range)
    threshold = Ramp(initial.threshold)
    hysteresis = Ramp(initial.hysteresis)
    slope = Ramp(initial.ratio - 1)
    range = Ramp(initial.range)
    hold = initial.hold
    unsafe gains = .allocate(capacity: LevelDetector.stretch)
    unsafe gains.initialize(repeating: 0, count: LevelDetector.stretch)
  }

  deinit { unsafe gains.deallocate() }

  @_noLocks @_noAllocation public mutating func reset() {
    detector.reset()
    trigger = Trigger()
    threshold.finish()
    hysteresis.finish()
    slope.finish()
    range.finish()
    // As after a long silence: closed, if it closes at all.
    follower.reset(to: closed(Decibels.quickLevel(0), after: 0))
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .threshold: threshold.glide(to: value, over: frames)
    case .hysteresis: hysteresis.glide(to: value, over: frames)
    case .ratio: slope.glide(to: value - 1, over: frames)
    case .range: range.glide(to: value, over: frames)
    case .attack: follower.fall.glide(to: value, over: frames)
    case .hold: hold = value
    case .release:
      follower.rise.glide(to: value, over: frames)
      detector.fit(release: value)
    case .sidechain: detector.listen(aside: value, over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    var start = 0, most: Float = 0
    while start < block.frameCount {
      let count = min(LevelDetector.stretch, block.frameCount - start)
      most = max(most, work(block.slice(from: start, count: count)))
      start += count
    }
    block.show(most, on: 0)
  }

  /// Works on a stretch of frames.
  ///
  /// - Returns: the largest reduction.
  @_noLocks @_noAllocation private mutating func work(_ block: Block) -> Float {
    let count = block.frameCount, source = block.input(), sink = block.output()
    // The level stays up for the detector's window by itself.
    let held = max(Int(Double(hold) * sampleRate / 1000) - detector.windowLength, 0)
    unsafe detector.read(block, into: gains)
    for frame in 0..<count {
      let upper = threshold.value(after: frame + 1), level = unsafe gains[frame]
      let isOpen = trigger.next(
        level, upper: upper, lower: upper - hysteresis.value(after: frame + 1), hold: held)
      unsafe gains[frame] = isOpen ? 0 : closed(level, after: frame + 1)
    }
    threshold.skip(count)
    hysteresis.skip(count)
    slope.skip(count)
    range.skip(count)
    let most = unsafe follower.run(gains, count: count)
    for frame in 0..<count { unsafe gains[frame] = Decibels.quickAmplitude(-gains[frame]) }
    for channel in 0..<sink.channelCount {
      let dry = source[channel], wet = sink[channel]
      for frame in 0..<count { wet[frame] = unsafe dry[clean: frame] * gains[frame] }
    }
    return most
  }

  /// How much is taken away at `level` while it is closed, so many frames from now.
  @_noLocks @_noAllocation @inline(__always)
  private func closed(_ level: Float, after frames: Int) -> Float {
    min(
      range.value(after: frames), slope.value(after: frames) * max(threshold.value(after: frames) - level, 0))
  }
}

@_noLocks @_noAllocation private func proof(_ unit: inout Gate, _ block: Block) {
  unit.set(.threshold, to: 0, over: 0)
  unit.reset()
  unit.process(block)
}
