// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

/// The gain of a unit that only makes sound louder or softer, read off what went in and what came out.
struct GainTrace {
  /// In decibels, frame by frame; where too little went in to tell, as it was before.
  let decibels: [Double]

  /// - Parameter latency: how many frames `output` lies behind `input`.
  init(_ input: [Float], _ output: [Float], latency: Int = 0) {
    var last = 0.0
    decibels = output.indices.map { frame in
      let sample = frame < latency ? 0 : Double(input[frame - latency])
      if abs(sample) > 1e-7, output[frame] != 0 { last = 20 * log10(Double(output[frame]) / sample) }
      return last
    }
  }

  /// How many frames after `start` 63.2 % of the way to where it is at `end` are done.
  func frames(from start: Int, to end: Int) -> Int {
    let target = decibels[start] + (decibels[end] - decibels[start]) * (1 - exp(-1))
    let isRising = decibels[end] > decibels[start]
    let there = (start...end).first { isRising ? decibels[$0] >= target : decibels[$0] <= target }
    return (there ?? end) - start
  }
}
