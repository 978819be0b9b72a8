// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Testing

@Suite struct SampleReadingTests {
  private func reading(_ samples: [Float], from start: Int = 0) -> SampleReading {
    samples.withUnsafeBufferPointer { memory in
      guard let base = memory.baseAddress else { return SampleReading() }
      let samples = Samples(base + start, count: samples.count - start), reading = samples.reading
      // `peak` alone returns the same value.
      #expect(samples.peak == reading.peak)
      return reading
    }
  }

  @Test(arguments: 0...40) func `peak and power match the samples at any length and offset`(count: Int) {
    let samples = (0..<count + 1).map { Float(($0 * 7919) % 101 - 50) / 64 }
    let read = reading(samples, from: 1)
    #expect(read.peak == samples.dropFirst().map(abs).max() ?? 0)
    let squares = samples.dropFirst().reduce(0.0) { $0 + Double($1) * Double($1) }
    #expect(abs(Double(read.squares) - squares) <= squares * 1e-6)
    #expect(read.isFinite)
  }

  @Test(arguments: [0, 5, 8, 15, 16, 17, 19]) func `NaN is detected and excluded from peak and power`(
    index: Int
  ) {
    for bad in [Float.nan, -.nan, .signalingNaN] {
      var samples = [Float](repeating: -0.5, count: 20)
      samples[index] = bad
      let read = reading(samples)
      #expect(!read.isFinite)
      #expect(read.peak == 0.5)
      #expect(read.squares == 19 * 0.25)
    }
  }

  @Test(arguments: [0, 7, 8, 18]) func `infinity is the peak, and the reading is not finite`(index: Int) {
    var samples = [Float](repeating: 0.25, count: 19)
    samples[index] = -.infinity
    #expect(reading(samples).peak == .infinity)
    #expect(!reading(samples).isFinite)
  }

  @Test func `numbers whose squares overflow count as finite`() {
    let read = reading([Float](repeating: 3e38, count: 9))
    #expect(read.isFinite)
    #expect(read.peak == 3e38)
  }
}
