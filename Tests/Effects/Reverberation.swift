// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

/// Measures of room acoustics, from the literature.
enum Reverberation {
  /// Returns the reverberation time T30 of all `responses` in seconds: Schroeder's backward integral (1965), with a
  /// straight line fitted from −5 to −35 dB and extrapolated to −60 (ISO 3382).
  static func t30(_ responses: [[Double]], rate: Double) -> Double {
    let count = responses[0].count
    var integral = [Double](repeating: 0, count: count), sum = 0.0
    for frame in stride(from: count - 1, through: 0, by: -1) {
      for response in responses { sum += response[frame] * response[frame] }
      integral[frame] = sum
    }
    return t30(ofDecay: integral.map { 10 * log10($0 / sum) }, rate: rate)
  }

  /// Returns T30 for a decay given in decibels per frame.
  static func t30(ofDecay decay: [Double], rate: Double) -> Double {
    var n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0
    for (frame, level) in decay.enumerated() where level <= -5 && level >= -35 {
      let time = Double(frame) / rate
      n += 1
      x += time
      y += level
      xx += time * time
      xy += time * level
    }
    return -60 * (n * xx - x * x) / (n * xy - x * y)
  }

  /// Returns `samples` filtered by an octave filter around `frequency`, with eight poles from the cookbook.
  static func octave(_ samples: [Float], _ frequency: Double, rate: Double) -> [Double] {
    let filter = Cookbook(type: 5, frequency: frequency, octaves: 1, gain: 0, rate: rate)
    var signal = samples.map(Double.init)
    for _ in 0..<4 {
      var x1 = 0.0, x2 = 0.0, y1 = 0.0, y2 = 0.0
      for frame in signal.indices {
        let x = signal[frame]
        var y = filter.b[0] * x + filter.b[1] * x1 + filter.b[2] * x2
        y = (y - filter.a[1] * y1 - filter.a[2] * y2) / filter.a[0]
        (x2, x1, y2, y1) = (x1, x, y1, y)
        signal[frame] = y
      }
    }
    return signal
  }

  /// Returns the T30 that an octave filter around `frequency` shows for a white sound that decays at each frequency
  /// with `time`.
  static func expectedT30(around frequency: Double, rate: Double, time: (Double) -> Double) -> Double {
    let filter = Cookbook(type: 5, frequency: frequency, octaves: 1, gain: 0, rate: rate)
    let parts = (-60...60).map { step -> (weight: Double, time: Double) in
      let at = min(frequency * pow(2, Double(step) / 20), 0.499 * rate)
      let gain = pow(10, 4 * Response.formula(b: filter.b, a: filter.a, at, rate: rate) / 10)
      return (gain * at * time(at), time(at))
    }
    let longest = parts.map(\.time).max() ?? 0, whole = parts.reduce(0) { $0 + $1.weight }
    let decay = (0..<2000).map { step -> Double in
      let seconds = longest * Double(step) / 2000
      return 10 * log10(parts.reduce(0) { $0 + $1.weight * pow(10, -6 * seconds / $1.time) } / whole)
    }
    return t30(ofDecay: decay, rate: 2000 / longest)
  }

  /// Returns the normalised echo density around `time` (Abel and Huang 2006): the number of samples in a Hann window
  /// of 20 ms that exceed its standard deviation, relative to Gaussian noise.
  static func echoDensity(_ response: [Float], at time: Double, rate: Double) -> Double {
    let half = Int(0.01 * rate), centre = Int(time * rate)
    var weights: [Double] = [], values: [Double] = []
    for frame in max(0, centre - half)..<min(response.count, centre + half) {
      weights.append(0.5 + 0.5 * cos(.pi * Double(frame - centre) / Double(half)))
      values.append(Double(response[frame]))
    }
    let total = weights.reduce(0, +)
    let deviation = (zip(weights, values).reduce(0) { $0 + $1.0 * $1.1 * $1.1 } / total).squareRoot()
    let outside = zip(weights, values).reduce(0) { abs($1.1) > deviation ? $0 + $1.0 : $0 }
    return outside / total / erfc(0.5.squareRoot())
  }

  /// Returns the correlation of two signals, from −1 to 1.
  static func correlation(_ one: some Sequence<Float>, _ other: some Sequence<Float>) -> Double {
    var products = 0.0, ones = 0.0, others = 0.0
    for (a, b) in zip(one, other) {
      products += Double(a) * Double(b)
      ones += Double(a) * Double(a)
      others += Double(b) * Double(b)
    }
    return products / (ones * others).squareRoot()
  }

  /// Returns the sum of squares.
  static func energy(_ samples: some Sequence<Float>) -> Double {
    samples.reduce(0) { $0 + Double($1) * Double($1) }
  }
}
