// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Testing

@testable import SwiftletJack

@Suite struct TransportTests {
  @Test func `a rolling transport advances by frames, across bars`() {
    // 120 beats per minute at 48 kHz: 24,000 frames a beat.
    let start = Transport(isRolling: true, position: 1000, tempo: 120, bar: 3, beat: 3.5)
    let half = start.advanced(by: 6000, sampleRate: 48_000)
    #expect(half.position == 7000 && half.bar == 3 && half.beat == 3.75)
    let over = start.advanced(by: 24_000, sampleRate: 48_000)
    #expect(over.position == 25_000 && over.bar == 4 && over.beat == 0.5)
    let far = start.advanced(by: 24_000 * 9, sampleRate: 48_000)
    #expect(far.bar == 6 && far.beat == 0.5)
  }

  @Test func `a stopped transport, or one without tempo, keeps its beat`() {
    let still = Transport(isRolling: false, position: 10, tempo: 120, beat: 1)
    #expect(still.advanced(by: 480, sampleRate: 48_000) == still)
    let free = Transport(isRolling: true, position: 10, beat: 1).advanced(by: 480, sampleRate: 48_000)
    #expect(free.position == 490 && free.beat == 1)
  }

  @Test func `invalid values from a timebase source do not trap`() {
    for tempo in [Double.infinity, .nan, 1e300, -5] {
      for length in [Float.nan, 0, -1, .leastNonzeroMagnitude] {
        var wild = Transport(isRolling: true, tempo: tempo, bar: .max, beat: 1e12, beatsPerBar: length)
        wild.moveBeat(by: 1 << 40, sampleRate: 48_000)
      }
    }
  }
}
