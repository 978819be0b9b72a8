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

  /// What sums and differences of samples on either side are multiplied by, for a quarter of the way to the
  /// next, and sums for half of it.
  private let wide: Kernel, narrow: Kernel
  /// How far above the largest sample around a crest may rise.
  private let rise: Float
  /// The samples, and the points between them, by the frame before.
  private let wave: UnsafeMutablePointer<Float>
  private let first: UnsafeMutablePointer<Float>, second: UnsafeMutablePointer<Float>
  private let third: UnsafeMutablePointer<Float>, meter: UnsafeMutablePointer<Float>
  /// The largest magnitude of each eight samples.
  private let heights: UnsafeMutablePointer<Float>

  /// A reader of up to `longest` frames at once.
  init(longest: Int) {
    // One frame before, and what fills the last group of eight.
    let room = longest + 8 + Self.taps
    wide = Kernel(taps: Self.taps, Self.kaiser)
    narrow = Kernel(taps: Self.meterTaps, Self.hann)
    // The parabola through three points of no more than 1 is never higher than 1.25.
    rise = 1.25 * max(wide.largest, narrow.largest)
    unsafe wave = .allocate(capacity: 5 * room)
    unsafe wave.initialize(repeating: 0, count: 5 * room)
    unsafe first = unsafe wave + room
    unsafe second = unsafe first + room
    unsafe third = unsafe second + room
    unsafe meter = unsafe third + room
    unsafe heights = .allocate(capacity: room / 8 + 4)
    unsafe heights.initialize(repeating: 0, count: room / 8 + 4)
  }

  deinit {
    unsafe wave.deallocate()
    unsafe heights.deallocate()
  }

  /// Raises each of `peaks` to the true peak of the `count` frames last written to `line`, ``reach`` frames
  /// late; where that cannot be above `floor`, it may leave it at less. There is room for a multiple of
  /// eight peaks.
  ///
  /// - Returns: whether any may be above `floor`.
  @_noLocks @_noAllocation @unsafe
  func raise(
    _ peaks: UnsafeMutablePointer<Float>, count: Int, by line: borrowing DelayLine, above floor: Float
  ) -> Bool {
    let behind = count + Self.taps
    unsafe line.read(wave, delay: behind, count: behind)
    measure(behind)
    var group = 0, interpolated = 0, isAbove = false
    while group < count {
      let height = unsafe max(
        max(heights[group / 8], heights[group / 8 + 1]), max(heights[group / 8 + 2], heights[group / 8 + 3]))
      if height * rise > floor {
        // The last frame needs the points of the next, too.
        interpolated = max(interpolated, group)
        while interpolated <= group + 8 {
          interpolate(interpolated)
          interpolated += 4
        }
        unsafe raise(peaks, group)
        unsafe raise(peaks, group + 4)
        isAbove = true
      }
      group += 8
    }
    return isAbove
  }

  /// Finds the largest magnitude of each eight samples.
  @_noLocks @_noAllocation private func measure(_ count: Int) {
    var group = 0
    while group < count {
      let four = unsafe wave[fourFrom: group].sizes.larger(wave[fourFrom: group + 4].sizes)
      unsafe heights[group / 8] = max(max(four[0], four[1]), max(four[2], four[3]))
      group += 8
    }
  }

  /// Raises four peaks.
  @_noLocks @_noAllocation @inline(__always) @unsafe
  private func raise(_ peaks: UnsafeMutablePointer<Float>, _ frame: Int) {
    let here = unsafe wave[fourFrom: frame + Self.reach], next = unsafe wave[fourFrom: frame + Self.reach + 1]
    let before = unsafe third[fourFrom: frame], one = unsafe first[fourFrom: frame + 1]
    let two = unsafe second[fourFrom: frame + 1], three = unsafe third[fourFrom: frame + 1]
    let seen = unsafe peaks[fourFrom: frame].larger(meter[fourFrom: frame + 1])
    let early = Self.crest(before, here, one, two), late = Self.crest(one, two, three, next)
    unsafe peaks[fourFrom: frame] = seen.larger(early.larger(late))
  }

  /// The points between samples for four frames. Both kernels lie around the same middle, so they share the
  /// sums and differences of samples.
  @_noLocks @_noAllocation @inline(__always) private func interpolate(_ group: Int) {
    let pairs = Self.taps / 2, outer = Self.meterStart, samples = unsafe UnsafePointer(wave + group)
    var broad = Points(), short = Points()
    for pair in 0..<outer {
      let one = unsafe samples[fourFrom: pair], other = unsafe samples[fourFrom: 2 * pairs - 1 - pair]
      unsafe broad.add(one + other, one - other, wide.factors + 3 * pair)
    }
    for pair in outer..<pairs {
      let one = unsafe samples[fourFrom: pair], other = unsafe samples[fourFrom: 2 * pairs - 1 - pair]
      let sum = one + other, difference = one - other
      unsafe broad.add(sum, difference, wide.factors + 3 * pair)
      unsafe short.add(sum, difference, narrow.factors + 3 * (pair - outer))
    }
    unsafe first[fourFrom: group] = broad.one
    unsafe second[fourFrom: group] = broad.two
    unsafe third[fourFrom: group] = broad.three
    unsafe meter[fourFrom: group] = short.one.sizes.larger(short.two.sizes).larger(short.three.sizes)
  }

  /// The larger magnitude of `b` and `c`, or that of the crest of the parabola through it and its neighbours
  /// where it is the outermost of the three.
  @_noLocks @_noAllocation @inline(__always)
  private static func crest(
    _ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>
  ) -> SIMD4<Float> {
    let isEarly = b.sizes .>= c.sizes
    let top = c.replacing(with: b, where: isEarly), near = b.replacing(with: c, where: isEarly)
    let far = d.replacing(with: a, where: isEarly)
    let height = top.sizes, lean = near - far
    let bend = (top - near + (top - far)).sizes.larger(SIMD4(repeating: 1e-20))
    return height.replacing(with: height + lean * lean / (8 * bend), where: height .>= far.sizes)
  }

  /// One of the factors of a sinc under a Kaiser window, around `place` of the way from one sample to the next.
  private static func kaiser(_ tap: Int, at place: Double) -> Double {
    let distance = Double(tap - reach + 1) - place
    let across = distance / Double(reach)
    return KaiserWindow.value(at: across, beta: 5) * sinc(distance)
  }

  /// The same under a Hann window.
  private static func hann(_ tap: Int, at place: Double) -> Double {
    let distance = Double(tap - meterTaps / 2 + 1) - place
    let window = 0.5 + 0.5 * rt_cos_double(2 * .pi * distance / Double(meterTaps))
    return window * sinc(distance)
  }

  private static func sinc(_ distance: Double) -> Double {
    rt_sin_double(.pi * distance) / (.pi * distance)
  }
}

/// The factors that make the three points between two samples of those around.
///
/// Half of the way has the same factors on either side, and three quarters are a quarter backwards. So sums
/// and differences of the samples on either side do for all three: with p = a + b and m = a - b, the products
/// x·a + y·b and y·a + x·b are p·(x + y)/2 plus and minus m·(x - y)/2.
@safe private struct Kernel: ~Copyable {
  /// By pair of samples, from the outside: half the sum and half the difference of a quarter's factors, and
  /// the factor for half of the way.
  let factors: UnsafePointer<SIMD4<Float>>
  /// The largest that a point can be where no sample is larger than 1.
  let largest: Float

  /// The kernel of a formula for the factor of each of `taps` samples, at a part of the way.
  init(taps: Int, _ factor: (Int, Double) -> Double) {
    let factors = UnsafeMutablePointer<SIMD4<Float>>.allocate(capacity: 3 * taps / 2)
    var quarter = 0.0, half = 0.0
    for tap in 0..<taps / 2 {
      let one = factor(tap, 0.25), other = factor(taps - 1 - tap, 0.25), middle = factor(tap, 0.5)
      unsafe (factors + 3 * tap).initialize(to: SIMD4(repeating: Float(0.5 * (one + other))))
      unsafe (factors + 3 * tap + 1).initialize(to: SIMD4(repeating: Float(0.5 * (one - other))))
      unsafe (factors + 3 * tap + 2).initialize(to: SIMD4(repeating: Float(middle)))
      quarter += max(one, -one) + max(other, -other)
      half += 2 * max(middle, -middle)
    }
    largest = Float(1.0001 * max(quarter, half))
    unsafe self.factors = UnsafePointer(factors)
  }

  deinit { unsafe factors.deallocate() }
}

/// The points at a quarter, half and three quarters of the way, for four frames in a row.
private struct Points: BitwiseCopyable {
  private var sums = SIMD4<Float>(), differences = SIMD4<Float>()
  private(set) var two = SIMD4<Float>()
  var one: SIMD4<Float> { @_noLocks @_noAllocation @inline(__always) get { sums + differences } }
  var three: SIMD4<Float> { @_noLocks @_noAllocation @inline(__always) get { sums - differences } }

  @_noLocks @_noAllocation @inline(__always) init() {}

  /// Adds what a pair of samples gives.
  @_noLocks @_noAllocation @inline(__always) @unsafe
  mutating func add(
    _ sum: SIMD4<Float>, _ difference: SIMD4<Float>, _ factors: UnsafePointer<SIMD4<Float>>
  ) {
    unsafe sums += sum * factors[0]
    unsafe differences += difference * factors[1]
    unsafe two += sum * factors[2]
  }
}
