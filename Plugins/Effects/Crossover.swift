// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// Where sound is cut in two: a frequency that glides by equal ratios, and what filters multiply with there.
///
/// As in an equalizer's band, coefficients are made anew every 16 frames of a glide and go straight between.
struct Crossover: BitwiseCopyable {
  /// The two filters of a Linkwitz–Riley crossover, which have the same poles.
  struct Coefficients: BitwiseCopyable {
    /// A Butterworth low-pass of 12 dB an octave; twice, it is the lower half.
    var lowPass: BiquadCoefficients
    /// What both halves sum up to.
    var allPass: BiquadCoefficients
  }

  private static var longestSegment: Int { @_noLocks @_noAllocation get { 16 } }
  /// 1/Q of a Butterworth filter.
  private static var damping: Double { @_noLocks @_noAllocation get { 1.414_213_562_373_095_1 } }

  /// Whether the frequency glides.
  private(set) var isMoving = false
  private let sampleRate: Double
  private var frequency: Float
  private var logarithm: Ramp
  /// Where the segment begins, what is added each frame, where it ends, how much is done and how long it is.
  private var start: Coefficients, step: Coefficients, end: Coefficients
  private var elapsed = 0, length = 0

  /// A crossover at rest.
  init(_ frequency: Float, _ sampleRate: Double) {
    self.sampleRate = sampleRate
    self.frequency = frequency
    logarithm = Ramp(rt_log10(frequency))
    start = Self.coefficients(Double(frequency), sampleRate)
    step = start
    end = start
  }

  /// Heads for a frequency in hertz.
  @_noLocks @_noAllocation mutating func glide(to frequency: Float, over frames: Int) {
    start = coefficients(after: 0)
    elapsed = 0
    length = 0
    self.frequency = frequency
    logarithm.glide(to: rt_log10(frequency), over: frames)
    isMoving = logarithm.isMoving
    if !isMoving { finish() }
  }

  /// Ends the glide where it was heading.
  @_noLocks @_noAllocation mutating func finish() {
    logarithm.finish()
    isMoving = false
    start = Self.coefficients(Double(frequency), sampleRate)
  }

  /// Begins the next segment where one is due.
  ///
  /// - Returns: how many of `frames` lie in it.
  @_noLocks @_noAllocation mutating func begin(_ frames: Int) -> Int {
    guard isMoving else { return frames }
    if elapsed == length {
      elapsed = 0
      length = min(Self.longestSegment, logarithm.remaining)
      let isLast = length == logarithm.remaining
      let there = isLast ? Double(frequency) : rt_pow_double(10, Double(logarithm.value(after: length)))
      end = Self.coefficients(there, sampleRate)
      step = Coefficients(
        lowPass: start.lowPass.step(to: end.lowPass, over: length),
        allPass: start.allPass.step(to: end.allPass, over: length))
    }
    return min(frames, length - elapsed)
  }

  /// What filters multiply with so many frames from now, within the segment.
  @_noLocks @_noAllocation @inline(__always) func coefficients(after frames: Int) -> Coefficients {
    guard isMoving, elapsed + frames > 0 else { return start }
    var now = start
    now.lowPass.add(step.lowPass, times: Double(elapsed + frames))
    now.allPass.add(step.allPass, times: Double(elapsed + frames))
    return now
  }

  /// Moves on `frames` frames within the segment.
  @_noLocks @_noAllocation mutating func advance(_ frames: Int) {
    guard isMoving else { return }
    logarithm.skip(frames)
    elapsed += frames
    guard elapsed == length else { return }
    start = end
    isMoving = logarithm.isMoving
  }

  /// For how many frames the filters ring on.
  var tail: Int {
    @_noLocks @_noAllocation get {
      let filters = Self.coefficients(Double(frequency), sampleRate)
      return 2 * filters.lowPass.tail + filters.allPass.tail
    }
  }

  @_noLocks @_noAllocation
  private static func coefficients(_ frequency: Double, _ sampleRate: Double) -> Coefficients {
    let corner = rt_tan_double(.pi * min(frequency, 0.49 * sampleRate) / sampleRate)
    return Coefficients(
      lowPass: BiquadCoefficients(corner: corner, damping: damping, through: 0, bandpass: 0, lowpass: 1),
      allPass: BiquadCoefficients(
        corner: corner, damping: damping, through: 1, bandpass: -2 * damping, lowpass: 0))
  }
}

/// Cuts sound in two by filters of 24 dB an octave that sum flat, for two channels at once.
///
/// After S. Linkwitz and R. Riley, "Active Crossover Networks for Noncoincident Drivers", Journal of the Audio
/// Engineering Society 24 (1), 1976. With D = s² + √2·s + 1 the halves are 1/D² and s⁴/D², and
/// 1 + s⁴ = D · (s² − √2·s + 1): their sum is an all-pass. So the upper half is the all-pass less the lower
/// half, and the sum is flat to the last bit.
struct LinkwitzRiley: BitwiseCopyable {
  private var first = SIMD2<Double>(), second = SIMD2<Double>()
  private var again = Biquad()

  @_noLocks @_noAllocation init() {}

  /// Puts the lower half of `count` frames in `low`, and leaves the upper half in their place.
  @_noLocks @_noAllocation @unsafe
  mutating func run(
    _ samples: UnsafeMutablePointer<SIMD2<Double>>, low: UnsafeMutablePointer<SIMD2<Double>>, count: Int,
    _ crossover: Crossover
  ) {
    var filter = self
    if crossover.isMoving {
      for frame in 0..<count {
        let with = crossover.coefficients(after: frame + 1)
        unsafe filter.next(&samples[frame], low: &low[frame], with)
      }
    } else {
      let with = crossover.coefficients(after: 0)
      for frame in 0..<count { unsafe filter.next(&samples[frame], low: &low[frame], with) }
    }
    self = filter
  }

  @_noLocks @_noAllocation @inline(__always)
  private mutating func next(
    _ sample: inout SIMD2<Double>, low: inout SIMD2<Double>, _ with: Crossover.Coefficients
  ) {
    let l = with.lowPass, a = with.allPass, x = sample
    let once = l.d * x + (l.c1 * first + l.c2 * second)
    let whole = a.d * x + (a.c1 * first + a.c2 * second)
    let one = l.b1 * x + (l.a11 * first + l.a12 * second)
    second = l.b2 * x + (l.a21 * first + l.a22 * second)
    first = one
    low = again.next(once, l)
    sample = whole - low
  }
}
