// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// White noise, and pink noise made of it; the same after each reset.
///
/// White noise is evenly spread from −1 to 1. Pink noise has passed a row of first-order filters, each with a
/// pole at 8 Hz times a power of 3 and a zero half the way to the next: steps that average to 10 dB a decade.
@safe struct NoiseSource: ~Copyable {
  /// What brings white and pink noise to the mean power of a full-scale sine.
  let white: Float
  private(set) var pink: Float
  private let count: Int
  /// Poles, zeros, and for each filter its last value in and out.
  private let memory: UnsafeMutablePointer<Double>
  private var state = NoiseSource.seed

  private static var seed: UInt64 { @_noLocks @_noAllocation get { 0x5EED_0F_C0FFEE } }
  /// More filters than the highest sample rate asks for.
  private static var most: Int { 16 }

  init(sampleRate: Double) {
    unsafe memory = .allocate(capacity: 4 * Self.most)
    unsafe memory.initialize(repeating: 0, count: 4 * Self.most)
    var count = 0, frequency = 8.0
    while count < Self.most, frequency * 1.732 < 0.35 * sampleRate {
      unsafe memory[4 * count] = Self.place(frequency / sampleRate)
      unsafe memory[4 * count + 1] = Self.place(frequency * 3.0.squareRoot() / sampleRate)
      frequency *= 3
      count += 1
    }
    self.count = count
    // Evenly spread values have a mean square of 1/3; a full-scale sine has 1/2.
    white = Float(1.5.squareRoot())
    pink = 1
    var power = 0.0
    for frame in 0..<Int(sampleRate) {
      let response = filter(frame == 0 ? 1 : 0)
      power += response * response
    }
    pink = Float((1.5 / power).squareRoot())
    reset()
  }

  deinit { unsafe memory.deallocate() }

  @_noLocks @_noAllocation mutating func reset() {
    state = Self.seed
    for place in 0..<count {
      unsafe memory[4 * place + 2] = 0
      unsafe memory[4 * place + 3] = 0
    }
  }

  /// The next value, from −1 to 1.
  @_noLocks @_noAllocation mutating func next() -> Float {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
  }

  /// Makes a value of white noise one of pink noise.
  @_noLocks @_noAllocation func filter(_ sample: Double) -> Double {
    var x = sample
    for place in 0..<count {
      let at = unsafe memory + 4 * place
      let y = unsafe x - at[1] * at[2] + at[0] * at[3]
      unsafe at[2] = x
      unsafe at[3] = y
      x = y
    }
    return x
  }

  /// Where a corner at this part of the sample rate lies after the bilinear transform.
  private static func place(_ part: Double) -> Double {
    let warped = rt_tan_double(.pi * part)
    return (1 - warped) / (1 + warped)
  }
}
