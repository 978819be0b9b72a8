// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTesting

/// Signals of a conversation, made from formulas.
struct ConversationSignals {
  var rate = 48_000.0

  func frames(_ seconds: Double) -> Int { Int(seconds * rate) }

  /// Returns low-passed noise that is modulated at about 3 Hz, as the far end's speech: about −25 dBFS.
  func farVoice(seconds: Double, seed: UInt64 = 1) -> [Float] {
    var generator = SeededGenerator(seed: seed), low: Float = 0
    let pole = Float(0.15 * 48_000 / rate)
    return (0..<frames(seconds)).map { frame in
      low += pole * (Float.random(in: -1...1, using: &generator) - low)
      let swing = Float(0.5 + 0.5 * sin(2 * .pi * 3.1 * Double(frame) / rate))
      return 0.8 * low * swing * swing
    }
  }

  /// Returns a vowel with 20 harmonics that sounds twice a second for 0.35 s.
  func voice(seconds: Double, level: Float = 0.1) -> [Float] {
    (0..<frames(seconds)).map { frame in
      let time = Double(frame) / rate
      guard time.truncatingRemainder(dividingBy: 0.5) < 0.35 else { return 0 }
      let tone = (1...20).reduce(0.0) {
        $0 + sin(2 * .pi * 140 * Double($1) * time + Double($1)) / Double($1)
      }
      return level * Float(tone * (0.6 + 0.4 * sin(2 * .pi * 7 * time)))
    }
  }

  /// Returns white noise with an RMS level in dBFS.
  func noise(seconds: Double, level: Double, seed: UInt64 = 2) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    // Uniform noise to ±1 has an RMS of 1/√3.
    let peak = Float(pow(10, level / 20) * 3.0.squareRoot())
    return (0..<frames(seconds)).map { _ in peak * Float.random(in: -1...1, using: &generator) }
  }

  /// Returns the echo of a sound: the direct path after 5 ms at half level, and 40 reflections within 60 ms.
  func room(_ sound: [Float]) -> [Float] {
    var generator = SeededGenerator(seed: 3)
    var taps = [(frames(0.005), Float(0.5))]
    for way in 0..<40 {
      let time = 0.006 + 0.0013 * Double(way)
      taps.append((frames(time), Float.random(in: -0.2...0.2, using: &generator) * Float(exp(-50 * time))))
    }
    var heard = [Float](repeating: 0, count: sound.count)
    for (delay, gain) in taps {
      for frame in delay..<sound.count { heard[frame] += gain * sound[frame - delay] }
    }
    return heard
  }

  /// The RMS level in dBFS between two times in seconds, of a sound that is delayed by `late` frames.
  func level(_ sound: [Float], _ times: Range<Double>, late: Int = 0) -> Double {
    let part = sound[frames(times.lowerBound) + late..<frames(times.upperBound) + late]
    let power = part.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(part.count)
    return 10 * log10(max(power, 1e-12))
  }

  /// The delay of a sound behind another in frames, at most `limit`, as the maximum of their correlation.
  func lag(of sound: [Float], behind other: [Float], upTo limit: Int) -> Int? {
    (0...limit).max { correlation(sound, other, $0) < correlation(sound, other, $1) }
  }

  private func correlation(_ sound: [Float], _ other: [Float], _ lag: Int) -> Float {
    var sum: Float = 0
    let count = min(sound.count - lag, other.count)
    for frame in stride(from: 0, to: count, by: 7) { sum += sound[frame + lag] * other[frame] }
    return sum
  }
}
