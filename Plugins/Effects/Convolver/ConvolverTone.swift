// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The low cut and high cut at a convolver's input, 6 dB an octave as in the reverb. If both are off, every sample
/// passes bit-identically.
@safe struct ConvolverTone: ~Copyable {
  private let filters: UnsafeMutablePointer<(low: OnePole, high: OnePole)>
  private let channelCount: Int
  private let sampleRate: Double
  /// The proportion of the low cut that is applied, and the coefficients of the low cut and the high cut.
  private var amount = Ramp(0), low: Ramp, high = Ramp(1)

  /// Creates filters with cleared state that are off.
  init(channels: Int, sampleRate: Double) {
    channelCount = channels
    self.sampleRate = sampleRate
    low = Ramp(ReverbTone.lowShare(Convolver.openLowCut, sampleRate))
    unsafe filters = .allocate(capacity: channels)
    unsafe filters.initialize(repeating: (OnePole(), OnePole()), count: channels)
  }

  deinit { unsafe filters.deallocate() }

  /// The number of frames for which the filters ring above −120 dB.
  var tail: Int {
    @_noLocks @_noAllocation get {
      Int((amount.target > 0 ? 16 / low.target : 0) + (high.target < 1 ? 16 / high.target : 0))
    }
  }

  @_noLocks @_noAllocation mutating func reset() {
    amount.finish()
    low.finish()
    high.finish()
    for channel in 0..<channelCount { unsafe filters[channel] = (OnePole(), OnePole()) }
  }

  /// Glides the low cut to a frequency in hertz. It is turned off by a crossfade to the unfiltered signal, since a
  /// filter that stops at its state would leave an offset.
  @_noLocks @_noAllocation mutating func set(lowCut frequency: Float, over frames: Int) {
    guard frequency > Convolver.openLowCut else { return amount.glide(to: 0, over: frames) }
    if amount.value == 0 {
      for channel in 0..<channelCount { unsafe filters[channel].low = OnePole() }
      low = Ramp(ReverbTone.lowShare(frequency, sampleRate))
    }
    low.glide(to: ReverbTone.lowShare(frequency, sampleRate), over: frames)
    amount.glide(to: 1, over: frames)
  }

  /// Glides the high cut to a frequency in hertz.
  @_noLocks @_noAllocation mutating func set(highCut frequency: Float, over frames: Int) {
    let share = OnePole.share(frequency: Double(frequency), sampleRate: sampleRate)
    high.glide(to: frequency < Convolver.openHighCut ? Float(share) : 1, over: frames)
  }

  /// Filters `count` frames of a channel in place.
  @_noLocks @_noAllocation func run(_ channel: Int, _ samples: UnsafeMutablePointer<Float>, count: Int) {
    var (low, high) = unsafe filters[channel]
    let lift = ReverbTone.lift(Double(self.low.target))
    if amount.isMoving || amount.target > 0 || self.high.isMoving || self.high.target < 1 {
      for frame in 0..<count {
        let sample = unsafe samples[frame]
        let share = Double(self.low.value(after: frame + 1))
        let above =
          (self.low.isMoving ? ReverbTone.lift(share) : lift) * (sample - low.next(sample, share: share))
        let kept = sample + amount.value(after: frame + 1) * (above - sample)
        unsafe samples[frame] = high.next(kept, share: Double(self.high.value(after: frame + 1)))
      }
    } else {
      // Updates the high cut's state, so that it can be turned on later.
      _ = unsafe high.next(samples[count - 1], share: 1)
    }
    unsafe filters[channel] = (low, high)
  }

  /// Advances by `frames` frames.
  @_noLocks @_noAllocation mutating func skip(_ frames: Int) {
    amount.skip(frames)
    low.skip(frames)
    high.skip(frames)
  }
}
