// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// A bit crusher, which imitates an early sampler: it reduces the sample rate by holding samples, and rounds them to
/// coarse steps.
@safe struct Crusher: ~Copyable {
  /// The longest time for which a sample is held, in seconds.
  private static var longestHold: Double { @_noLocks @_noAllocation get { 0.001 } }

  var mix: Ramp
  /// The number of frames for which a sample is held, at least 1; the size of a rounding step, 0 for none.
  private var hold = Ramp(1), step = Ramp(0)
  private let sampleRate: Double
  /// The number of frames until the next sample is taken.
  private var clock: Float = 0
  private let held: UnsafeMutablePointer<Float>
  private let channelCount: Int
  /// For each frame of a slice: whether a sample is taken, the size of a rounding step, and the mix.
  private let takes: UnsafeMutablePointer<Bool>
  private let steps: UnsafeMutablePointer<Float>, mixes: UnsafeMutablePointer<Float>

  /// Creates a crusher that changes nothing.
  init(channelCount: Int, sampleRate: Double, sliceLength: Int) {
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    mix = Ramp(0)
    unsafe held = .allocate(capacity: channelCount)
    unsafe held.initialize(repeating: 0, count: channelCount)
    unsafe takes = .allocate(capacity: sliceLength)
    unsafe takes.initialize(repeating: false, count: sliceLength)
    unsafe steps = .allocate(capacity: 2 * sliceLength)
    unsafe steps.initialize(repeating: 0, count: 2 * sliceLength)
    unsafe mixes = unsafe steps + sliceLength
  }

  deinit {
    unsafe held.deallocate()
    unsafe takes.deallocate()
    unsafe steps.deallocate()
  }

  /// Glides to a decimation in percent: a sample is held for 1 ms times its square.
  @_noLocks @_noAllocation mutating func setDecimation(_ percent: Float, over frames: Int) {
    let share = Double(percent) / 100
    hold.glide(to: max(Float(Self.longestHold * share * share * sampleRate), 1), over: frames)
  }

  /// Glides to a rounding in percent: the step size is its fourth power.
  @_noLocks @_noAllocation mutating func setRounding(_ percent: Float, over frames: Int) {
    let share = percent / 100, square = share * share
    step.glide(to: square * square, over: frames)
  }

  /// Finishes all glides. The next frame is taken as a sample.
  @_noLocks @_noAllocation mutating func reset() {
    hold.finish()
    step.finish()
    mix.finish()
    clock = 0
    unsafe rt_clear_floats(held, channelCount)
  }

  /// Computes the control values of the next `count` frames.
  ///
  /// - Returns: whether the signal changes at all.
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

  /// Processes the frames whose control values have been computed.
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

  /// Returns the nearest multiple of `step`. Inaudibly small steps are ignored.
  @_noLocks @_noAllocation @inline(__always)
  private static func round(_ sample: Float, _ step: Float) -> Float {
    guard step > 1e-7 else { return sample }
    // A float of this size has a resolution of 1, so the addition rounds.
    let counting: Float = 12_582_912
    return (sample / step + counting - counting) * step
  }
}
