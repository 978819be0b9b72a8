// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// A gate or downward expander: attenuates soft passages, such as noise.
///
/// The open gate changes nothing. The gate opens when the level reaches the threshold, and closes when the level has
/// stayed below threshold minus hysteresis for the hold time. While it is closed, each decibel below the threshold
/// becomes as many decibels as the ratio, down to the range. All channels get the same gain, computed from the loudest
/// channel. The signal is not delayed. 1 to 64 channels.
@safe public struct Gate: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The level at which the gate opens, in dBFS.
    case threshold
    /// The distance from the threshold down to the level at which the gate closes, in decibels.
    case hysteresis
    /// The expansion ratio: the change of the output for each decibel of input below the threshold.
    case ratio
    /// The maximum attenuation, in decibels.
    case range
    /// The time in which opening is 63 % complete, in milliseconds.
    case attack
    /// The time for which the level must stay low before the gate closes, in milliseconds.
    case hold
    /// The time in which closing is 63 % complete, in milliseconds.
    case release
    /// Whether the level is taken from the side-chain bus.
    case sidechain
  }

  private let sampleRate: Double
  private var detector: LevelDetector
  private var trigger = Trigger()
  private var follower: GainFollower
  private var threshold: Ramp, hysteresis: Ramp, slope: Ramp, range: Ramp
  private var hold: Float
  /// The levels, then the reductions, then the gain factors of a slice.
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
    unsafe gains = .allocate(capacity: LevelDetector.sliceLength)
    unsafe gains.initialize(repeating: 0, count: LevelDetector.sliceLength)
  }

  deinit { unsafe gains.deallocate() }

  @_noLocks @_noAllocation public mutating func reset() {
    detector.reset()
    trigger = Trigger()
    threshold.finish()
    hysteresis.finish()
    slope.finish()
    range.finish()
    // The state after a long silence: closed.
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
    case .sidechain: detector.setSource(aside: value, over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    var start = 0, most: Float = 0
    while start < block.frameCount {
      let count = min(LevelDetector.sliceLength, block.frameCount - start)
      most = max(most, work(block.slice(from: start, count: count)))
      start += count
    }
    block.show(most, on: 0)
  }

  /// Processes a slice.
  ///
  /// - Returns: the largest reduction, in decibels.
  @_noLocks @_noAllocation private mutating func work(_ block: Block) -> Float {
    let count = block.frameCount, source = block.input(), sink = block.output()
    // The detector itself already holds the level for the length of its window.
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

  /// Returns the reduction of the closed gate at `level`, `frames` frames from now.
  @_noLocks @_noAllocation @inline(__always)
  private func closed(_ level: Float, after frames: Int) -> Float {
    min(
      range.value(after: frames), slope.value(after: frames) * max(threshold.value(after: frames) - level, 0))
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Gate, _ block: Block) {
  effect.set(.threshold, to: 0, over: 0)
  effect.reset()
  effect.process(block)
}
