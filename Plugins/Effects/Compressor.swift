// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// Makes loud passages softer, so that all of it can be louder.
///
/// All channels get one gain, made of the loudest, so that the image stands still. The gain is computed and
/// smoothed in decibels: attack and release are the times in which 63 % of a change are done. Nothing is
/// delayed. Any number of channels from 1 to 64.
@safe public struct Compressor: Effect, ~Copyable {
  /// The numbers of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The level in dBFS from which sound is made softer.
    case threshold
    /// How many decibels above the threshold become one.
    case ratio
    /// Over how many decibels around the threshold the curve bends.
    case knee
    /// In how many milliseconds 63 % of a growing reduction are done.
    case attack
    /// In how many milliseconds 63 % of a shrinking reduction are done.
    case release
    /// The level behind it, in decibels.
    case makeUp
    /// How the level is measured: peak (0) or RMS (1).
    case detector
    /// Whether the level is that of the side-chain bus.
    case sidechain
    /// How much of what comes out is compressed, in percent.
    case mix
  }

  private var detector: LevelDetector
  private var curve: GainCurve
  private var follower: GainFollower
  private var makeUp: Ramp, mix: Ramp
  /// Levels, then reductions, then factors of a stretch of frames.
  private let gains: UnsafeMutablePointer<Float>

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
    let initial = Self.initial
    detector = LevelDetector(layout)
    detector.fit(release: initial.release)
    curve = GainCurve(threshold: initial.threshold, ratio: initial.ratio, knee: initial.knee)
    follower = GainFollower(layout.sampleRate, rise: initial.attack, fall: initial.release)
    makeUp = Ramp(Decibels.amplitude(initial.makeUp))
    mix = Ramp(initial.mix / 100)
    unsafe gains = .allocate(capacity: LevelDetector.stretch)
    unsafe gains.initialize(repeating: 0, count: LevelDetector.stretch)
  }

  deinit { unsafe gains.deallocate() }

  @_noLocks @_noAllocation public mutating func reset() {
    detector.reset()
    curve.finish()
    follower.reset()
    makeUp.finish()
    mix.finish()
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .threshold: curve.threshold.glide(to: value, over: frames)
    case .ratio: curve.slope.glide(to: GainCurve.slope(value), over: frames)
    case .knee: curve.knee.glide(to: value, over: frames)
    case .attack: follower.rise.glide(to: value, over: frames)
    case .release:
      follower.fall.glide(to: value, over: frames)
      detector.fit(release: value)
    case .makeUp: makeUp.glide(to: Decibels.amplitude(value), over: frames)
    case .detector: detector.read(mean: value >= 0.5)
    case .sidechain: detector.listen(aside: value, over: frames)
    case .mix: mix.glide(to: value / 100, over: frames)
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
    unsafe detector.read(block, into: gains)
    unsafe curve.run(gains, count: count)
    let most = unsafe follower.run(gains, count: count)
    if makeUp.isMoving || mix.isMoving {
      for frame in 0..<count {
        let level = makeUp.value(after: frame + 1), amount = mix.value(after: frame + 1)
        unsafe gains[frame] = 1 - amount + amount * level * Decibels.quickAmplitude(-gains[frame])
      }
      makeUp.skip(count)
      mix.skip(count)
    } else {
      let dry = 1 - mix.target, wet = mix.target * makeUp.target
      for frame in 0..<count { unsafe gains[frame] = dry + wet * Decibels.quickAmplitude(-gains[frame]) }
    }
    for channel in 0..<sink.channelCount {
      let dry = source[channel], wet = sink[channel]
      for frame in 0..<count { wet[frame] = unsafe dry[clean: frame] * gains[frame] }
    }
    return most
  }
}

@_noLocks @_noAllocation private func proof(_ unit: inout Compressor, _ block: Block) {
  unit.set(.threshold, to: 0, over: 0)
  unit.reset()
  unit.process(block)
}
