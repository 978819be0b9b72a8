// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// A level detector, frame by frame. All channels of a bus have one level, that of the loudest channel, so that a gain
/// computed from it does not move the stereo image.
///
/// *Peak* is the largest magnitude within a short window, so that it is constant between the peaks of a wave. *RMS* is
/// the root of the mean square over 10 ms: a full-scale sine reads −3.01 dB.
@safe struct LevelDetector: ~Copyable {
  /// The number of frames that can be read at once.
  static var stretch: Int { @_noLocks @_noAllocation get { 64 } }
  /// The time constant of the mean square, in seconds.
  static var averaging: Double { 0.01 }
  /// The maximum length of the peak window, in seconds: half a cycle of 100 Hz.
  private static var longestWindow: Double { @_noLocks @_noAllocation get { 0.005 } }

  /// The proportion of the RMS level, from 0, the peak level, to 1. Both are read during a crossfade.
  private var mean = Ramp(0)
  /// The length of the peak window, in frames.
  private(set) var windowLength: Int
  private let sampleRate: Double, share: Double
  private let channelCount: Int
  private let means: UnsafeMutablePointer<Double>
  private var window: SlidingMaximum
  /// The source, from 0, the main input, to 1, the side-chain.
  private var aside: Ramp
  /// The mean squares of a slice during a crossfade.
  private let squares: UnsafeMutablePointer<Float>

  /// Creates a detector for the main input, or for the side-chain if `aside` is 1.
  init(_ layout: Layout, aside: Float = 0) {
    sampleRate = layout.sampleRate
    share = 1 - rt_exp_double(-1 / (Self.averaging * layout.sampleRate))
    channelCount = max(layout.inputs.max() ?? 1, 1)
    unsafe means = .allocate(capacity: channelCount)
    unsafe means.initialize(repeating: 0, count: channelCount)
    unsafe squares = .allocate(capacity: Self.stretch)
    unsafe squares.initialize(repeating: 0, count: Self.stretch)
    windowLength = Self.windowLength(release: .infinity, layout.sampleRate)
    window = SlidingMaximum(length: windowLength, longest: windowLength)
    self.aside = Ramp(aside)
  }

  deinit {
    unsafe means.deallocate()
    unsafe squares.deallocate()
  }

  /// Clears all state, and finishes the crossfade between the buses.
  @_noLocks @_noAllocation mutating func reset() {
    aside.finish()
    mean.finish()
    forget()
  }

  /// Glides to the side-chain (1) or the main input (0) as the source.
  @_noLocks @_noAllocation mutating func listen(aside amount: Float, over frames: Int) {
    aside.glide(to: amount, over: frames)
  }

  /// Crossfades to the RMS level (1) or the peak level (0).
  @_noLocks @_noAllocation mutating func read(mean share: Float, over frames: Int) {
    guard share != mean.target else { return }
    // The level that was not read until now begins with an empty window, or at silence; its share grows slowly.
    if !mean.isMoving { forget(mean: share > 0.5) }
    mean.glide(to: share, over: frames)
  }

  /// Adapts the window to a release of `release` milliseconds. The window delays the release by its length, at most a
  /// twenty-fifth of it.
  @_noLocks @_noAllocation mutating func fit(release: Float) {
    windowLength = Self.windowLength(release: release, sampleRate)
    window.resize(windowLength)
  }

  /// Returns the length of the window in frames for a release in milliseconds.
  @_noLocks @_noAllocation static func windowLength(release: Float, _ sampleRate: Double) -> Int {
    max(Int(min(longestWindow, Double(release) / 25_000) * sampleRate), 1)
  }

  /// Reads the level of each frame of `block`, at most a slice, in decibels.
  @_noLocks @_noAllocation @unsafe
  mutating func read(_ block: Block, into levels: UnsafeMutablePointer<Float>) {
    let count = block.frameCount
    let main = block.input(), side = block.input(bus: block.inputCount > 1 ? 1 : 0)
    unsafe rt_clear_floats(levels, count)
    let blends = mean.isMoving, isMean = mean.target > 0.5
    if blends { unsafe rt_clear_floats(squares, count) }
    let squares = unsafe blends ? squares : levels
    if aside.isMoving {
      for channel in 0..<min(channelCount, max(main.channelCount, side.channelCount)) {
        let one = main[min(channel, main.channelCount - 1)], other = side[min(channel, side.channelCount - 1)]
        for frame in 0..<count {
          let sample = one[clean: frame], amount = aside.value(after: frame + 1)
          let heard = sample + (other[clean: frame] - sample) * amount
          if blends || isMean { unsafe add(heard, channel, &squares[frame]) }
          if blends || !isMean { unsafe levels[frame] = max(levels[frame], abs(heard)) }
        }
      }
      aside.skip(count)
    } else {
      let heard = aside.target < 0.5 ? main : side
      for channel in 0..<min(channelCount, heard.channelCount) {
        if blends || isMean { unsafe average(heard[channel], channel, squares) }
        if blends || !isMean { unsafe peak(heard[channel], levels) }
      }
    }
    if blends {
      unsafe window.run(levels, count: count)
      for frame in 0..<count {
        let peak = unsafe Decibels.quickLevel(levels[frame]),
          root = unsafe 0.5 * Decibels.quickLevel(squares[frame])
        let share = mean.value(after: frame + 1)
        unsafe levels[frame] = share < 1 ? peak + (root - peak) * share : root
      }
      mean.skip(count)
    } else if isMean {
      for frame in 0..<count { unsafe levels[frame] = 0.5 * Decibels.quickLevel(levels[frame]) }
    } else {
      unsafe window.run(levels, count: count)
      for frame in 0..<count { unsafe levels[frame] = Decibels.quickLevel(levels[frame]) }
    }
  }

  @_noLocks @_noAllocation @inline(__always)
  private mutating func add(_ sample: Float, _ channel: Int, _ level: inout Float) {
    unsafe means[channel] += (Double(sample) * Double(sample) - means[channel]) * share
    level = unsafe max(level, Float(means[channel]))
  }

  @_noLocks @_noAllocation private func peak(_ samples: Samples, _ levels: UnsafeMutablePointer<Float>) {
    for frame in 0..<samples.count { unsafe levels[frame] = max(levels[frame], abs(samples[clean: frame])) }
  }

  @_noLocks @_noAllocation
  private func average(_ samples: Samples, _ channel: Int, _ levels: UnsafeMutablePointer<Float>) {
    var mean = unsafe means[channel]
    for frame in 0..<samples.count {
      let sample = Double(samples[clean: frame])
      mean += (sample * sample - mean) * share
      unsafe levels[frame] = max(levels[frame], Float(mean))
    }
    unsafe means[channel] = mean
  }

  @_noLocks @_noAllocation private mutating func forget() {
    forget(mean: true)
    forget(mean: false)
  }

  @_noLocks @_noAllocation private mutating func forget(mean: Bool) {
    guard mean else { return window.clear() }
    for channel in 0..<channelCount { unsafe means[channel] = 0 }
  }
}
