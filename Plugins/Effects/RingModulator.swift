// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Multiplies sound by two sines, at a multiple of the rate.
///
/// What it multiplies by is laid out once for all channels. While nothing of it is heard the sines stand
/// still; they start at 0.
@safe struct RingModulator: ~Copyable {
  /// In hertz.
  var first: Ramp, second: Ramp
  /// How much of the sines is the second, and how much of the sound is multiplied.
  var balance: Ramp, mix: Ramp
  private let sampleRate: Double
  /// Where the sines stand before the stretch, in cycles from 0 to 1.
  private var phases = (0.0, 0.0)
  /// For each frame of a stretch where the sines stand before it, and how far they go in it.
  private let starts: UnsafeMutablePointer<Float>, turns: UnsafeMutablePointer<Float>
  private let otherStarts: UnsafeMutablePointer<Float>, otherTurns: UnsafeMutablePointer<Float>
  /// For each edge between frames the balance, and the mix.
  private let balances: UnsafeMutablePointer<Float>, mixes: UnsafeMutablePointer<Float>
  private let factors: UnsafeMutablePointer<Float>
  private let room: Int

  /// Sines at rest, for up to `most` streams of `stretch` frames.
  init(_ frequencies: (Float, Float), sampleRate: Double, most: Int, stretch: Int) {
    self.sampleRate = sampleRate
    first = Ramp(frequencies.0)
    second = Ramp(frequencies.1)
    balance = Ramp(0.5)
    mix = Ramp(0)
    room = stretch + Phases.spare
    unsafe starts = .allocate(capacity: (6 + most) * room)
    unsafe starts.initialize(repeating: 0, count: (6 + most) * room)
    unsafe turns = unsafe starts + room
    unsafe otherStarts = unsafe turns + room
    unsafe otherTurns = unsafe otherStarts + room
    unsafe balances = unsafe otherTurns + room
    unsafe mixes = unsafe balances + room
    unsafe factors = unsafe mixes + room
  }

  deinit { unsafe starts.deallocate() }

  /// Finishes all glides, and sets the sines to 0.
  @_noLocks @_noAllocation mutating func reset() {
    first.finish()
    second.finish()
    balance.finish()
    mix.finish()
    phases = (0, 0)
  }

  /// Whether anything is to be heard.
  var isAudible: Bool { @_noLocks @_noAllocation get { mix.isMoving || mix.target > 0 } }

  /// How many of `count` frames are all audible, or none.
  @_noLocks @_noAllocation func stretch(_ count: Int) -> Int {
    mix.isMoving ? min(count, mix.remaining) : count
  }

  /// Moves on `count` frames, and if any of it is heard says where the sines stand in them.
  @_noLocks @_noAllocation mutating func advance(_ count: Int) {
    if isAudible {
      unsafe phases.0 = Self.turn(phases.0, by: first, sampleRate, starts, turns, count)
      unsafe phases.1 = Self.turn(phases.1, by: second, sampleRate, otherStarts, otherTurns, count)
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

  /// Lays out what `streams` streams are multiplied by in the frames moved on by last.
  @_noLocks @_noAllocation mutating func layOut(_ streams: Int, count: Int) {
    for number in 0..<streams {
      let way = Float(number + 1) / Float(streams), sink = unsafe factors + number * room
      var group = 0
      while group < count {
        let one = unsafe Self.sine(starts[eightFrom: group] + turns[eightFrom: group] * way)
        let two = unsafe Self.sine(otherStarts[eightFrom: group] + otherTurns[eightFrom: group] * way)
        let balance = unsafe Self.between(balances, group, way), mix = unsafe Self.between(mixes, group, way)
        let carrier = one + (two - one) * balance
        unsafe sink[eightFrom: group] = 1 + (carrier - 1) * mix
        group += 8
      }
    }
  }

  /// Multiplies `count` frames of a stream, and up to a group more.
  @_noLocks @_noAllocation @unsafe
  func run(_ number: Int, _ samples: UnsafeMutablePointer<Float>, count: Int) {
    let source = unsafe factors + number * room
    var group = 0
    while group < count {
      unsafe samples[eightFrom: group] *= source[eightFrom: group]
      group += 8
    }
  }

  /// Turns a sine on frame by frame.
  ///
  /// - Returns: where it then stands.
  @_noLocks @_noAllocation @unsafe private static func turn(
    _ phase: Double, by frequency: Ramp, _ sampleRate: Double, _ starts: UnsafeMutablePointer<Float>,
    _ turns: UnsafeMutablePointer<Float>, _ count: Int
  ) -> Double {
    var phase = phase
    for frame in 0..<count {
      let turn = Double(frequency.value(after: frame + 1)) / sampleRate
      unsafe starts[frame] = Float(phase)
      unsafe turns[frame] = Float(turn)
      phase += turn
      // Frequencies end far below the rates that people use; below 8 kHz there may be some cycles a frame.
      while phase >= 1 { phase -= 1 }
    }
    return phase
  }

  @_noLocks @_noAllocation @inline(__always) @unsafe
  private static func between(_ edges: UnsafeMutablePointer<Float>, _ place: Int, _ way: Float) -> SIMD8<
    Float
  > {
    let before = unsafe edges[eightFrom: place]
    return unsafe before + (edges[eightFrom: place + 1] - before) * way
  }

  /// The sine of so many cycles, within 6e-8 and what a float rounds: folded to a quarter, then Taylor's
  /// series.
  @_noLocks @_noAllocation @inline(__always)
  private static func sine(_ cycles: SIMD8<Float>) -> SIMD8<Float> {
    // At this size a float counts in ones, so adding it rounds.
    let counting: Float = 12_582_912
    let rest = cycles - (cycles + counting - counting)
    var folded = rest
    folded.replace(with: 0.5 - rest, where: rest .> 0.25)
    folded.replace(with: -0.5 - rest, where: rest .< -0.25)
    let turn: Float = 2 * .pi, x = folded * turn, square = x * x
    let eleventh = 1 - square * Float(1.0 / 110)
    let ninth = 1 - square * Float(1.0 / 72) * eleventh
    let seventh = 1 - square * Float(1.0 / 42) * ninth
    let fifth = 1 - square * Float(1.0 / 20) * seventh
    return x * (1 - square * Float(1.0 / 6) * fifth)
  }
}
