// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct DistortionGlideTests {
  typealias P = Distortion.Parameter

  /// All stages active that do not step by themselves.
  private static let working: [Conformance<Distortion>.Setting] = [
    (P.decimationMix.rawValue, 0), (P.delay.rawValue, 20), (P.decay.rawValue, 20), (P.delayMix.rawValue, 40),
    (P.squaredTerm.rawValue, 1), (P.cubicTerm.rawValue, 0.5), (P.polynomialMix.rawValue, 50),
    (P.mix.rawValue, 80),
  ]

  @Test(.enabled(if: Effort.isFull, "runs in release"), arguments: [1, 2])
  func `all gliding parameters move without clicks, including oversampling`(channels: Int) throws {
    let suite = Conformance<Distortion>(channels: channels, settings: Self.working, without: [.latency])
    let findings = try suite.findings()
    #expect(findings == [])
  }

  @Test(.enabled(if: Effort.isFull, "runs in release"), arguments: Distortion.presets.indices)
  func `every preset passes the conformance suite`(number: Int) throws {
    let preset = Distortion.presets[number]
    // Decimation and rounding are meant to step; modulation bends a sine, and echoes peak late.
    let suite = Conformance<Distortion>(
      sampleRates: [44_100], settings: preset.values, without: [.clicks, .latency, .presets])
    let findings = try suite.findings()
    #expect(findings == [], "\(preset.name)")
  }

  @Test func `a new oversampling factor fades in on equal sound, and then acts as if always set`() throws {
    for (from, to) in [(0, 3), (3, 1), (2, 0), (1, 2)] {
      var rig = try DistortionTests.rig([.gain: 0], oversampling: from)
      var there = try DistortionTests.rig([.gain: 0], oversampling: to)
      let wave = Signals.sine(440, at: 48_000, 48_000, amplitude: 0.5)
      let change = Change(at: 24_000, P.oversampling.rawValue, to: Float(to), over: 960)
      let output = rig.render([wave], changes: [change])[0], expected = there.render([wave])[0]
      #expect(rig.latency == there.latency)
      #expect(output[..<24_000] != expected[..<24_000])
      // The memory of the cuts decays; the rest is equal.
      for frame in 40_000..<48_000 { #expect(abs(output[frame] - expected[frame]) < 1e-5) }
    }
  }

  @Test func `a drive that grows and shrinks passes to another factor without a step`() throws {
    // 8x has the same latency, so both differ by no more than the aliases and the passbands of their filters.
    let changes = [
      Change(at: 9600, P.gain.rawValue, to: 20, over: 2400),
      Change(at: 24_000, P.gain.rawValue, to: 0, over: 2400),
      Change(at: 36_000, P.cubicTerm.rawValue, to: 10, over: 480),
    ]
    let wave = Signals.sine(440, at: 48_000, 48_000, amplitude: 0.5)
    var four = try DistortionTests.rig([.gain: 0], oversampling: 2)
    var parts = try DistortionTests.rig([.gain: 0], oversampling: 2)
    var eight = try DistortionTests.rig([.gain: 0], oversampling: 3)
    let output = four.render([wave], changes: changes)[0],
      expected = eight.render([wave], changes: changes)[0]
    // The drive acts between the filters, which are of different lengths: while it glides, by up to 9 / 2400 in a frame,
    // it acts up to 1.5 frames later in one factor than in the other.
    for frame in 0..<48_000 {
      let isGliding = changes.contains { ($0.frame..<$0.frame + $0.frames + 100).contains(frame) }
      #expect(abs(output[frame] - expected[frame]) < (isGliding ? 0.5 * 1.5 * 9 / 2400 : 1e-3), "\(frame)")
    }
    #expect(four.latency == eight.latency)
    #expect(parts.render([wave], blockSize: 7, changes: changes)[0] == output)
  }

  @Test func `choosing the current factor again changes nothing`() throws {
    var rig = try DistortionTests.rig([.gain: 0]), undisturbed = try DistortionTests.rig([.gain: 0])
    let wave = Signals.noise(9600)
    let again = [1000, 2000].map { Change(at: $0, P.oversampling.rawValue, to: 2, over: 0) }
    #expect(rig.render([wave], changes: again) == undisturbed.render([wave]))
  }

  @Test func `repeated changes end at the last factor`() throws {
    var rig = try DistortionTests.rig([.gain: 0])
    let changes = [(3, 100), (0, 150), (1, 900), (3, 1500), (2, 1501)].map {
      Change(at: $1, P.oversampling.rawValue, to: Float($0), over: 500)
    }
    var undisturbed = try DistortionTests.rig([.gain: 0])
    let wave = Signals.sine(440, at: 48_000, 48_000, amplitude: 0.5)
    let output = rig.render([wave], changes: changes)[0], expected = undisturbed.render([wave])[0]
    for frame in 40_000..<48_000 { #expect(abs(output[frame] - expected[frame]) < 1e-5) }
    #expect(rig.latency == undisturbed.latency)
  }
}
