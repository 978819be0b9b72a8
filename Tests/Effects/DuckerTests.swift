// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct DuckerTests {
  private static let rate = 48_000.0

  private func rig(_ settings: [(Ducker.Parameter, Float)], channels: Int = 1, aside: Int = 1) throws
    -> EffectRig<Ducker>
  {
    let layout = Layout(
      sampleRate: Self.rate, longestBlock: 256, inputs: [channels, aside], outputs: [channels])
    var rig = try EffectRig<Ducker>(layout)
    for (parameter, value) in settings { rig.set(parameter, to: value) }
    return rig
  }

  @Test(arguments: [0, 6, 20, 60] as [Float])
  func `sound is lowered by the depth if the side-chain reaches the threshold`(depth: Float) throws {
    for level in [-60, -37, -35.9, -20, 0.0] {
      var rig = try rig([(.threshold, -36), (.depth, depth)])
      let voice = Signals.sine(300, at: Self.rate, 48_000, amplitude: pow(10, level / 20))
      let music = Signals.noise(48_000), output = rig.render([music], further: [voice])[0]
      let gain = GainTrace(music, output, latency: rig.latency).decibels[47_999]
      #expect(abs(gain + (level > -36 ? Double(depth) : 0)) < 0.02, "\(level) dB")
      #expect(abs(Double(rig.meters[0]) + gain) < 0.02)
    }
  }

  @Test func `the music's level does not matter, and silence leaves it unchanged`() throws {
    var rig = try rig([(.lookAhead, 0)], channels: 2)
    let music = [Signals.noise(9600), Signals.noise(9600, seed: 2)]
    #expect(rig.render(music, further: [[Float](repeating: 0, count: 9600)]) == music)
  }

  @Test(arguments: [(1, 50), (30, 500), (200, 1000)] as [(Float, Float)], [0, 100, 1000] as [Float])
  func `attack, hold and release have their set durations`(times: (Float, Float), hold: Float) throws {
    let lookAhead: Float = 20
    var rig = try rig([
      (.depth, 24), (.attack, times.0), (.release, times.1), (.hold, hold), (.lookAhead, lookAhead),
    ])
    #expect(rig.latency == 960)
    let loud = 96_000, quiet = 400_000, begin = 9600, end = begin + loud
    let music = Signals.sine(6000.7, at: Self.rate, end + quiet)
    let voice = music.indices.map { begin..<end ~= $0 ? music[$0] : 0 }
    let gain = GainTrace(music, rig.render([music], further: [voice])[0], latency: rig.latency)
    let perMillisecond = Self.rate / 1000
    // The gain moves with the voice; the sound is delayed by the look-ahead.
    let attack = Double(gain.frames(from: begin, to: end - 1)) / perMillisecond
    #expect(abs(attack - Double(times.0)) < max(0.05 * Double(times.0), 0.1), "\(attack)")
    let rising = (end..<gain.decibels.count).first { gain.decibels[$0] > gain.decibels[end] + 0.02 } ?? 0
    let window = min(5, Double(times.1) / 25), held = Double(rising - end) / perMillisecond
    #expect(abs(held - max(Double(hold), window)) < 1, "\(held)")
    let release = Double(gain.frames(from: rising, to: gain.decibels.count - 1)) / perMillisecond
    #expect(abs(release / Double(times.1) - 1) < 0.03, "\(release)")
  }

  @Test(arguments: [0, 0.4, 10, 50] as [Float])
  func `with look-ahead the sound is delayed, and lowered before the voice arrives`(time: Float) throws {
    var rig = try rig([(.lookAhead, time), (.attack, 1), (.depth, 40)])
    #expect(rig.latency == Int((time * 48).rounded()))
    let silence = [Float](repeating: 0, count: 9600)
    let impulse = rig.render([Signals.impulse(9600)], further: [silence])[0]
    #expect(impulse.indices.filter { impulse[$0] != 0 } == [rig.latency])
    rig.reset()
    let music = [Float](repeating: 1, count: 9600)
    let voice = silence.indices.map { $0 < 4800 ? 0 : Float(0.5) }
    let output = rig.render([music], further: [voice])[0]
    // When the music of the voice's first frame is output, the attack has run for the look-ahead.
    let expected = -40 * (1 - exp(-Double(rig.latency + 1) / 48))
    #expect(abs(20 * log10(Double(output[4800 + rig.latency])) - expected) < 0.01)
  }

  @Test func `a new look-ahead crossfades from one delay to the other`() throws {
    var rig = try rig([(.lookAhead, 10)])
    let music = Signals.sine(50, at: Self.rate, 24_000), silence = [Float](repeating: 0, count: 24_000)
    let number = Ducker.Parameter.lookAhead.rawValue
    let output = rig.render(
      [music], further: [silence], changes: [Change(at: 9600, number, to: 30, over: 2400)])[0]
    #expect(rig.latency == 1440)
    for frame in 2000..<24_000 {
      let way = min(max(Float(frame - 9599) / 2400, 0), 1), share = way * way * (3 - 2 * way)
      let expected = music[frame - 480] * (1 - share) + (frame < 1440 ? 0 : music[frame - 1440] * share)
      #expect(abs(output[frame] - expected) < 1e-5)
    }
  }

  @Test func `a side-chain with another channel count is accepted`() throws {
    var rig = try rig([(.depth, 20), (.attack, 1)], channels: 1, aside: 3)
    let silence = [Float](repeating: 0, count: 9600)
    _ = rig.render([Signals.noise(9600)], further: [silence, silence, Signals.noise(9600)])
    #expect(abs(rig.meters[0] - 20) < 0.01)
  }
}
