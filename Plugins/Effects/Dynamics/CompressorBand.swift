// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The gain computer of one band of a multiband compressor.
@safe struct CompressorBand: ~Copyable {
  /// The threshold, ratio and knee.
  var curve: GainCurve
  /// The attack (`rise`) and release (`fall`).
  var follower: GainFollower
  /// The gain after the compression, as a factor.
  var gain: Ramp
  private let sampleRate: Double
  private var window: SlidingMaximum

  /// Creates a band at rest.
  init(
    _ sampleRate: Double, threshold: Float, ratio: Float, knee: Float, attack: Float, release: Float,
    gain: Float
  ) {
    self.sampleRate = sampleRate
    curve = GainCurve(threshold: threshold, ratio: ratio, knee: knee)
    follower = GainFollower(sampleRate, rise: attack, fall: release)
    self.gain = Ramp(Decibels.amplitude(gain))
    window = SlidingMaximum(
      length: LevelDetector.windowLength(release: release, sampleRate),
      longest: LevelDetector.windowLength(release: .infinity, sampleRate))
  }

  /// Sets the release time, in milliseconds.
  @_noLocks @_noAllocation mutating func setRelease(_ milliseconds: Float, over frames: Int) {
    follower.fall.glide(to: milliseconds, over: frames)
    window.resize(LevelDetector.windowLength(release: milliseconds, sampleRate))
  }

  /// Clears all state and finishes all glides.
  @_noLocks @_noAllocation mutating func reset() {
    window.clear()
    curve.finish()
    follower.reset()
    gain.finish()
  }

  /// Replaces `count` magnitudes, 0 or more, by gain factors.
  ///
  /// - Returns: the largest gain reduction, in decibels.
  @_noLocks @_noAllocation @unsafe
  mutating func run(_ samples: UnsafeMutablePointer<Float>, count: Int) -> Float {
    unsafe window.run(samples, count: count)
    for frame in 0..<count { unsafe samples[frame] = Decibels.quickLevel(samples[frame]) }
    unsafe curve.run(samples, count: count)
    let most = unsafe follower.run(samples, count: count)
    for frame in 0..<count {
      unsafe samples[frame] = gain.value(after: frame + 1) * Decibels.quickAmplitude(-samples[frame])
    }
    gain.skip(count)
    return most
  }
}
