// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// A low-frequency oscillator for modulation effects. Its values go from −1 to 1, rising from 0 after a reset.
///
/// The phase is an integer in units of 2⁻⁶⁴ cycles that wraps around. Steps add up without rounding, so the phase does
/// not drift and does not depend on block sizes.
struct LFO: BitwiseCopyable {
  private var phase: UInt64 = 0
  /// The rate in cycles per second.
  private(set) var rate: Ramp
  /// The waveform, from 0, a sine, to 1, a triangle.
  private var edge: Ramp
  private let perHertz: Double

  /// Creates a sine oscillator at phase 0.
  ///
  /// - Parameter rate: in hertz.
  init(rate: Float, sampleRate: Double) {
    self.rate = Ramp(rate)
    edge = Ramp(0)
    perHertz = 0x1p64 / sampleRate
  }

  /// Restarts at phase 0, and finishes all glides.
  @_noLocks @_noAllocation mutating func reset() {
    phase = 0
    rate.finish()
    edge.finish()
  }

  /// Glides to a rate in hertz.
  @_noLocks @_noAllocation mutating func setRate(_ rate: Float, over frames: Int) {
    self.rate.glide(to: rate, over: frames)
  }

  /// Glides to a waveform, by its index: 0 sine, 1 triangle.
  @_noLocks @_noAllocation mutating func setShape(_ shape: Float, over frames: Int) {
    edge.glide(to: shape < 0.5 ? 0 : 1, over: frames)
  }

  /// Writes the phases of the next `count` frames, and advances by them.
  ///
  /// - Parameter edges: receives the proportion of the triangle in the waveform for each frame.
  @_noLocks @_noAllocation @unsafe mutating func run(
    _ phases: UnsafeMutablePointer<UInt64>, edges: UnsafeMutablePointer<Double>, count: Int
  ) {
    var step = step(rate.target)
    for frame in 0..<count {
      unsafe phases[frame] = phase
      unsafe edges[frame] = Double(edge.value(after: frame + 1))
      if rate.isMoving { step = self.step(rate.value(after: frame + 1)) }
      phase &+= step
    }
    rate.skip(count)
    edge.skip(count)
  }

  @_noLocks @_noAllocation private func step(_ rate: Float) -> UInt64 {
    let step = Double(rate) * perHertz
    return step > 0 ? UInt64(min(step, 0x1p63)) : 0
  }

  /// Returns the values at two phases, which never exceed −1 or 1.
  ///
  /// The sine is the Taylor series of a quarter cycle up to the eleventh power, with an error below 6·10⁻⁸. It is never
  /// too large, because its last term is negative.
  @_noLocks @_noAllocation @inline(__always)
  static func values(_ phase: UInt64, _ other: UInt64, edge: SIMD2<Double>) -> SIMD2<Double> {
    let triangle = SIMD2(saw(phase), saw(other))
    let x = triangle * (.pi / 2), square = x * x
    var sine = 1.0 / 362_880 - square * (1.0 / 39_916_800)
    sine = 1.0 / 120 - square * (1.0 / 5040 - square * sine)
    sine = x * (1 - square * (1.0 / 6 - square * sine))
    return sine + (triangle - sine) * edge
  }

  @_noLocks @_noAllocation @inline(__always) private static func saw(_ phase: UInt64) -> Double {
    2 * abs(Double(Int64(bitPattern: phase &+ (1 << 62))) * 0x1p-63) - 1
  }

  /// Returns a proportion of a cycle, from 0 to 1, as a phase.
  @_noLocks @_noAllocation static func phase(_ cycles: Double) -> UInt64 {
    cycles > 0 && cycles < 1 ? UInt64(cycles * 0x1p64) : 0
  }
}
