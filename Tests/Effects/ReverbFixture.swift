// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting

/// A reverb for measurements, fully wet by default.
enum ReverbFixture {
  static let presets = Reverb.presets.map { "\($0.name)" }
  static let halls = presets.filter { $0.contains("hall") }

  static func rig(
    _ preset: String? = nil, inputs: Int = 2, outputs: Int? = nil, rate: Double = 48_000,
    _ values: [(Reverb.Parameter, Float)] = []
  ) throws -> EffectRig<Reverb> {
    var rig = try EffectRig<Reverb>(
      Layout(sampleRate: rate, longestBlock: 1024, inputs: [inputs], outputs: [outputs ?? max(inputs, 2)]))
    for (number, value) in self.values(preset) { rig.set(number, to: value) }
    rig.set(.mix, to: 100)
    for (parameter, value) in values { rig.set(parameter, to: value) }
    return rig
  }

  static func values(_ preset: String?) -> [(parameter: Int, value: Float)] {
    Reverb.presets.first { "\($0.name)" == preset }?.values ?? []
  }

  /// Returns a preset's value of a parameter.
  static func value(_ parameter: Reverb.Parameter, _ preset: String) -> Double {
    Double(values(preset).first { $0.parameter == parameter.rawValue }?.value ?? .nan)
  }

  /// Returns the responses of all outputs to an impulse in each input, in order.
  static func responses(
    _ preset: String? = nil, seconds: Double, rate: Double = 48_000, inputs: Int = 2,
    _ values: [(Reverb.Parameter, Float)] = []
  ) throws -> [[Float]] {
    let frameCount = Int(seconds * rate)
    return try (0..<inputs).flatMap { clicked in
      var rig = try rig(preset, inputs: inputs, rate: rate, values)
      return rig.render(
        (0..<inputs).map {
          $0 == clicked ? Signals.impulse(frameCount) : Signals.impulse(frameCount, amplitude: 0)
        })
    }
  }

  /// Returns the decay time between low and high frequencies, by the formula of the effect's documentation.
  static func time(low: Double, high: Double, crossover: Double, at frequency: Double) -> Double {
    let above = pow(frequency / crossover, 2)
    return (1 + above) / (1 / low + above / high)
  }
}
