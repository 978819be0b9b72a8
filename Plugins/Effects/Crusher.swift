// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// What an old sampler does to sound: takes a sample only now and then, and rounds it to a few steps.
@safe struct Crusher: ~Copyable {
  /// The longest time that a sample is held, in seconds.
  private static var longestHold: Double { @_noLocks @_noAllocation get { 0.001 } }

  var mix: Ramp
  /// For how many frames a sample is held, at least 1; the size of a step, 0 for none.
  private var hold = Ramp(1), step = Ramp(0)
  private let sampleRate: Double
  /// In how many frames a new sample is due.
  private var clock: Float = 0
  private let held: UnsafeMutablePointer<Float>
  private let channelCount: Int
  /// For each frame of a stretch: whether a sample is taken, the size of a step, and the mix.
  private let takes: UnsafeMutablePointer<Bool>
  private let steps: UnsafeMutablePointer<Float>, mixes: UnsafeMutablePointer<Float>

  /// A crusher that changes nothing.
  init(channelCount: Int, sampleRate: Double, stretch: Int) {
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    mix = Ramp(0)
    unsafe held = .allocate(capacity: channelCount)
    unsafe held.initialize(repeating: 0, count: channelCount)
    unsafe takes = .allocate(capacity: stretch)
    unsafe takes.initialize(repeating: false, count: stretch)
    unsafe steps = .allocate(capacity: 2 * stretch)
    unsafe steps.initialize(repeating: 0, count: 2 * stretch)
    unsafe mixes = unsafe steps + stretch
  }

  deinit {
    unsafe held.deallocate()
    unsafe takes.deallocate()
    unsafe steps.deallocate()
  }

  /// Heads for a decimation in percent: a sample is held for a millisecond times its square.
  @_noLocks @_noAllocation mutating func setDecimation(_ percent: Float, over frames: Int) {
    let share = Double(percent) / 100
    hold.glide(to: max(Float(Self.longestHold * share * share * sampleRate), 1), over: frames)
  }

  /// Heads for a rounding in percent: a step is as large as its fourth power.
  @_noLocks @_noAllocation mutating func setRounding(_ percent: Float, over frames: Int) {
    let share = percent / 100, square = share * share
    step.glide(to: square * square, over: frames)
  }

  /// Finishes all glides, and takes the next sample.
  @_noLocks @_noAllocation mutating func reset() {
    hold.finish()
    step.finish()
    mix.finish()
    clock = 0
    unsafe rt_clear_floats(held, channelCount)
  }

  /// Lays out the next `count` frames.
  ///
  /// - Returns: whether there is anything to do.
  @_noLocks @_noAllocation mutating func begin(_ count: Int) -> Bool {
    let changesTime = hold.isMoving || hold.target > 1, changesSize = step.isMoving || step.target > 0
    guard changesTime || changesSize else {
      clock = 0
      mix.skip(count)
      return false
    }
    for frame in 0..<count {
      let length = max(hold.value(after: frame + 1), 1), wait = min(clock, length - 1), isDue = wait <= 0
      unsafe takes[frame] = isDue
      clock = wait - 1 + (isDue ? length : 0)
      unsafe steps[frame] = step.value(after: frame + 1)
      unsafe mixes[frame] = mix.value(after: frame + 1)
    }
    hold.skip(count)
    step.skip(count)
    mix.skip(count)
    return true
  }

  /// Works on the frames that were laid out.
  @_noLocks @_noAllocation @unsafe
  mutating func run(_ channel: Int, _ samples: UnsafeMutablePointer<Float>, count: Int) {
    var last = unsafe held[channel]
    for frame in 0..<count {
      let sample = unsafe samples[frame]
      last = unsafe takes[frame] ? sample : last
      let rounded = unsafe Self.round(last, steps[frame])
      unsafe samples[frame] = sample + (rounded - sample) * mixes[frame]
    }
    unsafe held[channel] = last
  }

  /// The nearest multiple of `step`; steps that nobody hears are none.
  @_noLocks @_noAllocation @inline(__always)
  private static func round(_ sample: Float, _ step: Float) -> Float {
    guard step > 1e-7 else { return sample }
    // At this size a float counts in ones, so adding it rounds.
    let counting: Float = 12_582_912
    return (sample / step + counting - counting) * step
  }
}
