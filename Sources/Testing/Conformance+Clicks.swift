// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletSignal

/// The check for clicks.
extension Conformance where E: ~Copyable {
  /// Moves each parameter from end to end by its own smoothing while a low sine passes.
  ///
  /// A click is a large second difference, which a smooth change does not have. A sine of peak p that advances w
  /// radians a frame has a second difference of at most p·w². A fade with a maximum slope of p·r a frame adds p·r at
  /// each end and 2·p·w·r in between. A linear fade over L frames has r = 1/L; one of d decibels that is linear in
  /// decibels has r = d·ln(10)/20/L. The bound is four times their sum, which leaves room for curved glides. A step
  /// of the whole signal in one frame is far above it.
  func checkClicks() throws(EffectError) -> [String] {
    let phaseStep = 2 * Float.pi * 110 / Float(sampleRate)
    var messages: [String] = []
    for (number, parameter) in parameters.enumerated() where parameter.glide > 0 {
      let glide = Int((Double(parameter.glide) * sampleRate).rounded())
      let settle = 9600, frameCount = settle + glide + settle
      let sine = (0..<frameCount).map { Float(0.5 * sin(Double(phaseStep) * Double($0))) }
      let input = noise(1).map { _ in sine }
      for (from, to) in ends(of: parameter) {
        var rig = try rig()
        rig.set(number, to: from)
        let output = rig.render(input, changes: [Change(at: settle, number, to: to, over: -glide)])
        for (channel, samples) in output.enumerated() {
          let window = (settle / 2)..<frameCount
          let peak = samples[window].reduce(Float(0.5)) { max($0, abs($1)) }
          let nepers = parameter.unit == .decibels ? abs(to - from) * 0.115_129_25 : 1
          let slope = max(nepers, 1) / Float(max(glide, 1))
          let bound = 4 * peak * (phaseStep * phaseStep + (1 + 2 * phaseStep) * slope)
          let bends = window.dropFirst(2).map { abs(samples[$0] - 2 * samples[$0 - 1] + samples[$0 - 2]) }
          let worst = bends.max() ?? 0
          if !(worst <= bound) {
            messages.append(
              "\(name(number)) from \(from) to \(to) over \(glide) frames bends channel \(channel) "
                + "by \(worst); \(bound) is smooth")
          }
        }
      }
    }
    return messages
  }

  private func ends(of parameter: ParameterDescription) -> [(Float, Float)] {
    let low = parameter.range.lowerBound, high = parameter.range.upperBound
    guard parameter.curve == .choice else { return [(low, high), (high, low)] }
    return (0..<Int(high)).map { (Float($0), Float($0 + 1)) } + [(high, low)]
  }
}
