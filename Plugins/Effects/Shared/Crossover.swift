// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// A crossover frequency that glides logarithmically, with the filter coefficients for it.
///
/// As in an equalizer's band, coefficients are computed every 16 frames of a glide and interpolated linearly in
/// between.
struct Crossover: BitwiseCopyable {
  private static var longestSegment: Int { @_noLocks @_noAllocation get { 16 } }

  /// Whether the frequency glides.
  private(set) var isMoving = false
  /// The section of a Butterworth filter of order 2, for 24 dB an octave.
  private(set) var gentle: CrossoverSection
  /// The two sections of a Butterworth filter of order 4, for 48 dB an octave.
  private(set) var wide: CrossoverSection, narrow: CrossoverSection
  /// The elapsed frames of the segment.
  private(set) var elapsed = 0
  private var frequency: Float
  private var logarithm: Ramp
  /// The length of the segment.
  private var length = 0

  /// Creates a crossover at rest.
  init(_ frequency: Float, _ sampleRate: Double) {
    self.frequency = frequency
    logarithm = Ramp(rt_log10(frequency))
    let hertz = Double(frequency)
    gentle = CrossoverSection(hertz, damping: 1.414_213_562_373_095_1, sampleRate)
    // 2 · cos(π/8) and 2 · cos(3π/8).
    wide = CrossoverSection(hertz, damping: 1.847_759_065_022_573_5, sampleRate)
    narrow = CrossoverSection(hertz, damping: 0.765_366_864_730_179_6, sampleRate)
  }

  /// Glides to a frequency in hertz.
  @_noLocks @_noAllocation mutating func glide(to frequency: Float, over frames: Int) {
    if isMoving {
      gentle.cut(after: elapsed)
      wide.cut(after: elapsed)
      narrow.cut(after: elapsed)
    }
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
    gentle.set(Double(frequency))
    wide.set(Double(frequency))
    narrow.set(Double(frequency))
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
      gentle.begin(there, over: length)
      wide.begin(there, over: length)
      narrow.begin(there, over: length)
    }
    return min(frames, length - elapsed)
  }

  /// Advances by `frames` frames within the segment.
  @_noLocks @_noAllocation mutating func advance(_ frames: Int) {
    guard isMoving else { return }
    logarithm.skip(frames)
    elapsed += frames
    guard elapsed == length else { return }
    gentle.arrive()
    wide.arrive()
    narrow.arrive()
    isMoving = logarithm.isMoving
  }

  /// The number of frames for which the filters ring.
  var tail: Int {
    @_noLocks @_noAllocation get {
      let (one, two, three) = (gentle.start, wide.start, narrow.start)
      let steep = 2 * (two.lowPass.tail + three.lowPass.tail) + two.allPass.tail + three.allPass.tail
      return max(2 * one.lowPass.tail + one.allPass.tail, steep)
    }
  }
}
