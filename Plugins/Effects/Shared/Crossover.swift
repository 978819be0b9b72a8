// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// A crossover frequency that glides logarithmically, with the filter coefficients for it.
///
/// As in an equalizer's band, coefficients are computed every 16 frames of a glide and interpolated linearly in
/// between.
struct Crossover: BitwiseCopyable {
  /// The coefficients of a Linkwitz–Riley crossover's two filters, which have the same poles.
  struct Coefficients: BitwiseCopyable {
    /// A Butterworth low-pass of 12 dB an octave; applied twice, it gives the low band.
    var lowPass: BiquadCoefficients
    /// The all-pass that is the sum of both bands.
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
  /// The coefficients at the start of the segment, their step in each frame and their value at its end; the elapsed
  /// frames and the length of the segment.
  private var start: Coefficients, step: Coefficients, end: Coefficients
  private var elapsed = 0, length = 0

  /// Creates a crossover at rest.
  init(_ frequency: Float, _ sampleRate: Double) {
    self.sampleRate = sampleRate
    self.frequency = frequency
    logarithm = Ramp(rt_log10(frequency))
    start = Self.coefficients(Double(frequency), sampleRate)
    step = start
    end = start
  }

  /// Glides to a frequency in hertz.
  @_noLocks @_noAllocation mutating func glide(to frequency: Float, over frames: Int) {
    start = coefficients(after: 0)
    elapsed = 0
    length = 0
    self.frequency = frequency
    logarithm.glide(to: rt_log10(frequency), over: frames)
    isMoving = logarithm.isMoving
    if !isMoving { finish() }
  }

  /// Finishes the glide at its target.
  @_noLocks @_noAllocation mutating func finish() {
    logarithm.finish()
    isMoving = false
    start = Self.coefficients(Double(frequency), sampleRate)
  }

  /// Begins the next segment if the last one has ended.
  ///
  /// - Returns: the number of frames, at most `frames`, within the segment.
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

  /// Returns the coefficients `frames` frames from now, within the segment.
  @_noLocks @_noAllocation @inline(__always) func coefficients(after frames: Int) -> Coefficients {
    guard isMoving, elapsed + frames > 0 else { return start }
    var now = start
    now.lowPass.add(step.lowPass, times: Double(elapsed + frames))
    now.allPass.add(step.allPass, times: Double(elapsed + frames))
    return now
  }

  /// Advances by `frames` frames within the segment.
  @_noLocks @_noAllocation mutating func advance(_ frames: Int) {
    guard isMoving else { return }
    logarithm.skip(frames)
    elapsed += frames
    guard elapsed == length else { return }
    start = end
    isMoving = logarithm.isMoving
  }

  /// The number of frames for which the filters ring.
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

/// Splits a signal into two bands by filters of 24 dB an octave whose sum is flat, for two channels at once.
///
/// S. Linkwitz and R. Riley, "Active Crossover Networks for Noncoincident Drivers", Journal of the Audio Engineering
/// Society 24 (1), 1976. With D = s² + √2·s + 1 the bands are 1/D² and s⁴/D², and 1 + s⁴ = D · (s² − √2·s + 1): their
/// sum is an all-pass. So the high band is computed as the all-pass minus the low band, and the sum is flat within
/// rounding.
struct LinkwitzRiley: BitwiseCopyable {
  private var first = SIMD2<Double>(), second = SIMD2<Double>()
  private var again = Biquad()

  @_noLocks @_noAllocation init() {}

  /// Writes the low band of `count` frames to `low`, and replaces `samples` by the high band.
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
