// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct EqualizerSidesTests {
  /// A parametric band that works on a part of the sound.
  private func rig(_ part: Int, channels: Int) throws -> EffectRig<Equalizer> {
    var rig = try EffectRig<Equalizer>(
      Layout(sampleRate: 48_000, longestBlock: 256, channels: channels, bandCount: 2))
    rig.set(.band(0, .frequency), to: 700)
    rig.set(.band(0, .gain), to: 12)
    rig.set(.band(0, .channels), to: Float(part))
    return rig
  }

  /// Returns the sound as filtered by the band on all channels.
  private func filtered(_ samples: [Float]) throws -> [Float] {
    var rig = try rig(0, channels: 1)
    return rig.render([samples])[0]
  }

  private func near(_ heard: [Float], _ expected: [Float]) -> Bool {
    zip(heard, expected).allSatisfy { abs($0 - $1) < 2e-6 }
  }

  @Test func `a band on the left or right leaves the other channel unchanged, bit by bit`() throws {
    let left = Signals.noise(2000), right = Signals.noise(2000, seed: 2)
    var one = try rig(1, channels: 2), other = try rig(2, channels: 2)
    let leftOnly = one.render([left, right]), rightOnly = other.render([left, right])
    #expect(try near(leftOnly[0], filtered(left)) && leftOnly[1] == right)
    #expect(try near(rightOnly[1], filtered(right)) && rightOnly[0] == left)
  }

  @Test func `a band on mid or side leaves the other unchanged`() throws {
    let left = Signals.noise(2000), right = Signals.noise(2000, seed: 2)
    let mid = zip(left, right).map { ($0 + $1) / 2 }, side = zip(left, right).map { ($0 - $1) / 2 }
    var one = try rig(3, channels: 2), other = try rig(4, channels: 2)
    let midOnly = one.render([left, right]), sideOnly = other.render([left, right])
    #expect(try near(zip(midOnly[0], midOnly[1]).map { ($0 + $1) / 2 }, filtered(mid)))
    #expect(near(zip(midOnly[0], midOnly[1]).map { ($0 - $1) / 2 }, side))
    #expect(try near(zip(sideOnly[0], sideOnly[1]).map { ($0 - $1) / 2 }, filtered(side)))
    #expect(near(zip(sideOnly[0], sideOnly[1]).map { ($0 + $1) / 2 }, mid))
  }

  @Test(arguments: [1, 3, 5]) func `other channel counts ignore the choice`(channels: Int) throws {
    let input = (0..<channels).map { Signals.noise(1000, seed: UInt64($0 + 1)) }
    var all = try rig(0, channels: channels)
    let expected = all.render(input)
    for part in 1...4 {
      var rig = try rig(part, channels: channels)
      #expect(rig.render(input) == expected)
    }
  }

  @Test func `a change of the part is a smooth fade`() throws {
    // A high-pass removes DC. There is none on the side, so it returns.
    var rig = try rig(0, channels: 2)
    rig.set(.band(0, .type), to: 2)
    let ones = [Float](repeating: 1, count: 6000), number = Equalizer.Parameter.band(0, .channels).rawValue
    let heard = rig.render([ones, ones], changes: [Change(at: 3000, number, to: 4, over: 960)])
    for frame in 2000..<6000 {
      let way = Double(min(max(frame - 2999, 0), 960)) / 960, line = way * way * (3 - 2 * way)
      #expect(abs(Double(heard[0][frame]) - line) < 1e-5 && heard[0][frame] == heard[1][frame])
    }
  }
}
