// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct EqualizerResponseTests {
  /// A parameter of a band and its value.
  typealias Setting = (band: Int, parameter: Equalizer.BandParameter, value: Float)

  /// Compares the stated response of an equalizer at 200 frequencies with the impulse response of a second one.
  private func compare(
    _ settings: [Setting], gain: Float = 0, channels: Int = 2, rate: Double = 48_000,
    part: String, impulse amplitudes: [Float], hearing weights: [Double]
  ) throws {
    let layout = Layout(sampleRate: rate, longestBlock: 256, channels: channels, bandCount: 4)
    var rig = try EffectRig<Equalizer>(layout)
    var values = Equalizer.parameters(bandCount: 4).map(\.initial)
    values[0] = gain
    rig.set(.gain, to: gain)
    for setting in settings {
      values[Equalizer.Parameter.band(setting.band, setting.parameter).rawValue] = setting.value
      rig.set(.band(setting.band, setting.parameter), to: setting.value)
    }
    let count = rig.tail + 4096
    let heard = rig.render(amplitudes.map { Signals.impulse(count, amplitude: $0) })
    let sum = (0..<count).map { frame in
      Float(zip(heard, weights).reduce(0) { $0 + Double($1.0[frame]) * $1.1 })
    }
    let frequencies = Response.frequencies(Effort.of(200, debug: 20), rate: rate)
    let response = try #require(Equalizer.response(at: frequencies, values: values, layout: layout))
    let total = try #require(response.totals.first { "\($0.part)" == part })
    for (tone, point) in zip(frequencies, total.points) {
      let measured = Response.factor(sum, tone, rate: rate)
      guard point.decibels > -100 else { continue }
      #expect(abs(20 * log10(measured.magnitude) - point.decibels) < 0.01, "\(tone) Hz")
      // At low levels the rounding of the samples turns the phase of the remainder.
      guard point.decibels > -60 else { continue }
      #expect(abs(sin((measured.phase - point.phase) / 2)) < 0.001, "\(tone) Hz")
    }
  }

  private let every: [Setting] = [
    (0, .type, 2), (0, .frequency, 60), (0, .slope, 5), (1, .gain, 7), (1, .frequency, 900),
    (2, .type, 11), (2, .gain, -4), (2, .frequency, 2500), (3, .type, 3), (3, .frequency, 14_000),
    (3, .slope, 2),
  ]

  @Test(arguments: [44_100.0, 48_000, 96_000, 192_000])
  func `the stated response is the measured one`(rate: Double) throws {
    try compare(every, gain: -3, channels: 1, rate: rate, part: "all", impulse: [1], hearing: [1])
  }

  @Test(arguments: 0..<13) func `the stated response of each type is the measured one`(type: Int) throws {
    try compare(
      [(0, .type, Float(type)), (0, .gain, 9), (0, .bandwidth, 1.5), (0, .frequency, 800)], channels: 1,
      part: "all", impulse: [1], hearing: [1])
  }

  @Test func `the stated responses of the channel parts are the measured ones`() throws {
    let sides: [Setting] = every + [(0, .channels, 1), (1, .channels, 3), (2, .channels, 4)]
    try compare(sides, part: "left", impulse: [1, 0], hearing: [1, 0])
    try compare(sides, part: "right", impulse: [0, 1], hearing: [0, 1])
    try compare(sides, part: "mid", impulse: [1, 1], hearing: [0.5, 0.5])
    try compare(sides, part: "side", impulse: [1, -1], hearing: [0.5, -0.5])
  }

  @Test func `there is one total response for each separately treated part`() throws {
    func parts(_ channels: [Float], in layout: Layout) throws -> [String] {
      var values = Equalizer.parameters(bandCount: 4).map(\.initial)
      for (band, part) in channels.enumerated() {
        values[Equalizer.Parameter.band(band, .channels).rawValue] = part
      }
      let response = try #require(Equalizer.response(at: [1000], values: values, layout: layout))
      return response.totals.map { "\($0.part)" }
    }
    let stereo = Layout(sampleRate: 48_000, longestBlock: 64, bandCount: 4)
    let wide = Layout(sampleRate: 48_000, longestBlock: 64, channels: 5, bandCount: 4)
    #expect(try parts([0, 0], in: stereo) == ["all"])
    #expect(try parts([0, 2], in: stereo) == ["left", "right"])
    #expect(try parts([3, 0], in: stereo) == ["mid", "side"])
    #expect(try parts([3, 1], in: stereo) == ["left", "right", "mid", "side"])
    #expect(try parts([3, 1], in: wide) == ["all"])
  }

  @Test func `missing and invalid settings and silence give a response`() throws {
    let layout = Layout(sampleRate: 48_000, longestBlock: 64, bandCount: 2)
    let flat = try #require(Equalizer.response(at: [1000], values: [], layout: layout))
    #expect(flat.totals[0].points == [.init(1)] && flat.bands.count == 2)
    let wild = try #require(
      Equalizer.response(at: [0, 1e9, .nan], values: [.nan, .infinity, -.infinity, .nan], layout: layout))
    #expect(wild.totals[0].points.count == 3)
    let silent = try #require(Equalizer.response(at: [1000], values: [-96], layout: layout))
    #expect(silent.totals[0].points[0].decibels == -.infinity)
    let none = Layout(sampleRate: 48_000, longestBlock: 64, bandCount: -1)
    #expect(Equalizer.response(at: [], values: [], layout: none)?.bands.isEmpty == true)
    let more = Delay.response(at: [1000], values: [], layout: layout)
    #expect(more == nil)
  }
}
