// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Continues a sound beyond its end by linear prediction, so that an encoder finds no edge there.
///
/// The coefficients are those of Burg's method, whose prediction always decays: J. P. Burg, "Maximum entropy spectral
/// analysis", 1967.
struct Extrapolation {
  /// The number of coefficients.
  private static let order = 32
  /// The weights of the last samples, the latest first.
  private let weights: [Double]
  private let sound: [Float]

  /// Analyses a sound of one channel.
  init(of sound: [Float]) {
    self.sound = sound
    weights = Self.weights(of: sound.map(Double.init), min(Self.order, sound.count / 4))
  }

  /// Returns `count` samples that follow the sound, within full scale, and faded out over the last quarter.
  func continued(by count: Int) -> [Float] {
    var samples = sound.suffix(weights.count).map(Double.init)
    samples.reserveCapacity(samples.count + count)
    for _ in 0..<count {
      var next = 0.0
      for (delay, weight) in weights.enumerated() { next += weight * samples[samples.count - 1 - delay] }
      samples.append(next)
    }
    let fade = max(count / 4, 1)
    return samples.suffix(count).enumerated().map { index, sample in
      Float(min(max(sample, -1), 1) * min(Double(count - index) / Double(fade), 1))
    }
  }

  private static func weights(of sound: [Double], _ order: Int) -> [Double] {
    var weights: [Double] = [], forward = sound, backward = sound
    for step in 0..<order {
      var product = 0.0, energy = 0.0
      for index in (step + 1)..<sound.count {
        product += forward[index] * backward[index - 1]
        energy += forward[index] * forward[index] + backward[index - 1] * backward[index - 1]
      }
      // Silence, or a sound that is predicted exactly.
      guard energy > 1e-18 else { break }
      let reflection = 2 * product / energy
      for index in stride(from: sound.count - 1, to: step, by: -1) {
        let (ahead, behind) = (forward[index], backward[index - 1])
        forward[index] = ahead - reflection * behind
        backward[index] = behind - reflection * ahead
      }
      weights = zip(weights, weights.reversed()).map { $0 - reflection * $1 } + [reflection]
    }
    return weights
  }
}
