// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// Finds the pitch of one voice or string, some 25 times a second.
///
/// How much a stretch of sound resembles what came some frames before, for every such lag, is the normalised
/// square difference function of P. McLeod and G. Wyvill, "A smarter way to find pitch" (ICMC 2005): 1 at a
/// period of a steady sound, whatever its level. The pitch is the first peak that is nearly as high as the
/// highest. Peaks lie between lags, where the likeness is interpolated; and many periods together say more
/// exactly how long one is: so the peak is followed to the largest multiple that fits.
///
/// The sound comes at a quarter of the studio's rate or so, see ``Tuner``. One lag is worked out for each
/// sample that comes, so that this work is spread evenly; only the peak among them is found at once, in some
/// millionths of a second.
@safe struct PitchTracker: ~Copyable {
  /// The pitches that are found, in hertz.
  static var lowest: Double { 25 }
  static var highest: Double { @_noLocks @_noAllocation get { 4500 } }
  /// How many samples are compared.
  private static var window: Int { @_noLocks @_noAllocation get { 1024 } }
  /// How many samples are kept, a power of two: the window and the longest lag, and what comes while all lags
  /// are worked out.
  private static var room: Int { @_noLocks @_noAllocation get { 4096 } }
  /// Below this mean square, −80 dBFS, there is only noise.
  private static var quietest: Double { @_noLocks @_noAllocation get { 1e-8 } }
  /// How much of its likeness a sound must keep over a period to have a pitch.
  private static var least: Float { @_noLocks @_noAllocation get { 0.7 } }

  /// What was found last, in hertz; 0 where there is no pitch.
  private(set) var pitch: Float = 0
  /// How well the sound repeats at that pitch, from 0 to 1.
  private(set) var clarity: Float = 0

  private let rate: Double
  /// The longest lag.
  let reach: Int
  /// The last samples, twice in a row, so that any stretch of them lies in one piece.
  private let samples: UnsafeMutablePointer<Float>
  /// The likeness at each lag.
  let likeness: UnsafeMutablePointer<Float>
  private var place = 0
  /// Where the compared samples begin, and the lag whose turn it is.
  private var start = 0, lag = 0
  /// The energy of the window, and of that `lag` frames later.
  private var still = 0.0, moving = 0.0

  /// A tracker of sound at `rate` frames a second, 8,000 to 16,000.
  init(rate: Double) {
    self.rate = rate
    reach = min(Int(rate / Self.lowest) + 2, Self.room / 4)
    unsafe samples = .allocate(capacity: 2 * Self.room)
    unsafe likeness = .allocate(capacity: reach + 1)
    unsafe samples.initialize(repeating: 0, count: 2 * Self.room)
    unsafe likeness.initialize(repeating: 0, count: reach + 1)
    reset()
  }

  deinit {
    unsafe samples.deallocate()
    unsafe likeness.deallocate()
  }

  @_noLocks @_noAllocation mutating func reset() {
    unsafe rt_clear_floats(samples, 2 * Self.room)
    unsafe rt_clear_floats(likeness, reach + 1)
    (place, start, lag, still, moving, pitch, clarity) = (0, 0, 0, 0, 0, 0, 0)
  }

  /// Hears the next sample.
  @_noLocks @_noAllocation mutating func hear(_ sample: Float) {
    unsafe samples[place] = sample
    unsafe samples[place + Self.room] = sample
    place = (place + 1) & (Self.room - 1)
    if lag == 0 { begin() }
    compare()
    lag += 1
    if lag > reach {
      conclude()
      lag = 0
    }
  }

  /// Takes the newest samples for the next round.
  @_noLocks @_noAllocation private mutating func begin() {
    start = (place - Self.window - reach) & (Self.room - 1)
    still = 0
    for frame in 0..<Self.window { still += unsafe Double(samples[start + frame] * samples[start + frame]) }
    moving = still
  }

  /// Works out the likeness at one lag.
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

  /// Finds the pitch in a whole round of likenesses.
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
