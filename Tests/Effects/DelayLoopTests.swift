// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

/// The delay's feedback loop: its filters, and the ping-pong between the sides.
struct DelayLoopTests {
  private typealias P = Delay.Parameter

  private func rig(_ settings: [(Delay.Parameter, Float)], channels: Int = 1) throws -> EffectRig<Delay> {
    var rig = try EffectRig<Delay>(Layout(sampleRate: 48_000, longestBlock: 256, channels: channels))
    rig.set(.lowPass, to: 20_000)
    rig.set(.mix, to: 100)
    for (parameter, value) in settings { rig.set(parameter, to: value) }
    return rig
  }

  @Test(arguments: [10, 150, 2000, 8000] as [Float], [20_000, 3000] as [Float])
  func `repeat n is filtered n times by the formulas`(highPass: Float, lowPass: Float) throws {
    var rig = try rig([(.time, 2000), (.feedback, -100), (.highPass, highPass), (.lowPass, lowPass)])
    let output = rig.render([Signals.impulse(3 * 96_000)])[0]
    for frequency in [20, 100, 440, 1000, 5000, 15_000] as [Double] {
      let omega = 2 * Double.pi * frequency / 48_000
      // y += s · (x − y), with the factor s that gives −3 dB at its frequency.
      let rise = 1 - cos(2 * .pi * Double(lowPass) / 48_000), share = (rise * (rise + 2)).squareRoot() - rise
      let low = share * share / (1 - 2 * (1 - share) * cos(omega) + (1 - share) * (1 - share))
      // The bilinear transform of s / (s + ω).
      let edge = tan(.pi * Double(highPass) / 48_000), high = pow(tan(omega / 2), 2)
      let once = 10 * log10((lowPass < 20_000 ? low : 1) * (highPass > 10 ? high / (high + edge * edge) : 1))
      for round in 1...2 {
        let heard = Array(output[96_000 * round..<min(96_000 * (round + 1), output.count)])
        // Beyond that, floats have no more precision.
        guard Double(round) * once > -90 else { continue }
        #expect(
          abs(Response.measured(heard, frequency, rate: 48_000) - Double(round) * once) < 0.02,
          "\(frequency) Hz, repeat \(round)")
      }
    }
  }

  @Test(arguments: [100, -100] as [Float], [0, 1, 2] as [Float])
  func `at full feedback, with filters and ping-pong, the loop only loses energy`(
    feedback: Float, side: Float
  ) throws {
    for (highPass, lowPass) in [(10, 20_000), (40, 9000), (3000, 500), (10_000, 10)] as [(Float, Float)] {
      var rig = try rig(
        [
          (.time, 7.3), (.feedback, feedback), (.highPass, highPass), (.lowPass, lowPass), (.pingPong, side),
        ], channels: 2)
      let noise = (1...2).map { seed in Signals.noise(48_000, seed: UInt64(seed)).map { $0 * 100 } }
      let loud = rig.render(noise)
      #expect(loud.allSatisfy { $0.allSatisfy { abs($0) <= 16 } })
      var last = Double.infinity
      for _ in 0..<6 {
        let rest = rig.render([[Float]](repeating: [Float](repeating: 0, count: 48_000), count: 2))
        let energy = rest.reduce(0) { $1.reduce($0) { $0 + Double($1) * Double($1) } }
        #expect(energy <= last * 1.001)
        last = energy
      }
    }
  }

  @Test func `filters that move under full feedback stay bounded`() throws {
    var changes: [Change] = []
    for step in 0..<400 {
      let isUp = step % 2 == 0
      changes.append(Change(at: step * 240, P.highPass.rawValue, to: isUp ? 10_000 : 10, over: 200))
      changes.append(Change(at: step * 240, P.lowPass.rawValue, to: isUp ? 20_000 : 10, over: 120))
    }
    var rig = try rig([(.time, 3.1), (.feedback, 100)])
    let heard = rig.render([Signals.noise(96_000).map { $0 * 10 }], changes: changes)[0]
    #expect(heard.allSatisfy { abs($0) <= 16 })
  }

  @Test(arguments: [1, 2] as [Float], [50, -50, 100] as [Float])
  func `repeats alternate between the sides, each at its feedback level`(
    side: Float, feedback: Float
  ) throws {
    for (left, right) in [(1, 0), (0, 1), (1, 0.5)] as [(Float, Float)] {
      var rig = try rig([(.time, 10), (.feedback, feedback), (.pingPong, side)], channels: 2)
      let heard = rig.render([
        Signals.impulse(480 * 9, amplitude: left), Signals.impulse(480 * 9, amplitude: right),
      ])
      for frame in 0..<480 * 9 {
        let pass = frame / 480, isRepeat = frame > 0 && frame % 480 == 0
        let level = (left + right) / 2 * pow(feedback / 100, Float(pass - 1))
        // Odd repeats are on the side of the first one.
        let there = (pass % 2 == 1) == (side == 1) ? 0 : 1
        #expect(abs(heard[there][frame] - (isRepeat ? level : 0)) < 1e-6)
        #expect(heard[1 - there][frame] == 0)
      }
    }
  }

  @Test func `only stereo sound alternates between sides`() throws {
    for channels in [1, 3, 4] {
      let input = (0..<channels).map { Signals.noise(2000, seed: UInt64($0 + 1)) }
      var straight = try rig([(.time, 5)], channels: channels)
      var alternating = try rig([(.time, 5), (.pingPong, 1)], channels: channels)
      #expect(straight.render(input) == alternating.render(input))
    }
  }
}
