// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// A level detector, frame by frame. All channels of a bus have one level, that of the loudest channel, so that a gain
/// computed from it does not move the stereo image.
///
/// *Peak* is the largest magnitude within a short window, so that it is constant between the peaks of a wave. *RMS* is
/// the root of the mean square of the last 10 ms: a full-scale sine reads −3.01 dB. All frames in its window have the
/// same weight, so that a step takes 10 ms, whatever its height.
@safe struct LevelDetector: ~Copyable {
  /// The number of frames that can be read at once.
  static var sliceLength: Int { @_noLocks @_noAllocation get { 64 } }
  /// The length of the window of the mean square, in seconds.
  private static var averaging: Double { @_noLocks @_noAllocation get { 0.01 } }
  /// The largest square that counts fully: +30 dBFS.
  private static var largestSquare: Float { @_noLocks @_noAllocation get { 1000 } }
  /// The maximum length of the peak window, in seconds: half a cycle of 100 Hz.
  private static var longestWindow: Double { @_noLocks @_noAllocation get { 0.005 } }

  /// The proportion of the RMS level, from 0, the peak level, to 1. Both are read during a crossfade.
  private var mean = Ramp(0)
  /// The length of the peak window, in frames.
  private(set) var windowLength: Int
  private let sampleRate: Double
  private let channelCount: Int
  /// The mean square of each channel.
  private let means: UnsafeMutablePointer<MovingAverage>
  /// The frames of one channel, then its mean squares; during a crossfade, the frames that are mixed from both buses.
  private let sound: UnsafeMutablePointer<Float>, mixed: UnsafeMutablePointer<Float>
  /// The largest mean square of the channels at each frame, during a crossfade.
  private let squares: UnsafeMutablePointer<Float>
  private var window: SlidingMaximum
  /// The source, from 0, the main input, to 1, the side-chain.
  private var aside: Ramp

  /// Creates a detector for the main input, or for the side-chain if `aside` is 1.
  init(_ layout: Layout, aside: Float = 0) {
    sampleRate = layout.sampleRate
    channelCount = max(layout.inputs.max() ?? 1, 1)
    unsafe means = .allocate(capacity: channelCount)
    let length = Int((Self.averaging * layout.sampleRate).rounded())
    for channel in 0..<channelCount {
      // Squares below −90 dBFS count as zero.
      unsafe (means + channel).initialize(to: MovingAverage(length: length, resolution: 0x1p-30))
    }
    unsafe sound = .allocate(capacity: 3 * Self.sliceLength)
    unsafe sound.initialize(repeating: 0, count: 3 * Self.sliceLength)
    unsafe mixed = unsafe sound + Self.sliceLength
    unsafe squares = unsafe mixed + Self.sliceLength
    windowLength = Self.windowLength(release: .infinity, layout.sampleRate)
    window = SlidingMaximum(length: windowLength, longest: windowLength)
    self.aside = Ramp(aside)
  }

  deinit {
    unsafe means.deinitialize(count: channelCount)
    unsafe means.deallocate()
    unsafe sound.deallocate()
  }

  /// Clears all state, and finishes the crossfade between the buses.
  @_noLocks @_noAllocation mutating func reset() {
    aside.finish()
    mean.finish()
    clear(mean: true)
    clear(mean: false)
  }

  /// Glides to the side-chain (1) or the main input (0) as the source.
  @_noLocks @_noAllocation mutating func setSource(aside amount: Float, over frames: Int) {
    aside.glide(to: amount, over: frames)
  }

  /// Crossfades to the RMS level (1) or the peak level (0).
  @_noLocks @_noAllocation mutating func read(mean share: Float, over frames: Int) {
    guard share != mean.target else { return }
    // The level that was not read until now begins with an empty window; its proportion grows slowly.
    if !mean.isMoving { clear(mean: share > 0.5) }
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

  /// Returns the time constant with which a gain follows the level at a release of `milliseconds`.
  ///
  /// The RMS level falls late: on average by 0.68 of its window after a step of 10 dB, and by 0.89 after one of 39 dB.
  /// The time constant is shorter by a little more than the first of these, and below 50 ms by the same proportion.
  @_noLocks @_noAllocation func followingTime(release milliseconds: Float) -> Float {
    guard mean.target > 0.5 else { return milliseconds }
    return milliseconds - 0.72 * Float(1000 * Self.averaging) * min(milliseconds / 50, 1)
  }

  /// Reads the level of each frame of `block`, at most a slice, in decibels.
  @_noLocks @_noAllocation @unsafe
  mutating func read(_ block: Block, into levels: UnsafeMutablePointer<Float>) {
    let count = block.frameCount
    let main = block.input(), side = block.input(bus: block.inputCount > 1 ? 1 : 0)
    unsafe rt_clear_floats(levels, count)
    if mean.isMoving { unsafe rt_clear_floats(squares, count) }
    if aside.isMoving {
      for channel in 0..<min(channelCount, max(main.channelCount, side.channelCount)) {
        let one = main[min(channel, main.channelCount - 1)], other = side[min(channel, side.channelCount - 1)]
        for frame in 0..<count {
          let sample = one[clean: frame], amount = aside.value(after: frame + 1)
          unsafe mixed[frame] = sample + (other[clean: frame] - sample) * amount
        }
        unsafe add(Samples(mixed, count: count), channel, levels)
      }
      aside.skip(count)
    } else {
      let source = aside.target < 0.5 ? main : side
      for channel in 0..<min(channelCount, source.channelCount) {
        unsafe add(source[channel], channel, levels)
      }
    }
    unsafe convert(levels, count)
  }

  /// Raises `levels`, and `squares` during a crossfade, to those of a channel.
  @_noLocks @_noAllocation @inline(__always)
  private func add(_ samples: Samples, _ channel: Int, _ levels: UnsafeMutablePointer<Float>) {
    if mean.isMoving {
      unsafe peak(samples, levels)
      unsafe average(samples, channel, squares)
    } else {
      unsafe mean.target > 0.5 ? average(samples, channel, levels) : peak(samples, levels)
    }
  }

  /// Converts levels to decibels, and crossfades between peak and RMS.
  @_noLocks @_noAllocation @unsafe
  private mutating func convert(_ levels: UnsafeMutablePointer<Float>, _ count: Int) {
    guard mean.isMoving || mean.target < 0.5 else {
      for frame in 0..<count { unsafe levels[frame] = 0.5 * Decibels.quickLevel(levels[frame]) }
      return
    }
    unsafe window.run(levels, count: count)
    for frame in 0..<count { unsafe levels[frame] = Decibels.quickLevel(levels[frame]) }
    guard mean.isMoving else { return }
    for frame in 0..<count {
      let root = unsafe 0.5 * Decibels.quickLevel(squares[frame]), share = mean.value(after: frame + 1)
      unsafe levels[frame] = unsafe share < 1 ? levels[frame] + (root - levels[frame]) * share : root
    }
    mean.skip(count)
  }

  @_noLocks @_noAllocation private func peak(_ samples: Samples, _ levels: UnsafeMutablePointer<Float>) {
    for frame in 0..<samples.count { unsafe levels[frame] = max(levels[frame], abs(samples[clean: frame])) }
  }

  @_noLocks @_noAllocation
  private func average(_ samples: Samples, _ channel: Int, _ levels: UnsafeMutablePointer<Float>) {
    for frame in 0..<samples.count {
      let sample = samples[clean: frame]
      unsafe sound[frame] = min(sample * sample, Self.largestSquare)
    }
    unsafe means[channel].run(sound, count: samples.count)
    for frame in 0..<samples.count { unsafe levels[frame] = max(levels[frame], sound[frame]) }
  }

  /// Clears the state of the RMS level or of the peak level.
  @_noLocks @_noAllocation private mutating func clear(mean: Bool) {
    guard mean else { return window.clear() }
    for channel in 0..<channelCount { unsafe means[channel].clear() }
  }
}
