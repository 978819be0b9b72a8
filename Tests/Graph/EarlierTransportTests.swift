// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Testing

@testable import SwiftletGraph

/// The transport that a node behind latency receives. At 120 beats per minute and 48 kHz a beat is 24,000 frames.
@Suite struct EarlierTransportTests {
  private func rolling(bar: Int32, beat: Double, tempo: Double = 120, beatsPerBar: Float = 4) -> Transport {
    Transport(
      isRolling: true, position: 1_000_000, tempo: tempo, bar: bar, beat: beat, beatsPerBar: beatsPerBar)
  }

  @Test(arguments: [
    // (frames, bar, beat), from bar 7, beat 1.5
    (0, 7, 1.5), (12_000, 7, 1), (36_000, 7, 0), (48_000, 6, 3.5), (132_000, 6, 0), (144_000, 5, 3.5),
    (612_000, 1, 0), (624_000, 1, 0), (100_000_000, 1, 0),
  ])
  func `going back crosses bar lines, but stops at the first bar`(
    _ frames: Int, _ bar: Int32, _ beat: Double
  ) {
    let past = rolling(bar: 7, beat: 1.5).earlier(by: frames, sampleRate: 48_000)
    #expect(past.bar == bar)
    #expect(abs(past.beat - beat) < 1e-9)
    #expect(past.position == 1_000_000 - Int64(frames))
  }

  @Test func `bars of three beats are supported`() {
    let past = rolling(bar: 3, beat: 0, beatsPerBar: 3).earlier(by: 24_000, sampleRate: 48_000)
    #expect(past.bar == 2 && past.beat == 2)
  }

  @Test func `a stopped transport is unchanged, and one without tempo keeps its beat`() {
    let still = Transport(isRolling: false, position: 10, tempo: 120, bar: 2, beat: 1)
    #expect(still.earlier(by: 480, sampleRate: 48_000) == still)
    let free = rolling(bar: 2, beat: 1, tempo: 0).earlier(by: 480, sampleRate: 48_000)
    #expect(free.position == 999_520 && free.bar == 2 && free.beat == 1)
  }

  // A loop over the bars would not terminate for these values.
  @Test(arguments: [1e300, .infinity, .nan, -5, 1e12, .leastNonzeroMagnitude])
  func `an invalid tempo neither takes time nor traps`(_ tempo: Double) {
    for beatsPerBar in [4, Float.leastNonzeroMagnitude, .infinity, .nan, -1, 0] {
      for bar in [Int32.max, .min, 0, 1, 7] {
        for beat in [0, -1e300, 1e300, Double.nan] {
          let past = rolling(bar: bar, beat: beat, tempo: tempo, beatsPerBar: beatsPerBar)
            .earlier(by: 1 << 40, sampleRate: 48_000)
          #expect(past.bar <= max(bar, 1))
        }
      }
    }
  }
}
