// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// A pitch tracker for a single voice or string, with about 25 results a second.
///
/// The similarity of a range of samples to the samples `lag` frames earlier, for every lag, is the normalised square
/// difference function of P. McLeod and G. Wyvill, "A smarter way to find pitch" (ICMC 2005). It is 1 at the period of
/// a steady sound of any level. The pitch is the first peak that is nearly as high as the highest. Peaks lie between
/// lags, where the similarity is interpolated. As a peak at a multiple of the period gives the period more exactly, the
/// peak is followed to the largest multiple that fits.
///
/// The input has a sample rate of about 12 kHz, see ``Tuner``. For each input sample one lag is computed, so that the
/// cost is distributed evenly; only the selection of the peak, which takes some microseconds, happens at once.
@safe struct PitchTracker: ~Copyable {
  /// The range of pitches that are found, in hertz.
  static var lowest: Double { 25 }
  static var highest: Double { @_noLocks @_noAllocation get { 4500 } }
  /// The number of samples that are compared.
  private static var window: Int { @_noLocks @_noAllocation get { 1024 } }
  /// The number of samples that are stored, a power of two: the window, the longest lag, and the samples that arrive
  /// while all lags are computed.
  private static var capacity: Int { @_noLocks @_noAllocation get { 4096 } }
  /// The mean square below which the input is taken as noise: −80 dBFS.
  private static var quietest: Double { @_noLocks @_noAllocation get { 1e-8 } }
  /// The minimum similarity over a period for a pitch.
  private static var least: Float { @_noLocks @_noAllocation get { 0.7 } }

  /// The last result in hertz; 0 if there is no pitch.
  private(set) var pitch: Float = 0
  /// The similarity at that pitch, from 0 to 1.
  private(set) var clarity: Float = 0

  private let rate: Double
  /// The longest lag.
  let reach: Int
  /// The last samples, stored twice in a row, so that any range of them is contiguous.
  private let samples: UnsafeMutablePointer<Float>
  /// The similarity at each lag.
  let likeness: UnsafeMutablePointer<Float>
  private var writeIndex = 0
  /// The index of the first compared sample, and the next lag to be computed.
  private var start = 0, lag = 0
  /// The energy of the window, and of the window `lag` samples later.
  private var still = 0.0, moving = 0.0

  /// Creates a tracker for a signal with a sample rate of `rate`, from 8,000 Hz to 16,000 Hz.
  init(rate: Double) {
    self.rate = rate
    reach = min(Int(rate / Self.lowest) + 2, Self.capacity / 4)
    unsafe samples = .allocate(capacity: 2 * Self.capacity)
    unsafe likeness = .allocate(capacity: reach + 1)
    unsafe samples.initialize(repeating: 0, count: 2 * Self.capacity)
    unsafe likeness.initialize(repeating: 0, count: reach + 1)
    reset()
  }

  deinit {
    unsafe samples.deallocate()
    unsafe likeness.deallocate()
  }

  @_noLocks @_noAllocation mutating func reset() {
    unsafe rt_clear_floats(samples, 2 * Self.capacity)
    unsafe rt_clear_floats(likeness, reach + 1)
    (writeIndex, start, lag, still, moving, pitch, clarity) = (0, 0, 0, 0, 0, 0, 0)
  }

  /// Processes the next sample.
  @_noLocks @_noAllocation mutating func push(_ sample: Float) {
    unsafe samples[writeIndex] = sample
    unsafe samples[writeIndex + Self.capacity] = sample
    writeIndex = (writeIndex + 1) & (Self.capacity - 1)
    if lag == 0 { begin() }
    compare()
    lag += 1
    if lag > reach {
      conclude()
      lag = 0
    }
  }

  /// Begins the next round with the newest samples.
  @_noLocks @_noAllocation private mutating func begin() {
    start = (writeIndex - Self.window - reach) & (Self.capacity - 1)
    still = 0
    for frame in 0..<Self.window { still += unsafe Double(samples[start + frame] * samples[start + frame]) }
    moving = still
  }

  /// Computes the similarity at one lag.
  @_noLocks @_noAllocation private mutating func compare() {
    let here = unsafe samples + start, there = unsafe here + lag
    if lag > 0 {
      let gone = unsafe Double(there[-1]), come = unsafe Double(there[Self.window - 1])
      moving = max(moving + come * come - gone * gone, 0)
    }
    var product = SIMD8<Float>(), frame = 0
    while frame < Self.window {
      unsafe product += here[eightFrom: frame] * there[eightFrom: frame]
      frame += 8
    }
    var sum: Float = 0
    for lane in 0..<8 { sum += product[lane] }
    let energy = Float(still + moving)
    unsafe likeness[lag] = energy > 0 ? 2 * sum / energy : 0
  }

  /// Finds the pitch from the similarities of a round.
  @_noLocks @_noAllocation private mutating func conclude() {
    pitch = 0
    clarity = 0
    guard still > Self.quietest * Double(Self.window) else { return }
    let highest = highestPeak()
    guard highest > Self.least else { return }
    let first = firstPeak(nearly: highest)
    guard first.height > 0 else { return }
    let frequency = rate / exact(first)
    guard frequency <= Self.highest, frequency >= Self.lowest else { return }
    pitch = Float(frequency)
    clarity = Float(min(max(first.height, 0), 1))
  }
}
