// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Changes the speed and pitch of sound, slice by slice. Samples are interleaved.
///
/// A ``StretchAlgorithm`` changes the duration. Its output is then resampled at the slice's ratio. So nothing drifts,
/// however pitch and speed change: output frame n corresponds to input frame n times the speed. Changes take effect at
/// slice boundaries, and glide within the first 10 ms of a slice.
///
/// One thread at a time; never the audio thread.
package final class Stretcher {
  /// The maximum number of channels.
  package static let mostChannels = 16

  /// The number of channels.
  package let channelCount: Int
  /// The maximum number of frames that wait in a prompt stretcher at speed 1 before they come out.
  package var lag: Int { work.lag }
  private let work: any StretchWork
  private let resampler: VariableResampler
  private let isPrompt: Bool
  private var batch: [Float]
  private var now: Stretch
  /// Whether the algorithm is in use. Until the duration or pitch changes, only the resampler runs.
  private var isStretching = false
  /// The resampling ratio for the next frames.
  private var ratio = 1.0
  private static let batchFrames = 4096

  /// Creates an empty stretcher. Returns nil for more than ``mostChannels`` channels, for an algorithm that is not
  /// built or does not support the rate, or if a library has no memory.
  ///
  /// - Parameters:
  ///   - channelCount: The number of channels, 1 or more.
  ///   - sampleRate: The sample rate in Hz.
  ///   - stretch: The initial speed and pitch.
  ///   - engine: The algorithm that changes the duration.
  ///   - isPrompt: Whether at most ``lag`` frames wait in the stretcher, at any pitch; otherwise the algorithm's
  ///     segments are as long as sounds best.
  ///   - isBest: Whether to resample at the highest quality, for offline work.
  package init?(
    channelCount: Int, sampleRate: Double, _ stretch: Stretch = Stretch(), engine: StretchAlgorithm = .fast,
    isPrompt: Bool = false, isBest: Bool = false
  ) {
    guard 1...Stretcher.mostChannels ~= channelCount,
      let work = engine.makeWork(channelCount: channelCount, sampleRate: sampleRate, isPrompt: isPrompt),
      let resampler = VariableResampler(
        channelCount: channelCount, glide: Int(sampleRate / 100), isBest: isBest)
    else { return nil }
    self.channelCount = channelCount
    self.work = work
    self.resampler = resampler
    self.isPrompt = isPrompt
    batch = [Float](repeating: 0, count: Stretcher.batchFrames * channelCount)
    now = stretch
    apply()
    resampler.start(at: ratio)
  }

  /// The speed and pitch from the next slice on.
  package var stretch: Stretch {
    get { now }
    set {
      guard newValue != now else { return }
      now = newValue
      apply()
    }
  }

  /// Whether a change applies to the sound that is heard next (the default). Otherwise it applies to the sound that is
  /// pushed next, however much sound waits before it, so that a continuously changing speed is neither early nor late.
  package var isSteady: Bool {
    get { work.isSteady }
    set { work.isSteady = newValue }
  }

  private func apply() {
    ratio = work.change(to: now)
    if now.speed != now.ratio || isPrompt { isStretching = true }
    if !isStretching { ratio = 1 / (now.ratio * now.varispeed) }
  }

  /// Pushes `count` frames.
  package func push(_ frames: UnsafePointer<Float>, count: Int) {
    guard count > 0 else { return }
    guard isStretching else {
      resampler.push(frames, count: count, ratio: ratio)
      return
    }
    work.push(frames, count: count)
    while true {
      let got = work.pull(into: &batch, count: Stretcher.batchFrames)
      guard got > 0 else { return }
      resampler.push(batch, count: got, ratio: work.ratio)
    }
  }

  /// Pulls up to `count` frames, and returns their number.
  package func pull(into frames: UnsafeMutablePointer<Float>, count: Int) -> Int {
    resampler.pull(into: frames, count: count)
  }
}
