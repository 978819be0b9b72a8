// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// What goes into a convolver: a low and a high cut as a reverb has them, 6 dB an octave. Where both are
/// open, every sample passes as it is, bit by bit.
@safe struct ConvolverTone: ~Copyable {
  private let filters: UnsafeMutablePointer<(low: OnePole, high: OnePole)>
  private let channelCount: Int
  private let sampleRate: Double
  /// How much of what lies below the low cut is taken away, and where it lies; where the high cut lies.
  private var amount = Ramp(0), low: Ramp, high = Ramp(1)

  /// Open cuts that have heard nothing.
  init(channels: Int, sampleRate: Double) {
    channelCount = channels
    self.sampleRate = sampleRate
    low = Ramp(ReverbTone.lowShare(Convolver.openLowCut, sampleRate))
    unsafe filters = .allocate(capacity: channels)
    unsafe filters.initialize(repeating: (OnePole(), OnePole()), count: channels)
  }

  deinit { unsafe filters.deallocate() }

  /// For how many frames the cuts ring above −120 dB.
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

  /// Moves the low cut, in hertz. It opens by taking less and less away, since a filter that comes to rest
  /// would leave an offset.
  @_noLocks @_noAllocation mutating func set(lowCut frequency: Float, over frames: Int) {
    guard frequency > Convolver.openLowCut else { return amount.glide(to: 0, over: frames) }
    if amount.value == 0 {
      for channel in 0..<channelCount { unsafe filters[channel].low = OnePole() }
      low = Ramp(ReverbTone.lowShare(frequency, sampleRate))
    }
    low.glide(to: ReverbTone.lowShare(frequency, sampleRate), over: frames)
    amount.glide(to: 1, over: frames)
  }

  /// Moves the high cut, in hertz.
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
      // The high cut goes on from here.
      _ = unsafe high.next(samples[count - 1], share: 1)
    }
    unsafe filters[channel] = (low, high)
  }

  /// Moves on.
  @_noLocks @_noAllocation mutating func skip(_ frames: Int) {
    amount.skip(frames)
    low.skip(frames)
    high.skip(frames)
  }
}
