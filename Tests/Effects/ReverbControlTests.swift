// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

/// The effect of the reverb's parameters, and their limits.
@Suite(.enabled(if: Effort.isFull, "runs in release"))
struct ReverbControlTests {
  private let parameters = Reverb.parameters

  private func glide(_ parameter: Int, rate: Double = 48_000) -> Int {
    Int((Double(parameters[parameter].glide) * rate).rounded())
  }

  /// Returns the changes with which a host loads a preset: every value over the parameter's own glide.
  private func load(_ preset: String, at frame: Int) -> [Change] {
    ReverbFixture.values(preset).map {
      Change(at: frame, $0.parameter, to: $0.value, over: glide($0.parameter))
    }
  }

  @Test func `there are thirteen presets with their names, and none sets the mix`() {
    #expect(
      ReverbFixture.presets == [
        "small-room", "medium-room", "large-room", "medium-hall", "large-hall", "plate", "medium-chamber",
        "large-chamber", "cathedral", "large-room-2", "medium-hall-2", "medium-hall-3", "large-hall-2",
      ])
    for preset in Reverb.presets {
      // Each sets all other parameters, so no previous value remains.
      #expect(preset.values.map(\.parameter).sorted() == Array(1...12))
    }
  }

  @Test func `a new reverb has the preset medium hall`() throws {
    var fresh = try ReverbFixture.rig(), hall = try ReverbFixture.rig("medium-hall")
    let input = [Signals.noise(20_000), Signals.noise(20_000, seed: 2)]
    #expect(fresh.render(input) == hall.render(input))
  }

  @Test func `mix goes from the exact dry sound to reverb only`() throws {
    let input = [Signals.noise(30_000), Signals.noise(30_000, seed: 2)]
    var dry = try ReverbFixture.rig("cathedral", [(.mix, 0)])
    #expect(dry.render(input) == input)
    var wet = try ReverbFixture.rig("large-hall"), half = try ReverbFixture.rig("large-hall", [(.mix, 50)])
    let alone = wet.render(input), both = half.render(input)
    for frame in 0..<1000 { #expect(alone[0][frame] == 0) }
    for frame in 0..<30_000 {
      let expected = (input[0][frame] + alone[0][frame]) * Float(0.5.squareRoot())
      #expect(abs(both[0][frame] - expected) < 1e-5)
    }
  }

  @Test(arguments: [0, 0.5, 18, 33.33, 250] as [Float]) func `pre-delay moves the whole reverb`(time: Float)
    throws
  {
    let still: [(Reverb.Parameter, Float)] = [(.modulationDepth, 0)]
    let frames = Int((Double(time) * 48).rounded())
    let first = try ReverbFixture.responses("medium-room", seconds: 1, still + [(.preDelay, 0)])
    let moved = try ReverbFixture.responses("medium-room", seconds: 1, still + [(.preDelay, time)])
    for (one, other) in zip(first, moved) {
      #expect(Array(one.dropLast(frames)) == Array(other.dropFirst(frames)))
    }
  }

  @Test(arguments: [50, 400, 1500] as [Float], [1000, 5000, 12_000] as [Float])
  func `the cuts are 3 dB down at their frequencies`(low: Float, high: Float) throws {
    let still: [(Reverb.Parameter, Float)] = [(.modulationDepth, 0), (.balance, 0)]
    let open = try ReverbFixture.responses(
      "medium-room", seconds: 3, still + [(.lowCut, 10), (.highCut, 20_000)])
    let cutLow = try ReverbFixture.responses(
      "medium-room", seconds: 3, still + [(.lowCut, low), (.highCut, 20_000)])
    let cutHigh = try ReverbFixture.responses(
      "medium-room", seconds: 3, still + [(.lowCut, 10), (.highCut, high)])
    func loss(_ cut: [[Float]], _ frequency: Float) -> Double {
      let at = Double(frequency)
      return Response.measured(cut[0], at, rate: 48_000) - Response.measured(open[0], at, rate: 48_000)
    }
    #expect(abs(loss(cutHigh, high) + 3.01) < 0.1)
    // The open low cut attenuates a little, too: a first-order slope at 10 Hz.
    let already = 10 * log10(1 + pow(10 / Double(low), 2))
    #expect(abs(loss(cutLow, low) + 3.01 - already) < 0.3)
  }

  @Test func `width goes from mono to wide at equal energy`() throws {
    let wide = try ReverbFixture.responses("large-hall", seconds: 2)
    let narrow = try ReverbFixture.responses("large-hall", seconds: 2, [(.width, 0)])
    #expect(narrow[0] == narrow[1])
    for width in [0, 30, 70] as [Float] {
      let drawn = try ReverbFixture.responses("large-hall", seconds: 2, [(.width, width)])
      let energy = Reverberation.energy(drawn[0]) + Reverberation.energy(drawn[1])
      let full = Reverberation.energy(wide[0]) + Reverberation.energy(wide[1])
      #expect(abs(10 * log10(energy / full)) < 0.7)
    }
  }

  @Test func `one channel makes two, and up to eight each have their own tail`() throws {
    for (inputs, outputs) in [(1, 1), (1, 2), (2, 2), (3, 3), (5, 5), (6, 6), (8, 8)] {
      var rig = try ReverbFixture.rig("medium-hall", inputs: inputs, outputs: outputs)
      // Only the last channel plays: all outputs receive it.
      let input = (0..<inputs).map { Signals.impulse(48_000, amplitude: $0 == inputs - 1 ? 1 : 0) }
      let tails = rig.render(input).map { $0[9600...] }
      #expect(tails.count == outputs)
      let loudness = tails.map { 10 * log10(Reverberation.energy($0)) }
      #expect((loudness.max() ?? 0) - (loudness.min() ?? 0) < 1.5)
      for one in 0..<outputs {
        for other in 0..<one { #expect(abs(Reverberation.correlation(tails[one], tails[other])) < 0.2) }
      }
    }
    #expect(throws: EffectError.channels(9)) { _ = try ReverbFixture.rig(inputs: 9) }
    #expect(throws: EffectError.channels(3)) { _ = try ReverbFixture.rig(inputs: 2, outputs: 3) }
  }

  @Test func `a new preset fades in without a click, from any other preset`() throws {
    let omega = 2 * Float.pi * 110 / 48_000, sine = Signals.sine(110, at: 48_000, 60_000, amplitude: 0.5)
    for from in ReverbFixture.presets {
      for to in ReverbFixture.presets where to != from {
        var rig = try ReverbFixture.rig(from)
        for channel in rig.render([sine, sine], changes: load(to, at: 40_000)) {
          let peak = channel[30_000...].reduce(Float(0.5)) { max($0, abs($1)) }
          let bound = 4 * peak * (omega * omega + (1 + 2 * omega) / 960)
          var worst: Float = 0
          for frame in 39_000..<60_000 {
            worst = max(worst, abs(channel[frame] - 2 * channel[frame - 1] + channel[frame - 2]))
          }
          #expect(worst <= bound, "from \(from) to \(to)")
        }
      }
    }
  }

  @Test func `the block size does not matter while the room changes`() throws {
    let input = [Signals.noise(60_000), Signals.noise(60_000, seed: 2)]
    let size = Reverb.Parameter.size.rawValue
    var changes = load("cathedral", at: 1001) + load("small-room", at: 3003)
    changes += [
      Change(at: 20_011, size, to: 40, over: 30_000),
      Change(at: 22_000, Reverb.Parameter.preDelay.rawValue, to: 0, over: 10_000),
      Change(at: 23_456, Reverb.Parameter.decayLow.rawValue, to: 30, over: 0),
      Change(at: 24_000, size, to: 2, over: 0),
    ]
    var whole = try ReverbFixture.rig()
    let expected = whole.render(input, blockSize: 1024, changes: changes)
    for blockSize in [1, 7, 64, 100] {
      var parts = try ReverbFixture.rig()
      #expect(parts.render(input, blockSize: blockSize, changes: changes) == expected)
    }
  }

  @Test func `a size that glides far reaches its target`() throws {
    // Once the sound of the transition has decayed, the room equals one that always had this size.
    let click = Signals.impulse(20_000), silence = [Float](repeating: 0, count: 200_000)
    var moved = try ReverbFixture.rig("small-room", inputs: 1, [(.modulationDepth, 0)])
    _ = moved.render(
      [silence], changes: [Change(at: 100, Reverb.Parameter.size.rawValue, to: 30, over: 96_000)])
    var fresh = try ReverbFixture.rig("small-room", inputs: 1, [(.modulationDepth, 0), (.size, 30)])
    #expect(moved.render([click]) == fresh.render([click]))
  }

  @Test func `a room is time-invariant only without modulation`() throws {
    for depth in [0, 0.2] as [Float] {
      var rig = try ReverbFixture.rig("large-hall", inputs: 1, [(.modulationDepth, depth)])
      let early = rig.render([Signals.impulse(48_000)])
      rig.reset()
      let late = rig.render([[Float](repeating: 0, count: 7777) + Signals.impulse(48_000)])
      #expect((Array(late[0].dropFirst(7777)) == early[0]) == (depth == 0))
    }
  }

  /// Every parameter at both ends, all at once at either end, and random combinations of ends.
  private static let extremes: [[(Reverb.Parameter, Float)]] = {
    var ends: [(parameter: Reverb.Parameter, low: Float, high: Float)] = []
    for (number, description) in Reverb.parameters.enumerated() {
      guard let parameter = Reverb.Parameter(rawValue: number), parameter != .mix else { continue }
      ends.append((parameter, description.range.lowerBound, description.range.upperBound))
    }
    var extremes: [[(Reverb.Parameter, Float)]] = [
      ends.map { ($0.parameter, $0.low) }, ends.map { ($0.parameter, $0.high) },
    ]
    for end in ends { extremes += [[(end.parameter, end.low)], [(end.parameter, end.high)]] }
    for seed in 1...12 {
      let signs = Signals.noise(ends.count, seed: UInt64(seed))
      extremes.append(zip(ends, signs).map { ($0.parameter, $1 < 0 ? $0.low : $0.high) })
    }
    return extremes
  }()

  @Test(arguments: extremes.indices)
  func `a minute at the parameters' ends stays bounded`(number: Int) throws {
    var rig = try ReverbFixture.rig(nil, Self.extremes[number])
    let minute = [Signals.noise(60 * 48_000), Signals.noise(60 * 48_000, seed: 2)]
    for channel in rig.render(minute, blockSize: 1024) {
      // Noise of 0 dBFS peak gives a Gaussian tail: 14 dB above its RMS of -4.8 dB suffice for one minute, with 6 dB
      // more where short decays in large rooms have few echoes.
      #expect(channel.allSatisfy { abs($0) < 6 })
    }
  }

  @Test func `a minute of jumps between the parameters' ends stays bounded`() throws {
    var changes: [Change] = []
    for (step, seed) in (0..<2800).enumerated() {
      let signs = Signals.noise(3, seed: UInt64(seed + 1)), number = 1 + Int(abs(signs[0]) * 11.99)
      let range = parameters[number].range
      changes.append(
        Change(
          at: step * 1021, number, to: signs[1] < 0 ? range.lowerBound : range.upperBound,
          over: signs[2] < 0 ? 0 : Int(signs[2] * 9000)))
    }
    var rig = try ReverbFixture.rig()
    for channel in rig.render(
      [Signals.noise(60 * 48_000), Signals.noise(60 * 48_000, seed: 2)], blockSize: 1024, changes: changes)
    {
      #expect(channel.allSatisfy { abs($0) < 40 })
    }
  }
}
