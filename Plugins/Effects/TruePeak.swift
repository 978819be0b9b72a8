// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// How high a wave rises between its samples.
///
/// As ITU-R BS.1770-5, annex 2, has it, the wave is oversampled four times. Its crests may lie between those
/// points, too: up to 0.69 dB higher near half the rate. So each highest point and its neighbours are taken
/// for a parabola, which leaves 0.08 dB. The interpolation is a sinc under a Kaiser window, longer than the
/// standard's example, so that it holds up to 0.42 of the rate: 20 kHz at 48 kHz. Above, where no
/// interpolation is right, meters with one as short as the standard's read more: so that is read, too, and
/// the higher reading counts.
@safe struct TruePeak: ~Copyable {
  /// How many frames the reading lies behind, and how many around it shape it on either side.
  static var reach: Int { @_noLocks @_noAllocation get { 10 } }
  /// The samples that shape one point between two of them.
  private static var taps: Int { @_noLocks @_noAllocation get { 2 * reach } }
  /// The same for a meter's point, and how many of the others lie before them.
  private static var meterTaps: Int { @_noLocks @_noAllocation get { 12 } }
  private static var meterStart: Int { @_noLocks @_noAllocation get { reach - meterTaps / 2 } }
  /// How much of the past a line must hold, beside what is read at once.
  static var history: Int { @_noLocks @_noAllocation get { taps } }

  /// What samples are multiplied by, for a quarter of the way to the next and for half of it. Three quarters
  /// are a quarter backwards.
  private let quarter: UnsafeMutablePointer<SIMD8<Float>>, half: UnsafeMutablePointer<SIMD8<Float>>
  private let meterQuarter: UnsafeMutablePointer<SIMD8<Float>>
  private let meterHalf: UnsafeMutablePointer<SIMD8<Float>>
  /// The samples, and the points between them, by the frame before.
  private let wave: UnsafeMutablePointer<Float>
  private let first: UnsafeMutablePointer<Float>, second: UnsafeMutablePointer<Float>
  private let third: UnsafeMutablePointer<Float>, meter: UnsafeMutablePointer<Float>

  /// A reader of up to `longest` frames at once.
  init(longest: Int) {
    // One frame before, and what fills the last group of eight.
    let room = longest + 8 + Self.taps
    unsafe quarter = .allocate(capacity: 2 * (Self.taps + Self.meterTaps))
    unsafe half = unsafe quarter + Self.taps
    unsafe meterQuarter = unsafe half + Self.taps
    unsafe meterHalf = unsafe meterQuarter + Self.meterTaps
    unsafe wave = .allocate(capacity: 5 * room)
    unsafe wave.initialize(repeating: 0, count: 5 * room)
    unsafe first = unsafe wave + room
    unsafe second = unsafe first + room
    unsafe third = unsafe second + room
    unsafe meter = unsafe third + room
    for tap in 0..<Self.taps {
      unsafe (quarter + tap).initialize(to: Self.kaiser(tap, at: 0.25))
      unsafe (half + tap).initialize(to: Self.kaiser(tap, at: 0.5))
    }
    for tap in 0..<Self.meterTaps {
      unsafe (meterQuarter + tap).initialize(to: Self.hann(tap, at: 0.25))
      unsafe (meterHalf + tap).initialize(to: Self.hann(tap, at: 0.5))
    }
  }

  deinit {
    unsafe quarter.deallocate()
    unsafe wave.deallocate()
  }

  /// Raises each of `peaks` to the true peak of the `count` frames last written to `line`, ``reach`` frames
  /// late.
  @_noLocks @_noAllocation @unsafe
  func raise(_ peaks: UnsafeMutablePointer<Float>, count: Int, by line: borrowing DelayLine) {
    let behind = count + Self.taps
    unsafe line.read(wave, delay: behind, count: behind)
    var group = 0
    while group <= count {
      interpolate(group)
      group += 8
    }
    for frame in 0..<count {
      let here = unsafe wave[frame + Self.reach]
      let next = unsafe wave[frame + Self.reach + 1]
      let before = unsafe third[frame]
      let one = unsafe first[frame + 1]
      let two = unsafe second[frame + 1]
      let three = unsafe third[frame + 1]
      let early = max(Self.crest(before, here, one), Self.crest(here, one, two))
      let late = max(Self.crest(one, two, three), Self.crest(two, three, next))
      unsafe peaks[frame] = max(max(peaks[frame], meter[frame + 1]), max(early, late))
    }
  }

  /// The points between samples for eight frames.
  @_noLocks @_noAllocation @inline(__always) private func interpolate(_ group: Int) {
    var one = SIMD8<Float>()
    var two = SIMD8<Float>()
    var three = SIMD8<Float>()
    for tap in 0..<Self.taps {
      let samples = unsafe UnsafeRawPointer(wave + group + tap).loadUnaligned(as: SIMD8<Float>.self)
      unsafe one += samples * quarter[tap]
      unsafe two += samples * half[tap]
      unsafe three += samples * quarter[Self.taps - 1 - tap]
    }
    unsafe UnsafeMutableRawPointer(meter + group).storeBytes(
      of: metered(group), as: SIMD8<Float>.self)
    unsafe UnsafeMutableRawPointer(first + group).storeBytes(of: one, as: SIMD8<Float>.self)
    unsafe UnsafeMutableRawPointer(second + group).storeBytes(of: two, as: SIMD8<Float>.self)
    unsafe UnsafeMutableRawPointer(third + group).storeBytes(of: three, as: SIMD8<Float>.self)
  }

  /// The magnitude of `b`, or of the crest of the parabola through all three where `b` is the outermost.
  @_noLocks @_noAllocation @inline(__always)
  private static func crest(_ a: Float, _ b: Float, _ c: Float) -> Float {
    let size = abs(b)
    let lean = c - a
    let bend = abs(b - a + (b - c))
    let rise = lean * lean / (8 * max(bend, 1e-20))
    return size >= max(abs(a), abs(c)) ? size + rise : size
  }

  /// The largest point between samples as meters see them, for eight frames.
  @_noLocks @_noAllocation @inline(__always) private func metered(_ group: Int) -> SIMD8<Float> {
    var one = SIMD8<Float>()
    var two = SIMD8<Float>()
    var three = SIMD8<Float>()
    let start = unsafe wave + group + Self.meterStart
    for tap in 0..<Self.meterTaps {
      let samples = unsafe UnsafeRawPointer(start + tap).loadUnaligned(as: SIMD8<Float>.self)
      unsafe one += samples * meterQuarter[tap]
      unsafe two += samples * meterHalf[tap]
      unsafe three += samples * meterQuarter[Self.meterTaps - 1 - tap]
    }
    one.replace(with: -one, where: one .< 0)
    two.replace(with: -two, where: two .< 0)
    three.replace(with: -three, where: three .< 0)
    one.replace(with: two, where: two .> one)
    one.replace(with: three, where: three .> one)
    return one
  }

  /// One of the factors of a sinc under a Kaiser window, around `place` of the way from one sample to the next.
  private static func kaiser(_ tap: Int, at place: Double) -> SIMD8<Float> {
    let distance = Double(tap - reach + 1) - place
    let across = distance / Double(reach)
    let window = bessel(5 * rt_sqrt_double(max(0, 1 - across * across))) / bessel(5)
    return SIMD8(repeating: Float(window * sinc(distance)))
  }

  /// The same under a Hann window.
  private static func hann(_ tap: Int, at place: Double) -> SIMD8<Float> {
    let distance = Double(tap - meterTaps / 2 + 1) - place
    let window = 0.5 + 0.5 * rt_cos_double(2 * .pi * distance / Double(meterTaps))
    return SIMD8(repeating: Float(window * sinc(distance)))
  }

  private static func sinc(_ distance: Double) -> Double {
    rt_sin_double(.pi * distance) / (.pi * distance)
  }

  /// The modified Bessel function of order 0, by its series: what a Kaiser window is made of.
  private static func bessel(_ x: Double) -> Double {
    var sum = 1.0
    var term = 1.0
    for index in 1...30 {
      let factor = x / (2 * Double(index))
      term *= factor * factor
      sum += term
    }
    return sum
  }
}
