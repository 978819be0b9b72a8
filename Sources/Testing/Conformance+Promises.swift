// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The checks of an effect's description.
extension Conformance where E: ~Copyable {
  func checkDescription() -> [String] {
    var messages: [String] = []
    let description = E.description
    if !isSymbol("\(description.symbol)") { messages.append("'\(description.symbol)' is no symbol") }
    if !"\(description.uri)".contains(":") { messages.append("'\(description.uri)' is no URI") }
    for group in [E.parameters, E.bands?.parameters ?? []] {
      var seen = Set<String>()
      for parameter in group {
        let symbol = "\(parameter.symbol)"
        if !isSymbol(symbol) { messages.append("'\(symbol)' is no symbol") }
        if !seen.insert(symbol).inserted { messages.append("'\(symbol)' stands twice") }
        if !parameter.range.contains(parameter.initial) {
          messages.append("'\(symbol)' starts at \(parameter.initial), outside \(parameter.range)")
        }
        if parameter.curve == .logarithmic && parameter.range.lowerBound <= 0 {
          messages.append("'\(symbol)' is logarithmic and reaches \(parameter.range.lowerBound)")
        }
        if parameter.curve == .choice && parameter.choices.count != Int(parameter.range.upperBound) + 1 {
          messages.append("'\(symbol)' has \(parameter.choices.count) names for \(parameter.range)")
        }
      }
    }
    for (key, parameter) in zip(E.Parameters.Key.allCases, E.parameters) {
      if camelCase("\(parameter.symbol)") != "\(key)" {
        messages.append("the parameter '\(parameter.symbol)' is called '\(key)' in Swift")
      }
    }
    for (key, parameter) in zip(E.BandParameters.Key.allCases, E.bands?.parameters ?? []) {
      if camelCase("\(parameter.symbol)") != "\(key)" {
        messages.append("the parameter '\(parameter.symbol)' of a band is called '\(key)' in Swift")
      }
    }
    let most = E.parameters(bandCount: E.bands?.count.upperBound ?? 0).count
    for number in 0..<most where E.Parameter(rawValue: number)?.rawValue != number {
      messages.append("number \(number) names no parameter, or another one")
    }
    for number in [-1, most] where E.Parameter(rawValue: number) != nil {
      messages.append("number \(number) names a parameter that is not described")
    }
    return messages
  }

  /// Returns the name in Swift: `lowPass` for `low-pass`.
  private func camelCase(_ symbol: String) -> String {
    let words = symbol.split(separator: "-")
    return words.prefix(1).joined()
      + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  func checkPresets() throws(EffectError) -> [String] {
    var messages: [String] = [], seen = Set<String>()
    for choice in E.Preset.allCases {
      let preset = choice.describe(), name = "\(preset.name)"
      if !isSymbol(name) { messages.append("'\(name)' is no symbol") }
      if camelCase(name) != "\(choice)" { messages.append("'\(name)' is the name of the case '\(choice)'") }
      if !seen.insert(name).inserted { messages.append("'\(name)' stands twice") }
      for (number, value) in preset.values {
        guard parameters.indices.contains(number) else {
          messages.append("'\(name)' sets parameter \(number), which is not there")
          continue
        }
        if !parameters[number].range.contains(value) {
          messages.append(
            "'\(name)' sets \(self.name(number)) to \(value), outside \(parameters[number].range)")
        }
      }
      for rate in sampleRates {
        var rig = try rig(at: rate)
        for (number, value) in preset.values { rig.set(number, to: value) }
        if let bad = firstBad(rig.render(noise(4096))) { messages.append("'\(name)' at \(rate) Hz, \(bad)") }
      }
    }
    return messages
  }

  func checkLatency() throws(EffectError) -> [String] {
    var rig = try rig()
    let latency = rig.latency
    guard latency >= 0 else {
      return ["the effect reports a latency of \(latency) frames, which is negative"]
    }
    var input = noise(latency + 4096).map { [Float](repeating: 0, count: $0.count) }
    for channel in input.indices { input[channel][0] = 1 }
    let output = rig.render(input)
    var messages: [String] = []
    for (channel, samples) in output.enumerated() {
      let peak = samples.indices.max { abs(samples[$0]) < abs(samples[$1]) } ?? 0
      if peak != latency && samples[peak] != 0 {
        messages.append(
          "an impulse leaves channel \(channel) after \(peak) frames; the effect reports a latency of \(latency)"
        )
      }
    }
    return messages
  }

  /// Returns whether `name` consists of lower-case words joined by hyphens.
  private func isSymbol(_ name: String) -> Bool {
    let words = name.split(separator: "-", omittingEmptySubsequences: false)
    return words.allSatisfy { word in
      !word.isEmpty && word.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) }
    }
  }
}
