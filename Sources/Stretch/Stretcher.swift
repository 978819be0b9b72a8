// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Plays sound faster or slower, higher or lower, piece by piece. Samples lie channel beside channel.
///
/// A ``StretchEngine`` makes it longer or shorter. What it made is then resampled at the ratio of the piece:
/// so nothing drifts, however pitch and speed move, and frame n of what comes out is frame n of what went in,
/// times the speed. Changes take effect from piece to piece, and glide within the first hundredth of a second
/// of one.
///
/// One thread at a time uses it; never the audio thread.
package final class Stretcher {
  /// The most channels that it takes.
  package static let mostChannels = 16

  /// How many channels a frame has.
  package let channelCount: Int
  /// How many frames of sound wait at most in a prompt one, at its own speed, before they come out.
  package var lag: Int { work.lag }
  private let work: any StretchWork
  private let resampler: VariableResampler
  private let isPrompt: Bool
  private var batch: [Float]
  private var now: Stretch
  /// Whether sound has been made longer or shorter: until then the engine has nothing to do.
  private var isStretching = false
  /// At what ratio the next frames are resampled.
  private var ratio = 1.0
  private static let batchFrames = 4096

  /// A stretcher in which no sound is. Nil for more than ``mostChannels`` channels, for an engine that is not
  /// built or does not work at the rate, or where the libraries have no memory left.
  ///
  /// - Parameters:
  ///   - channelCount: 1 or more.
  ///   - sampleRate: frames a second.
  ///   - stretch: what it starts with.
  ///   - engine: what makes sound longer or shorter.
  ///   - isPrompt: whether no more than ``lag`` frames of sound wait in it, whatever the pitch; else its
  ///     pieces are as long as sounds best.
  ///   - isBest: whether it resamples as well as can be, for work offline.
  package init?(
    channelCount: Int, sampleRate: Double, _ stretch: Stretch = Stretch(), engine: StretchEngine = .fast,
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

  /// What it does from the next piece on.
  package var stretch: Stretch {
    get { now }
    set {
      guard newValue != now else { return }
      now = newValue
      apply()
    }
  }

  /// Whether a change is meant for the sound that is heard next, as it is unless told otherwise; else for that which
  /// is pushed next, however much waits before it: so where the speed moves all the time nothing is early or late.
  package var isSteady: Bool {
    get { work.isSteady }
    set { work.isSteady = newValue }
  }

  private func apply() {
    ratio = work.change(to: now)
    if now.speed != now.ratio || isPrompt { isStretching = true }
    if !isStretching { ratio = 1 / (now.ratio * now.varispeed) }
  }

  /// Takes `count` frames in.
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

  /// Gives up to `count` frames out, and tells how many.
  package func pull(into frames: UnsafeMutablePointer<Float>, count: Int) -> Int {
    resampler.pull(into: frames, count: count)
  }
}
