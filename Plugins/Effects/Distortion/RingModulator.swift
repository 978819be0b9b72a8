// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Multiplies a signal by two sines, at a multiple of the sample rate.
///
/// The factors are computed once for all channels. While the mix is 0, the sines stop; they start at 0.
@safe struct RingModulator: ~Copyable {
  /// The frequencies in hertz.
  var first: Ramp, second: Ramp
  /// The proportion of the second sine, and the proportion of the modulated signal.
  var balance: Ramp, mix: Ramp
  private let sampleRate: Double
  /// The phases of the sines at the start of the slice, in cycles from 0 to 1.
  private var phases = (0.0, 0.0)
  /// For each frame of a slice the phases at its start, and the phase advances in it.
  private let starts: UnsafeMutablePointer<Float>, increments: UnsafeMutablePointer<Float>
  private let otherStarts: UnsafeMutablePointer<Float>, otherIncrements: UnsafeMutablePointer<Float>
  /// The balance and the mix at the boundaries between frames.
  private let balances: UnsafeMutablePointer<Float>, mixes: UnsafeMutablePointer<Float>
  private let factors: UnsafeMutablePointer<Float>
  private let capacity: Int

  /// Creates sines at phase 0, for up to `most` streams of `sliceLength` frames.
  init(_ frequencies: (Float, Float), sampleRate: Double, most: Int, sliceLength: Int) {
    self.sampleRate = sampleRate
    first = Ramp(frequencies.0)
    second = Ramp(frequencies.1)
    balance = Ramp(0.5)
    mix = Ramp(0)
    capacity = sliceLength + PolyphaseBuffer.spare
    unsafe starts = .allocate(capacity: (6 + most) * capacity)
    unsafe starts.initialize(repeating: 0, count: (6 + most) * capacity)
    unsafe increments = unsafe starts + capacity
    unsafe otherStarts = unsafe increments + capacity
    unsafe otherIncrements = unsafe otherStarts + capacity
    unsafe balances = unsafe otherIncrements + capacity
    unsafe mixes = unsafe balances + capacity
    unsafe factors = unsafe mixes + capacity
  }

  deinit { unsafe starts.deallocate() }

  /// Finishes all glides, and sets the phases to 0.
  @_noLocks @_noAllocation mutating func reset() {
    first.finish()
    second.finish()
    balance.finish()
    mix.finish()
    phases = (0, 0)
  }

  /// Whether the modulated signal is audible.
  var isAudible: Bool { @_noLocks @_noAllocation get { mix.isMoving || mix.target > 0 } }

  /// Returns the number of frames, at most `count`, that either all are audible or all are not.
  @_noLocks @_noAllocation func sliceLength(atMost count: Int) -> Int {
    mix.isMoving ? min(count, mix.remaining) : count
  }

  /// Advances by `count` frames, and computes the phases in them if the modulation is audible.
  @_noLocks @_noAllocation mutating func advance(_ count: Int) {
    if isAudible {
      unsafe phases.0 = Self.computePhases(phases.0, by: first, sampleRate, starts, increments, count)
      unsafe phases.1 = Self.computePhases(
        phases.1, by: second, sampleRate, otherStarts, otherIncrements, count)
      for edge in 0...count {
        unsafe balances[edge] = balance.value(after: edge)
        unsafe mixes[edge] = mix.value(after: edge)
      }
    }
    first.skip(count)
    second.skip(count)
    balance.skip(count)
    mix.skip(count)
  }

  /// Computes the factors of `streams` streams for the frames of the last advance.
  @_noLocks @_noAllocation mutating func layOut(_ streams: Int, count: Int) {
    for number in 0..<streams {
      let fraction = Float(number + 1) / Float(streams), sink = unsafe factors + number * capacity
      var group = 0
      while group < count {
        let one = unsafe Self.sine(starts[eightFrom: group] + increments[eightFrom: group] * fraction)
        let two = unsafe Self.sine(
          otherStarts[eightFrom: group] + otherIncrements[eightFrom: group] * fraction)
        let balance = unsafe Self.between(balances, group, fraction),
          mix = unsafe Self.between(mixes, group, fraction)
        let carrier = one + (two - one) * balance
        unsafe sink[eightFrom: group] = 1 + (carrier - 1) * mix
        group += 8
      }
    }
  }

  /// Multiplies `count` frames of a stream by the factors, and up to a vectorised group more.
  @_noLocks @_noAllocation @unsafe
  func run(_ number: Int, _ samples: UnsafeMutablePointer<Float>, count: Int) {
    let source = unsafe factors + number * capacity
    var group = 0
    while group < count {
      unsafe samples[eightFrom: group] *= source[eightFrom: group]
      group += 8
    }
  }

  /// Computes the phases of a sine frame by frame.
  ///
  /// - Returns: the phase at the end.
  @_noLocks @_noAllocation @unsafe private static func computePhases(
    _ phase: Double, by frequency: Ramp, _ sampleRate: Double, _ starts: UnsafeMutablePointer<Float>,
    _ increments: UnsafeMutablePointer<Float>, _ count: Int
  ) -> Double {
    var phase = phase
    for frame in 0..<count {
      let increment = Double(frequency.value(after: frame + 1)) / sampleRate
      unsafe starts[frame] = Float(phase)
      unsafe increments[frame] = Float(increment)
      phase += increment
      // Frequencies are far below all usual sample rates; with a rate below 8 kHz a frame may span several cycles.
      while phase >= 1 { phase -= 1 }
    }
    return phase
  }

  @_noLocks @_noAllocation @inline(__always) @unsafe
  private static func between(
    _ edges: UnsafeMutablePointer<Float>, _ index: Int, _ fraction: Float
  ) -> SIMD8<Float> {
    let before = unsafe edges[eightFrom: index]
    return unsafe before + (edges[eightFrom: index + 1] - before) * fraction
  }

  /// Returns the sine of a number of cycles, with an error below 6e-8 plus rounding. The phase is folded to a quarter
  /// cycle, and the sine computed by its Taylor series.
  @_noLocks @_noAllocation @inline(__always)
  private static func sine(_ cycles: SIMD8<Float>) -> SIMD8<Float> {
    // A float of this size has a resolution of 1, so the addition rounds.
    let counting: Float = 12_582_912
    let rest = cycles - (cycles + counting - counting)
    var folded = rest
    folded.replace(with: 0.5 - rest, where: rest .> 0.25)
    folded.replace(with: -0.5 - rest, where: rest .< -0.25)
    let circle: Float = 2 * .pi, x = folded * circle, square = x * x
    let eleventh = 1 - square * Float(1.0 / 110)
    let ninth = 1 - square * Float(1.0 / 72) * eleventh
    let seventh = 1 - square * Float(1.0 / 42) * ninth
    let fifth = 1 - square * Float(1.0 / 20) * seventh
    return x * (1 - square * Float(1.0 / 6) * fifth)
  }
}
