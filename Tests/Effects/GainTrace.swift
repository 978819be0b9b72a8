// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

/// The gain of an effect that only changes the level, computed from its input and output.
struct GainTrace {
  /// In decibels per frame; if the input is too low to tell, the previous value.
  let decibels: [Double]

  /// - Parameter latency: The latency of `output` against `input`, in frames.
  init(_ input: [Float], _ output: [Float], latency: Int = 0) {
    var last = 0.0
    decibels = output.indices.map { frame in
      let sample = frame < latency ? 0 : Double(input[frame - latency])
      if abs(sample) > 1e-7, output[frame] != 0 { last = 20 * log10(Double(output[frame]) / sample) }
      return last
    }
  }

  /// Returns the frames after `start` until 63.2 % of the change to the value at `end` are done.
  func frames(from start: Int, to end: Int) -> Int {
    let target = decibels[start] + (decibels[end] - decibels[start]) * (1 - exp(-1))
    let isRising = decibels[end] > decibels[start]
    let there = (start...end).first { isRising ? decibels[$0] >= target : decibels[$0] <= target }
    return (there ?? end) - start
  }
}
