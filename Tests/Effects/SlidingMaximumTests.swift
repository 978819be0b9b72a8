// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletEffects

struct SlidingMaximumTests {
  private let samples = Signals.noise(2000).map { abs($0) }

  /// Returns `samples` passed through `window` in runs of one to 64 frames.
  private func run(_ window: inout SlidingMaximum, _ samples: [Float]) -> [Float] {
    var samples = samples, start = 0
    while start < samples.count {
      let count = min(start % 64 + 1, samples.count - start)
      samples.withUnsafeMutableBufferPointer { floats in
        if let base = floats.baseAddress { window.run(base + start, count: count) }
      }
      start += count
    }
    return samples
  }

  @Test(arguments: [1, 2, 3, 17, 64, 100, 999, 3000])
  func `the result is the largest of the last frames`(length: Int) {
    var window = SlidingMaximum(length: length, longest: length)
    for (frame, largest) in run(&window, samples).enumerated() {
      #expect(largest == samples[max(0, frame - length + 1)...frame].max())
    }
  }

  @Test(arguments: [(20, 50), (50, 20), (1, 64), (64, 1)])
  func `a new length holds from the second chunk on, and shows no value outside both windows`(
    lengths: (Int, Int)
  ) {
    var window = SlidingMaximum(length: lengths.0, longest: 64)
    let before = Array(samples[..<777]), after = Array(samples[777...])
    _ = run(&window, before)
    window.resize(lengths.1)
    let (shorter, longer) = (min(lengths.0, lengths.1), max(lengths.0, lengths.1))
    for (index, largest) in run(&window, after).enumerated() {
      let frame = 777 + index
      #expect(largest >= samples[(frame - shorter + 1)...frame].max() ?? 0)
      #expect(largest <= samples[(frame - longer + 1)...frame].max() ?? 0)
      if index >= 128 { #expect(largest == samples[(frame - lengths.1 + 1)...frame].max()) }
    }
  }

  @Test func `a cleared window acts like a new one`() {
    var used = SlidingMaximum(length: 30, longest: 64), new = SlidingMaximum(length: 30, longest: 64)
    _ = run(&used, samples)
    used.resize(40)
    used.clear()
    new.resize(40)
    #expect(run(&used, samples) == run(&new, samples))
  }
}
