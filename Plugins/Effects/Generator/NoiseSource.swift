// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// A source of white and pink noise; the noise is identical after each reset.
///
/// White noise is uniformly distributed from −1 to 1. Pink noise is white noise after first-order filters in series,
/// each with a pole at 8 Hz times a power of 3 and a zero halfway (logarithmically) to the next pole: this averages to
/// −10 dB a decade.
@safe struct NoiseSource: ~Copyable {
  /// The factors that give white and pink noise the mean power of a full-scale sine.
  let white: Float
  private(set) var pink: Float
  private let count: Int
  /// For each filter: its pole, its zero, its last input and its last output.
  private let memory: UnsafeMutablePointer<Double>
  private var state = NoiseSource.seed

  private static var seed: UInt64 { @_noLocks @_noAllocation get { 0x5EED_0F_C0FFEE } }
  /// The maximum number of filters, more than the highest sample rate needs.
  private static var most: Int { 16 }

  init(sampleRate: Double) {
    unsafe memory = .allocate(capacity: 4 * Self.most)
    unsafe memory.initialize(repeating: 0, count: 4 * Self.most)
    var count = 0, frequency = 8.0
    while count < Self.most, frequency * 1.732 < 0.35 * sampleRate {
      unsafe memory[4 * count] = Self.coefficient(at: frequency / sampleRate)
      unsafe memory[4 * count + 1] = Self.coefficient(at: frequency * 3.0.squareRoot() / sampleRate)
      frequency *= 3
      count += 1
    }
    self.count = count
    // The mean square of a uniform distribution is 1/3, that of a full-scale sine 1/2.
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
    for number in 0..<count {
      unsafe memory[4 * number + 2] = 0
      unsafe memory[4 * number + 3] = 0
    }
  }

  /// Returns the next value of white noise, from −1 to 1.
  @_noLocks @_noAllocation mutating func next() -> Float {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
  }

  /// Returns a value of pink noise from one of white noise.
  @_noLocks @_noAllocation func filter(_ sample: Double) -> Double {
    var x = sample
    for number in 0..<count {
      let section = unsafe memory + 4 * number
      let y = unsafe x - section[1] * section[2] + section[0] * section[3]
      unsafe section[2] = x
      unsafe section[3] = y
      x = y
    }
    return x
  }

  /// Returns the coefficient of a corner at this proportion of the sample rate, by the bilinear transform.
  private static func coefficient(at part: Double) -> Double {
    let warped = rt_tan_double(.pi * part)
    return (1 - warped) / (1 + warped)
  }
}
