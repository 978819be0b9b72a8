// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct TremoloTests {
  private typealias P = Tremolo.Parameter
  private let ones = [Float](repeating: 1, count: 48_000)

  private func heard(_ settings: [(Tremolo.Parameter, Float)], tempo: Double = 0, beatUnit: Float = 4) throws
    -> [[Float]]
  {
    var rig = try EffectRig<Tremolo>(Layout(sampleRate: 48_000, longestBlock: 256))
    rig.transport = Transport(tempo: tempo, beatUnit: beatUnit)
    for (parameter, value) in settings { rig.set(parameter, to: value) }
    return rig.render([ones, ones])
  }

  /// Returns the number of cycles per second, counted by downward crossings of the middle.
  private func swings(_ samples: [Float]) -> Int {
    let middle = ((samples.max() ?? 0) + (samples.min() ?? 0)) / 2
    return zip(samples, samples.dropFirst()).count { $0 >= middle && $1 < middle }
  }

  @Test func `a sine swings between full level and the level given by the depth`() throws {
    let heard = try heard([(.rate, 4), (.depth, 60)])
    for frame in 0..<48_000 {
      let expected = 1 - 0.6 * (0.5 - 0.5 * cos(2 * .pi * 4 * Double(frame) / 48_000))
      #expect(abs(Double(heard[0][frame]) - expected) < 1e-5)
    }
    #expect(heard[0] == heard[1])
  }

  @Test func `triangle, rise and fall are straight lines between jumps of 4 ms`() throws {
    let lines: [(Float, (Double) -> Double)] = [
      (1, { abs(1 - 2 * $0) }), (2, { $0 < 0.5 ? 1 : 0 }), (3, { $0 }), (4, { 1 - $0 }),
    ]
    for (shape, line) in lines {
      let heard = try heard([(.rate, 2), (.depth, 100), (.shape, shape)])[0]
      for frame in 0..<48_000 {
        let part = (Double(frame) / 24_000).truncatingRemainder(dividingBy: 1)
        let sinceJump = part < 0.5 ? part : part - 0.5
        if sinceJump * 24_000 > 200 {
          #expect(abs(Double(heard[frame]) - line(part)) < 1e-4, "shape \(shape), frame \(frame)")
        }
      }
      for (one, next) in zip(heard, heard.dropFirst()) { #expect(abs(next - one) <= 1.001 / 192) }
    }
  }

  @Test func `the right channel lags by the phase`() throws {
    let heard = try heard([(.rate, 2), (.depth, 100), (.phase, 90)])
    for frame in 6000..<48_000 { #expect(abs(heard[1][frame] - heard[0][frame - 6000]) < 1e-5) }
    let sides = try self.heard([(.rate, 2), (.depth, 100), (.phase, 180)])
    for frame in 0..<48_000 { #expect(abs(sides[0][frame] + sides[1][frame] - 1) < 1e-5) }
  }

  // Whole to sixteenth, dotted quarter and eighth, triplets of the same.
  @Test(arguments: zip([1, 2, 3, 4, 5, 9, 10, 15, 16], [0.5, 1, 2, 4, 8, 4 / 3.0, 8 / 3.0, 3, 6]))
  func `a cycle has the length of its note`(note: Int, hertz: Double) throws {
    // 120 quarters per minute, and the same tempo in eighths.
    for (tempo, beatUnit) in [(120.0, Float(4)), (240, 8)] {
      let led = try heard([(.note, Float(note)), (.rate, 13)], tempo: tempo, beatUnit: beatUnit)[0]
      for frame in stride(from: 0, to: 48_000, by: 97) {
        let expected = 0.75 + 0.25 * cos(2 * .pi * hertz * Double(frame) / 48_000)
        #expect(abs(Double(led[frame]) - expected) < 1e-4)
      }
    }
  }

  @Test func `without a tempo or a note the rate applies`() throws {
    #expect(swings(try heard([(.note, 3), (.rate, 7)])[0]) == 7)
    #expect(swings(try heard([(.rate, 7)], tempo: 120)[0]) == 7)
    #expect(swings(try heard([(.note, 3), (.rate, 7)], tempo: .infinity)[0]) >= 0)
  }

  @Test(.enabled(if: Effort.isFull, "runs in release"), arguments: 0..<5)
  func `every shape passes the conformance suite`(shape: Int) throws {
    let suite = Conformance<Tremolo>(
      settings: [(P.shape.rawValue, Float(shape)), (P.phase.rawValue, 90), (P.depth.rawValue, 100)],
      without: [.clicks])
    let findings = try suite.findings()
    #expect(findings == [])
  }
}
