// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletSignal
import SwiftletTesting
import Testing

@testable import SwiftletEffects

struct LFOTests {
  /// Returns the values of `count` frames, requested `step` at a time.
  private func values(_ lfo: inout LFO, _ count: Int, step: Int) -> [Double] {
    let phases = UnsafeMutablePointer<UInt64>.allocate(capacity: step)
    let edges = UnsafeMutablePointer<Double>.allocate(capacity: step)
    defer {
      phases.deallocate()
      edges.deallocate()
    }
    var values: [Double] = []
    while values.count < count {
      lfo.run(phases, edges: edges, count: min(step, count - values.count))
      for frame in 0..<min(step, count - values.count) {
        values.append(LFO.values(phases[frame], 0, edge: SIMD2(repeating: edges[frame])).x)
      }
    }
    return values
  }

  @Test(arguments: [0.01, 0.3, 1, 10] as [Float], [44_100.0, 48_000, 192_000])
  func `the sine and triangle shapes are exact`(rate: Float, sampleRate: Double) {
    var sine = LFO(rate: rate, sampleRate: sampleRate), triangle = LFO(rate: rate, sampleRate: sampleRate)
    triangle.setShape(1, over: 0)
    let round = values(&sine, 100_000, step: 64), pointed = values(&triangle, 100_000, step: 64)
    var worst = (round: 0.0, pointed: 0.0, beyond: 0.0)
    for frame in 0..<100_000 {
      let angle = 2 * Double.pi * Double(rate) * Double(frame) / sampleRate
      worst.round = max(worst.round, abs(round[frame] - sin(angle)))
      worst.pointed = max(worst.pointed, abs(pointed[frame] - 2 / .pi * asin(sin(angle))))
      worst.beyond = max(worst.beyond, abs(round[frame]), abs(pointed[frame]))
    }
    #expect(worst.round < 1e-7)
    #expect(worst.pointed < 1e-6)
    #expect(worst.beyond <= 1)
  }

  @Test func `after millions of frames the phase is exact, for any block lengths`() {
    let count = Effort.of(10_000_000, debug: 100_000)
    for step in [1, 64, 100_000] {
      var lfo = LFO(rate: 1.5, sampleRate: 48_000)
      _ = values(&lfo, count, step: step)
      let angle = 2 * Double.pi * (1.5 * Double(count) / 48_000).truncatingRemainder(dividingBy: 1)
      #expect(abs(values(&lfo, 1, step: 1)[0] - sin(angle)) < 1e-7)
    }
  }

  @Test func `while rate and shape glide, block lengths do not matter`() {
    func render(_ step: Int) -> [Double] {
      var lfo = LFO(rate: 0.5, sampleRate: 48_000)
      lfo.setRate(9, over: 5000)
      lfo.setShape(1, over: 3000)
      return values(&lfo, 20_000, step: step)
    }
    #expect(render(1) == render(64))
    #expect(render(7) == render(64))
  }
}
