// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSoundTouch

/// Plays sound faster or slower, higher or lower, piece by piece. Samples lie channel beside channel.
///
/// SoundTouch makes it longer or shorter: it lays pieces of some hundredths of a second over each other where
/// they fit. What it made is then resampled, always at the ratio of the speed at which it was made: so
/// nothing drifts, however pitch and speed move, and frame n of what comes out is frame n of what went in,
/// times the speed. Changes take effect from piece to piece, and glide within the first hundredth of a second
/// of one.
///
/// One thread at a time uses it; never the audio thread.
public final class Stretcher {
  /// The most channels that SoundTouch takes.
  public static let mostChannels = 16

  /// How many channels a frame has.
  public let channelCount: Int
  private let tempo: UnsafeMutableRawPointer
  private let resampler: VariableResampler
  private let isPrompt: Bool
  private var batch: [Float]
  private var now: Stretch
  /// Whether sound has been made longer or shorter: until then SoundTouch has nothing to do.
  private var isStretching = false
  private static let batchFrames = 4096

  /// A stretcher in which no sound is. Nil for more than ``mostChannels`` channels, or where the libraries
  /// have no memory left.
  ///
  /// - Parameters:
  ///   - channelCount: 1 or more.
  ///   - sampleRate: frames a second.
  ///   - stretch: what it starts with.
  ///   - isPrompt: whether no more than ``promptLag`` seconds of sound wait in it, whatever the pitch; else
  ///     its pieces are as long as sounds best.
  ///   - isBest: whether it resamples as well as can be, for work offline.
  public init?(
    channelCount: Int, sampleRate: Double, _ stretch: Stretch = Stretch(), isPrompt: Bool = false,
    isBest: Bool = false
  ) {
    guard 1...Stretcher.mostChannels ~= channelCount, let tempo = soundtouch_createInstance() else {
      return nil
    }
    guard
      let resampler = VariableResampler(
        channelCount: channelCount, glide: Int(sampleRate / 100), isBest: isBest)
    else {
      soundtouch_destroyInstance(tempo)
      return nil
    }
    self.channelCount = channelCount
    self.tempo = tempo
    self.resampler = resampler
    self.isPrompt = isPrompt
    batch = [Float](repeating: 0, count: Stretcher.batchFrames * channelCount)
    now = stretch
    soundtouch_setChannels(tempo, UInt32(channelCount))
    soundtouch_setSampleRate(tempo, UInt32(sampleRate.rounded()))
    // It changes no pitch here, so its filter would only take the highs.
    soundtouch_setSetting(tempo, Int32(SWIFTLET_SOUNDTOUCH_FILTER), 0)
    apply()
    resampler.start(at: 1 / (now.ratio * now.varispeed))
  }

  deinit { soundtouch_destroyInstance(tempo) }

  /// How much sound, in seconds, waits at most in a prompt one before it comes out.
  public static let promptLag = 0.12

  /// What it does from the next piece on.
  public var stretch: Stretch {
    get { now }
    set {
      guard newValue != now else { return }
      now = newValue
      apply()
    }
  }

  private func apply() {
    let speed = now.speed / now.ratio
    if speed != 1 || isPrompt { isStretching = true }
    if isPrompt {
      // In milliseconds: seek and overlap, and pieces so long that what is skipped between two is no more
      // than 55.
      let (seek, overlap) = (15.0, 8.0)
      soundtouch_setSetting(tempo, Int32(SWIFTLET_SOUNDTOUCH_SEEK), Int32(seek))
      soundtouch_setSetting(tempo, Int32(SWIFTLET_SOUNDTOUCH_OVERLAP), Int32(overlap))
      soundtouch_setSetting(
        tempo, Int32(SWIFTLET_SOUNDTOUCH_SEQUENCE), Int32(min(55 / speed + overlap, 55)))
    }
    soundtouch_setTempo(tempo, Float(speed))
  }

  /// Takes `count` frames in.
  public func push(_ frames: UnsafePointer<Float>, count: Int) {
    guard count > 0 else { return }
    let ratio = 1 / (now.ratio * now.varispeed)
    guard isStretching else {
      resampler.push(frames, count: count, ratio: ratio)
      return
    }
    soundtouch_putSamples(tempo, frames, UInt32(count))
    while true {
      let got = Int(soundtouch_receiveSamples(tempo, &batch, UInt32(Stretcher.batchFrames)))
      guard got > 0 else { return }
      resampler.push(batch, count: got, ratio: ratio)
    }
  }

  /// Gives up to `count` frames out, and tells how many.
  public func pull(into frames: UnsafeMutablePointer<Float>, count: Int) -> Int {
    resampler.pull(into: frames, count: count)
  }
}
