// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Testing

struct DelayLineTests {
  /// Reads `count` frames of `line` at `delay`.
  private func read(_ line: borrowing DelayLine, delay: Int, count: Int) -> [Float] {
    [Float](unsafeUninitializedCapacity: count) { buffer, filled in
      if let base = buffer.baseAddress { line.read(base, delay: delay, count: count) }
      filled = count
    }
  }

  @Test func `a delay line returns the written frames at every delay, also after wrapping around`() {
    var line = DelayLine(longest: 13), frame = 0
    for count in [1, 5, 13, 2, 7, 13, 4, 11, 3] {
      let samples = (0..<count).map { Float(frame + $0 + 1) }
      samples.withUnsafeBufferPointer { if let base = $0.baseAddress { line.write(base, count: count) } }
      frame += count
      for delay in 1...13 {
        let expected = (0..<delay).map { Float(max(frame - delay + $0 + 1, 0)) }
        #expect(read(line, delay: delay, count: delay) == expected)
        #expect(line.read(delay: delay) == expected[0])
        #expect(read(line, delay: delay, count: delay / 2) == Array(expected[..<(delay / 2)]))
      }
    }
  }

  @Test func `frames written one by one equal a written block`() {
    var line = DelayLine(longest: 4)
    for frame in 1...7 { line.write(Float(frame)) }
    #expect(read(line, delay: 4, count: 4) == [4, 5, 6, 7])
  }

  @Test func `a delay line is silent before the first frame and after clear`() {
    var line = DelayLine(longest: 5)
    #expect(read(line, delay: 5, count: 5) == [0, 0, 0, 0, 0])
    for frame in 1...9 { line.write(Float(frame)) }
    line.clear()
    line.write(10)
    #expect(read(line, delay: 5, count: 5) == [0, 0, 0, 0, 10])
    #expect(line.read(delay: 2) == 0)
  }
}
