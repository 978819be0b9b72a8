// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct PolarityTests {
  private let left = Signals.noise(64), right = Signals.noise(64, seed: 2)

  private func heard(_ on: Polarity.Parameter...) throws -> [[Float]] {
    var rig = try EffectRig<Polarity>(Layout(sampleRate: 48_000, longestBlock: 256))
    for parameter in on { rig.set(parameter, to: 1) }
    return rig.render([left, right])
  }

  @Test func `each switch has its effect, and no switch has none`() throws {
    let mean = zip(left, right).map { ($0 + $1) / 2 }, half = zip(left, right).map { ($0 - $1) / 2 }
    #expect(try heard() == [left, right])
    #expect(try heard(.invertLeft) == [left.map { -$0 }, right])
    #expect(try heard(.invertRight) == [left, right.map { -$0 }])
    #expect(try heard(.swap) == [right, left])
    #expect(try heard(.swap, .invertLeft) == [right, left.map { -$0 }])
    #expect(try heard(.mono) == [mean, mean])
    #expect(try heard(.mono, .swap, .invertRight) == [half, half])
  }

  @Test func `channels form pairs, and a last one counts as left`() throws {
    var rig = try EffectRig<Polarity>(Layout(sampleRate: 48_000, longestBlock: 256, channels: 3))
    rig.set(.invertLeft, to: 1)
    rig.set(.swap, to: 1)
    #expect(rig.render([left, right, left]) == [right, left.map { -$0 }, left.map { -$0 }])
  }

  @Test func `an immediate switch leaves another one's glide alone`() throws {
    var rig = try EffectRig<Polarity>(Layout(sampleRate: 48_000, longestBlock: 256))
    let ones = [Float](repeating: 1, count: 400)
    let heard = rig.render(
      [ones, ones],
      changes: [
        Change(at: 0, Polarity.Parameter.invertLeft.rawValue, to: 1, over: 400),
        Change(at: 100, Polarity.Parameter.invertRight.rawValue, to: 1),
      ])
    for frame in 0..<400 { #expect(abs(heard[0][frame] - (1 - Float(frame + 1) / 200)) < 1e-6) }
    #expect(heard[1][99] == 1 && heard[1][100] == -1)
  }
}
