// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletEffects

struct ReverbLineTests {
  /// Returns `count` frames of `line` at `delay`.
  private func read(_ line: borrowing ReverbLine, delay: Int, count: Int) -> [Float] {
    var spare = [Float](repeating: .nan, count: count)
    return spare.withUnsafeMutableBufferPointer { spare in
      guard let base = spare.baseAddress else { return [] }
      return Array(
        UnsafeBufferPointer(start: line.frames(delay: delay, count: count, spare: base), count: count))
    }
  }

  /// Writes the numbers from `frame` on into a line, and overwrites the seven frames after them with NaN.
  private func write(_ count: Int, from frame: Int, to line: inout ReverbLine) {
    for index in 0..<count + 7 { line.writeAddress[index] = index < count ? Float(frame + index) : .nan }
    line.commit(count)
  }

  /// Returns the frames of a line that counts from one, `delay` frames before `frame`.
  private func expected(_ delay: Int, before frame: Int, count: Int) -> [Float] {
    (0..<min(count, delay)).map { Float(max(frame - delay + $0, 0)) }
  }

  @Test(arguments: [64, 65, 71, 83, 160, 500])
  func `every slice is contiguous, at every delay, however often the line has wrapped`(longest: Int) {
    var line = ReverbLine(longest: longest, sliceLength: 64), frame = 1
    for count in [1, 64, 7, 64, 64, 33, 0, 64, 8, 2] + Array(repeating: 61, count: 20) {
      write(count, from: frame, to: &line)
      frame += count
      for delay in 1...longest {
        let count = min(delay, 80)
        #expect(read(line, delay: delay, count: count) == expected(delay, before: frame, count: count))
      }
    }
  }

  @Test func `a slice can be replaced by the next one in place, eight frames at a time`() {
    var line = ReverbLine(longest: 83, sliceLength: 64)
    for round in 0..<50 {
      let frame = 64 * round + 1, old = read(line, delay: 83, count: 64)
      #expect(old == expected(83, before: frame, count: 64))
      for index in 0..<64 {
        if index % 8 == 0, round > 1 { #expect(read(line, delay: 83, count: 64)[index] == old[index]) }
        line.writeAddress[index] = Float(frame + index)
      }
      line.commit(64)
    }
  }

  @Test func `a line is silent before the first frame, and again once cleared`() {
    var line = ReverbLine(longest: 100, sliceLength: 64)
    #expect(read(line, delay: 100, count: 80) == [Float](repeating: 0, count: 80))
    for round in 0..<5 { write(64, from: 64 * round + 1, to: &line) }
    line.clear()
    write(3, from: 1, to: &line)
    #expect(read(line, delay: 5, count: 5) == [0, 0, 1, 2, 3])
  }
}
