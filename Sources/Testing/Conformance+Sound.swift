// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The checks of an effect's processing.
extension Conformance where E: ~Copyable {
  /// Changes that move every parameter to both ends and back, at frames that are no block boundaries.
  private var moves: [Change] {
    var changes: [Change] = [], frame = 301
    for (number, parameter) in parameters.enumerated() {
      let glide = Int(Double(parameter.glide) * sampleRate)
      changes.append(Change(at: frame, number, to: parameter.range.upperBound, over: -glide))
      changes.append(Change(at: frame + 97, number, to: parameter.range.lowerBound, over: glide / 3))
      changes.append(Change(at: frame + 340, number, to: value(of: number), over: -glide))
      frame += 211
    }
    return changes.sorted { $0.frame < $1.frame }
  }

  /// The frames of a second. Within it, even a delay's output begins.
  private var second: Int { Int(sampleRate) }

  func checkBlockSizes() throws(EffectError) -> [String] {
    let moves = moves, input = noise((moves.last?.frame ?? 0) + 8192)
    var whole = try rig()
    let expected = whole.render(input, blockSize: 1024, changes: moves)
    var messages: [String] = []
    for size in [1, 7, 64, 256] {
      var rig = try rig()
      if let difference = firstDifference(expected, rig.render(input, blockSize: size, changes: moves)) {
        messages.append("blocks of 1024 and of \(size) differ at \(difference)")
      }
    }
    return messages
  }

  func checkReset() throws(EffectError) -> [String] {
    let input = noise(second)
    var rig = try rig(), fresh = try self.rig(), messages: [String] = []
    let first = rig.render(input)
    rig.reset()
    if let difference = firstDifference(first, rig.render(input)) {
      messages.append("after a reset the render differs: \(difference)")
    }
    for (number, parameter) in parameters.enumerated() {
      let value = (parameter.range.lowerBound + parameter.range.upperBound) / 2
      rig.set(number, to: value, over: 100_000)
      fresh.set(number, to: value)
    }
    _ = rig.render(noise(5000))
    rig.reset()
    fresh.reset()
    if let difference = firstDifference(fresh.render(input), rig.render(input)) {
      messages.append("a reset during glides does not finish them: \(difference)")
    }
    return messages
  }

  func checkSilence() throws(EffectError) -> [String] {
    var messages: [String] = []
    let variants = [("", [])] + E.presets.map { (" with preset '\($0.name)'", $0.values) }
    for (name, values) in variants {
      var rig = try rig()
      for (number, value) in values { rig.set(number, to: value) }
      let tail = rig.tail
      guard tail >= 0 else { return ["the effect reports a tail of \(tail) frames, which is negative"] }
      // A tail of a minute or more counts as infinite and is not tested.
      guard tail < Int(60 * sampleRate) else { continue }
      _ = rig.render(noise(16_384))
      let quiet = noise(tail + 4096).map { [Float](repeating: 0, count: $0.count) }
      for (channel, samples) in rig.render(quiet).enumerated() {
        guard let loud = samples[tail...].firstIndex(where: { !(abs($0) <= 1e-5) }) else { continue }
        messages.append(
          "channel \(channel) still outputs \(samples[loud]) \(loud) frames after the input fell silent\(name)"
            + "; the effect reports a tail of \(tail) frames")
      }
    }
    return messages
  }

  func checkBadSamples() throws(EffectError) -> [String] {
    var rig = try rig()
    var input = noise(second)
    let bad: [Float] = [
      .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e30,
    ]
    for channel in input.indices {
      for (index, sample) in bad.enumerated() { input[channel][1000 + 37 * index] = sample }
    }
    let output = rig.render(input)
    if let bad = firstBad(output) { return [bad] }
    var silenced = input
    for channel in silenced.indices {
      for index in bad.indices { silenced[channel][1000 + 37 * index] = 0 }
    }
    var undisturbed = try self.rig()
    if let difference = firstDifference(undisturbed.render(silenced), output) {
      return ["invalid samples are not treated as silence: \(difference)"]
    }
    rig.reset()
    var fresh = try self.rig()
    let clean = noise(second)
    if let difference = firstDifference(fresh.render(clean), rig.render(clean)) {
      return ["after invalid samples and a reset the effect differs from a new one: \(difference)"]
    }
    return []
  }

  func checkExtremes() throws(EffectError) -> [String] {
    var messages: [String] = []
    for rate in sampleRates {
      for high in [false, true] {
        var all = try rig(at: rate)
        for (number, parameter) in parameters.enumerated() {
          let end = high ? parameter.range.upperBound : parameter.range.lowerBound
          all.set(number, to: end)
          var one = try rig(at: rate)
          one.set(number, to: end)
          if let bad = firstBad(one.render(noise(2048))) {
            messages.append("\(name(number)) at \(end), \(rate) Hz: \(bad)")
          }
        }
        if let bad = firstBad(all.render(noise(8192))) {
          messages.append("all parameters at their \(high ? "upper" : "lower") ends, \(rate) Hz: \(bad)")
        }
      }
    }
    return messages
  }

  func checkMemory() throws(EffectError) -> [String] {
    let moves = moves, input = noise((moves.last?.frame ?? 0) + 2048)
    var apart = try rig(), messages: [String] = []
    var left = input
    let expected = apart.render(input, changes: moves, inputAfter: &left)
    if let difference = firstDifference(input, left) {
      messages.append("the input was written to: \(difference)")
    }
    guard E.description.worksInPlace else { return messages }
    var within = try rig()
    if let difference = firstDifference(expected, within.render(input, changes: moves, inPlace: true)) {
      messages.append("out of place and in place differ at \(difference)")
    }
    return messages
  }
}
