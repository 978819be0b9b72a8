// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// A low-frequency oscillator: what makes modulation effects swing, from −1 to 1, rising from 0 after a reset.
///
/// The phase is a whole number of 2⁻⁶⁴ cycles that wraps around. Steps add up without rounding: it does not
/// drift however long it runs, and does not hang on how the sound is cut into blocks.
struct LFO: BitwiseCopyable {
  private var phase: UInt64 = 0
  /// In cycles a second.
  private(set) var rate: Ramp
  /// From 0, a sine, to 1, a triangle.
  private var edge: Ramp
  private let perHertz: Double

  /// A sine at rest in phase 0.
  ///
  /// - Parameter rate: in hertz.
  init(rate: Float, sampleRate: Double) {
    self.rate = Ramp(rate)
    edge = Ramp(0)
    perHertz = 0x1p64 / sampleRate
  }

  /// Begins anew at phase 0, with all glides finished.
  @_noLocks @_noAllocation mutating func reset() {
    phase = 0
    rate.finish()
    edge.finish()
  }

  /// Heads for a rate in hertz.
  @_noLocks @_noAllocation mutating func setRate(_ rate: Float, over frames: Int) {
    self.rate.glide(to: rate, over: frames)
  }

  /// Heads for a shape, by its number.
  @_noLocks @_noAllocation mutating func setShape(_ shape: Float, over frames: Int) {
    edge.glide(to: shape < 0.5 ? 0 : 1, over: frames)
  }

  /// Writes the phases of the next `count` frames, and steps past them.
  ///
  /// - Parameter edges: how much of a triangle the shape is at each.
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

  /// The value at a phase: never beyond −1 or 1, for sine and triangle alike.
  ///
  /// The sine is Taylor's series of a quarter turn up to the eleventh power, right to 6·10⁻⁸ and never too
  /// large, as its last term takes away.
  @_noLocks @_noAllocation @inline(__always)
  static func value(_ phase: UInt64, edge: Double) -> Double {
    let saw = Double(Int64(bitPattern: phase &+ (1 << 62))) * 0x1p-63
    let triangle = 2 * abs(saw) - 1
    let x = triangle * (.pi / 2), square = x * x
    var sine = 1.0 / 362_880 - square / 39_916_800
    sine = 1.0 / 120 - square * (1.0 / 5040 - square * sine)
    sine = x * (1 - square * (1.0 / 6 - square * sine))
    return sine + (triangle - sine) * edge
  }

  /// A share of a cycle from 0 to 1 as a phase.
  @_noLocks @_noAllocation static func phase(_ cycles: Double) -> UInt64 {
    cycles > 0 && cycles < 1 ? UInt64(cycles * 0x1p64) : 0
  }
}
