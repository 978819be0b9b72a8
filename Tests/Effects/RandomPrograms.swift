// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

/// Programmes of all kinds, deterministic by seed, with nothing above 20 kHz at 48 kHz.
struct RandomPrograms {
  private var state: UInt64
  private let lowPass: [Double]

  init(seed: UInt64) {
    state = seed
    lowPass = (-64...64).map { tap in
      let cut = 0.4, angle = Double.pi * Double(tap), window = 0.5 + 0.5 * cos(angle / 65)
      return window * (tap == 0 ? 2 * cut : sin(2 * cut * angle) / angle)
    }
  }

  mutating func number(in range: ClosedRange<Double>) -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return range.lowerBound + (range.upperBound - range.lowerBound) * Double(state >> 11) / Double(1 << 53)
  }

  mutating func program(_ frameCount: Int) -> [Float] {
    let count = frameCount + 128, kind = Int(number(in: 0...4.999))
    var raw = [Double](repeating: 0, count: count)
    switch kind {
    case 0:  // chords
      for _ in 0..<4 {
        let omega = 2 * Double.pi * pow(10, number(in: -3...(-0.5))), phase = number(in: 0...6.2)
        for frame in raw.indices { raw[frame] += sin(omega * Double(frame) + phase) }
      }
    case 1:  // noise in bursts
      var level = 1.0
      for frame in raw.indices {
        if frame % 150 == 0 { level = pow(10, number(in: -2...0.3)) }
        raw[frame] = number(in: -1...1) * level
      }
    case 2:  // noise that was clipped before
      for frame in raw.indices { raw[frame] = max(-1, min(1, number(in: -4...4))) }
    case 3:  // clicks
      for frame in raw.indices where number(in: 0...1) < 0.01 { raw[frame] = number(in: -4...4) }
    default:  // square waves
      let period = number(in: 4...400)
      for frame in raw.indices {
        raw[frame] = (Double(frame) / period).truncatingRemainder(dividingBy: 1) < 0.5 ? 1 : -1
      }
    }
    return (0..<frameCount).map { frame in
      Float(lowPass.indices.reduce(0) { $0 + lowPass[$1] * raw[frame + $1] })
    }
  }
}
