// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// Detects true peaks, the peaks between samples. Limiters, meters and exports use it.
///
/// As in ITU-R BS.1770-5, annex 2, the signal is oversampled four times. Peaks may also lie between the oversampled
/// points: up to 0.55 dB higher at 0.45 of the sample rate. So a parabola is fitted to each highest point and its
/// neighbours, which leaves 0.05 dB. The interpolation is a sinc with a Kaiser window. It is longer than the example in
/// the standard, so that sines up to 0.45 of the sample rate are read at most 0.04 dB too low at any phase. Above that
/// frequency, where no interpolation is valid, meters with an interpolation as short as the standard's read higher
/// values. So the short interpolation is also computed, and the higher of both values counts.
@safe public struct TruePeak: ~Copyable {
  /// The latency of the reading in frames, and the number of frames on each side that shape it.
  public static var reach: Int { @_noLocks @_noAllocation get { 12 } }
  /// The number of samples that shape an interpolated point.
  private static var taps: Int { @_noLocks @_noAllocation get { 2 * reach } }
  /// The number of samples that shape a point of the short interpolation, and the number of the other samples before
  /// them.
  private static var meterTaps: Int { @_noLocks @_noAllocation get { 12 } }
  private static var meterStart: Int { @_noLocks @_noAllocation get { reach - meterTaps / 2 } }
  /// The number of past frames that a line must hold in addition to those that are read at once.
  public static var history: Int { @_noLocks @_noAllocation get { taps } }

  /// The factors of the sums and differences of samples on both sides, for the long and the short interpolation.
  private let wide: Kernel, narrow: Kernel
  /// The maximum ratio of a peak to the largest sample around it.
  private let rise: Float
  /// The samples, and the points between them, indexed by the frame before.
  private let wave: UnsafeMutablePointer<Float>
  private let first: UnsafeMutablePointer<Float>, second: UnsafeMutablePointer<Float>
  private let third: UnsafeMutablePointer<Float>, meter: UnsafeMutablePointer<Float>
  /// The largest magnitude of each eight samples.
  private let heights: UnsafeMutablePointer<Float>

  /// Creates a detector for up to `longest` frames at once.
  public init(longest: Int) {
    // One frame before, and padding to the last group of eight.
    let capacity = longest + 8 + Self.taps
    wide = Kernel(taps: Self.taps, Self.kaiser)
    narrow = Kernel(taps: Self.meterTaps, Self.hann)
    // A parabola through three points whose magnitude is at most 1 never exceeds 1.25.
    rise = 1.25 * max(wide.largest, narrow.largest)
    unsafe wave = .allocate(capacity: 5 * capacity)
    unsafe wave.initialize(repeating: 0, count: 5 * capacity)
    unsafe first = unsafe wave + capacity
    unsafe second = unsafe first + capacity
    unsafe third = unsafe second + capacity
    unsafe meter = unsafe third + capacity
    unsafe heights = .allocate(capacity: capacity / 8 + 4)
    unsafe heights.initialize(repeating: 0, count: capacity / 8 + 4)
  }

  deinit {
    unsafe wide.factors.deallocate()
    unsafe narrow.factors.deallocate()
    unsafe wave.deallocate()
    unsafe heights.deallocate()
  }

  /// Raises each of `peaks` to the true peak of the `count` frames last written to `line`, with a latency of
  /// ``reach`` frames. Peaks that cannot exceed `floor` may stay lower. `peaks` must have room for a multiple of eight.
  ///
  /// - Returns: whether any peak may exceed `floor`.
  @_noLocks @_noAllocation @unsafe
  public func raise(
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
        // The last frame also needs the points of the next frame.
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

  /// Computes the largest magnitude of each eight samples.
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

  /// Computes the points between samples for four frames. Both kernels have the same centre, so they share the sums and
  /// differences of samples.
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

  /// Returns the larger magnitude of `b` and `c`; if that is at least as large as its outer neighbour, the magnitude of
  /// the vertex of the parabola through it and its neighbours.
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

  /// Returns a factor of a sinc with a Kaiser window, for a point at the proportion `position` between two samples.
  private static func kaiser(_ tap: Int, at position: Double) -> Double {
    let distance = Double(tap - reach + 1) - position
    let across = distance / Double(reach)
    // A larger beta reads peaks near 0.45 of the sample rate too low, a smaller one reads those near 0.43 too high.
    return KaiserWindow.value(at: across, beta: 4.6) * sinc(distance)
  }

  /// Returns the same with a Hann window.
  private static func hann(_ tap: Int, at position: Double) -> Double {
    let distance = Double(tap - meterTaps / 2 + 1) - position
    let window = 0.5 + 0.5 * rt_cos_double(2 * .pi * distance / Double(meterTaps))
    return window * sinc(distance)
  }

  private static func sinc(_ distance: Double) -> Double {
    rt_sin_double(.pi * distance) / (.pi * distance)
  }
}

/// The factors of the samples for the three points between two samples.
///
/// The factors for the middle point are symmetric, and those for three quarters are those for one quarter reversed. So
/// sums and differences of the samples on both sides suffice for all three: with p = a + b and m = a − b, the products
/// x·a + y·b and y·a + x·b are p·(x + y)/2 plus and minus m·(x − y)/2.
@safe private struct Kernel: BitwiseCopyable {
  /// For each pair of samples, from the outside: half the sum and half the difference of the factors for one quarter,
  /// and the factor for the middle.
  let factors: UnsafePointer<SIMD4<Float>>
  /// The largest magnitude of a point if no sample exceeds 1.
  let largest: Float

  /// Creates a kernel from a function that returns the factor of each of `taps` samples for a position between two
  /// samples. The caller deallocates the factors.
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
}

/// The points at one quarter, half and three quarters between samples, for four consecutive frames.
private struct Points: BitwiseCopyable {
  private var sums = SIMD4<Float>(), differences = SIMD4<Float>()
  private(set) var two = SIMD4<Float>()
  var one: SIMD4<Float> { @_noLocks @_noAllocation @inline(__always) get { sums + differences } }
  var three: SIMD4<Float> { @_noLocks @_noAllocation @inline(__always) get { sums - differences } }

  @_noLocks @_noAllocation @inline(__always) init() {}

  /// Adds the contribution of a pair of samples.
  @_noLocks @_noAllocation @inline(__always) @unsafe
  mutating func add(
    _ sum: SIMD4<Float>, _ difference: SIMD4<Float>, _ factors: UnsafePointer<SIMD4<Float>>
  ) {
    unsafe sums += sum * factors[0]
    unsafe differences += difference * factors[1]
    unsafe two += sum * factors[2]
  }
}
