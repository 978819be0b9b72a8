// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct EqualizerSlopeTests {
  /// The filter orders for the slopes.
  private static let orders = [1, 2, 3, 4, 6, 8, 12, 16]

  private func rig(_ type: Filter.Kind, _ slope: Int, _ frequency: Float, octaves: Float = 1, rate: Double)
    throws -> EffectRig<Equalizer>
  {
    var rig = try EffectRig<Equalizer>(Layout(sampleRate: rate, longestBlock: 256, channels: 1, bandCount: 1))
    rig.set(.band(0, .type), to: Float(type.rawValue))
    rig.set(.band(0, .slope), to: Float(slope))
    rig.set(.band(0, .frequency), to: frequency)
    rig.set(.band(0, .bandwidth), to: octaves)
    return rig
  }

  @Test(arguments: [.lowPass, .highPass] as [Filter.Kind], Array(orders.enumerated()).map { [$0, $1] })
  func `a pass of each slope follows Butterworth's formula`(kind: Filter.Kind, slope: [Int]) throws {
    for rate in Effort.of([44_100.0, 48_000, 96_000, 192_000], debug: [48_000]) {
      for frequency in [150, 4000] as [Float] {
        var rig = try rig(kind, slope[0], frequency, rate: rate)
        let impulse = rig.render([Signals.impulse(rig.tail + 4096)])[0]
        for tone in Response.frequencies(Effort.of(200, debug: 20), rate: rate) {
          // Sampling warps frequencies: those of the formula are tangents.
          let ratio = tan(.pi * tone / rate) / tan(.pi * Double(frequency) / rate)
          let power = pow(kind == .lowPass ? ratio : 1 / ratio, Double(2 * slope[1]))
          let expected = -10 * log10(1 + power)
          guard expected > -100 else { continue }
          let heard = Response.measured(impulse, tone, rate: rate)
          #expect(abs(heard - expected) < 0.05, "\(tone) Hz: \(heard) dB, expected \(expected) dB")
        }
      }
    }
  }

  @Test(arguments: [.lowPass, .highPass] as [Filter.Kind], Array(orders.enumerated()).map { [$0, $1] })
  func `in the stop band a pass falls by its slope`(kind: Filter.Kind, slope: [Int]) throws {
    let rate = 192_000.0, frequency = kind == .lowPass ? 60.0 : 6000
    var rig = try rig(kind, slope[0], Float(frequency), rate: rate)
    let impulse = rig.render([Signals.impulse(rig.tail + 4096)])[0]
    // Between 20 and 40 dB of attenuation.
    let step = pow(10, 1 / Double(slope[1])), one = kind == .lowPass ? step : 1 / step
    let near = Response.measured(impulse, frequency * one, rate: rate),
      far = Response.measured(impulse, frequency * one * one, rate: rate)
    let requested = [6.0, 12, 18, 24, 36, 48, 72, 96][slope[0]]
    #expect(abs((near - far) / log2(step) / requested - 1) < 0.01)
  }

  @Test(arguments: [.resonantLowPass, .resonantHighPass] as [Filter.Kind], [0.3, 1, 3] as [Float])
  func `a resonant pass lifts its frequency by its Q, at any slope`(
    kind: Filter.Kind, octaves: Float
  ) throws {
    let q = 1 / (2 * sinh(log(2) / 2 * Double(octaves)))
    for slope in 1..<Self.orders.count {
      var rig = try rig(kind, slope, 2000, octaves: octaves, rate: 48_000)
      let impulse = rig.render([Signals.impulse(rig.tail + 4096)])[0]
      #expect(abs(Response.measured(impulse, 2000, rate: 48_000) - 20 * log10(q)) < 0.01, "slope \(slope)")
    }
    // A single pole does not resonate.
    var rig = try rig(kind, 0, 2000, octaves: octaves, rate: 48_000)
    let impulse = rig.render([Signals.impulse(rig.tail + 4096)])[0]
    #expect(abs(Response.measured(impulse, 2000, rate: 48_000) + 3.0103) < 0.001)
  }

  @Test(arguments: 0..<8, 0..<8)
  func `a new slope fades in, and then acts as if always set`(from: Int, to: Int) throws {
    var changed = try rig(.lowPass, from, 500, rate: 48_000), set = try rig(.lowPass, to, 500, rate: 48_000)
    let sine = Signals.sine(1000, at: 48_000, 24_000, amplitude: 0.5)
    let number = Equalizer.Parameter.band(0, .slope).rawValue
    let heard = changed.render([sine], changes: [Change(at: 9600, number, to: Float(to), over: 960)])[0]
    let expected = set.render([sine])[0]
    #expect(zip(heard, expected).suffix(4800).allSatisfy { abs($0 - $1) < 1e-5 })
    // Without a step: during the fade, too, it bends at most like the louder sine.
    let bends = (9600..<12_000).map { frame -> Float in
      abs(heard[frame] - 2 * heard[frame - 1] + heard[frame - 2])
    }
    let omega = Float(2 * Double.pi * 1000 / 48_000)
    #expect((bends.max() ?? 0) < 0.5 * omega * omega * 1.2)
  }
}
