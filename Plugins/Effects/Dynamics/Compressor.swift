// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// A compressor: attenuates loud passages, so that the whole signal can be amplified.
///
/// All channels get the same gain, computed from the loudest channel, so that the stereo image does not move. The gain
/// is computed and smoothed in decibels: attack and release are the times in which a change is 63 % complete. With the
/// RMS detector this applies to releases of 50 ms or more; shorter ones last longer, because of the average over 10 ms.
/// The signal is not delayed. 1 to 64 channels.
@safe public struct Compressor: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The level above which the signal is compressed, in dBFS.
    case threshold
    /// The compression ratio: the input change in decibels above the threshold that changes the output by 1 dB.
    case ratio
    /// The width of the knee around the threshold, in decibels.
    case knee
    /// The time in which a growing gain reduction is 63 % complete, in milliseconds.
    case attack
    /// The time in which a shrinking gain reduction is 63 % complete, in milliseconds.
    case release
    /// The gain after the compression, in decibels.
    case makeUp
    /// The level detection: 0 peak, 1 RMS.
    case detector
    /// Whether the level is taken from the side-chain bus.
    case sidechain
    /// The proportion of compressed signal in the output, in percent.
    case mix
  }

  private var detector: LevelDetector
  private var curve: GainCurve
  private var follower: GainFollower
  /// The release in milliseconds.
  private var release: Float
  private var makeUp: Ramp, mix: Ramp
  /// The levels, then the gain reductions, then the gain factors of a slice.
  private let gains: UnsafeMutablePointer<Float>

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
    let initial = Self.initial
    detector = LevelDetector(layout)
    release = initial.release
    detector.fit(release: release)
    curve = GainCurve(threshold: initial.threshold, ratio: initial.ratio, knee: initial.knee)
    follower = GainFollower(layout.sampleRate, rise: initial.attack, fall: initial.release)
    makeUp = Ramp(Decibels.amplitude(initial.makeUp))
    mix = Ramp(initial.mix / 100)
    unsafe gains = .allocate(capacity: LevelDetector.sliceLength)
    unsafe gains.initialize(repeating: 0, count: LevelDetector.sliceLength)
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
      release = value
      detector.fit(release: value)
      follower.fall.glide(to: detector.followingTime(release: release), over: frames)
    case .makeUp: makeUp.glide(to: Decibels.amplitude(value), over: frames)
    case .detector:
      detector.read(mean: value >= 0.5 ? 1 : 0, over: frames)
      follower.fall.glide(to: detector.followingTime(release: release), over: frames)
    case .sidechain: detector.setSource(aside: value, over: frames)
    case .mix: mix.glide(to: value / 100, over: frames)
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
  /// - Returns: the largest gain reduction, in decibels.
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

@_noLocks @_noAllocation private func proof(_ effect: inout Compressor, _ block: Block) {
  effect.set(.threshold, to: 0, over: 0)
  effect.reset()
  effect.process(block)
}
