// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTesting
import SwiftletTimeline
import Testing

/// Compares the audio thread's table with the map that it was made from.
@Suite struct TempoTableTests {
  @Test(arguments: 0..<50) func `a table agrees with its map at each frame`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var map = try TempoMap(Double.random(in: 30...250, using: &random))
    for _ in 0..<random.below(6) {
      try map.setTempo(
        Double.random(in: 30...250, using: &random), at: Double(random.below(200)),
        glides: Bool.random(using: &random))
    }
    for _ in 0..<random.below(5) {
      let timeSignature = try TempoMap.TimeSignature(1 + random.below(9), [2, 4, 8, 16][random.below(4)])
      try map.setTimeSignature(timeSignature, fromBar: 1 + random.below(40))
    }
    let table = TempoTable(map, sampleRate: 44_100)
    for _ in 0..<200 {
      let frame = Int64(random.below(10_000_000)), time = MediaTime(frames: frame, at: 44_100)
      let moment = table.moment(at: frame), quarters = map.quarters(at: time)
      let wanted = try #require(map.position(of: quarters))
      // Compared in quarter notes: rounding may put the two positions into adjacent bars.
      let timeSignature = try #require(map.timeSignatures.last { $0.bar <= Int(moment.bar) }).timeSignature
      let there = try map.quarters(of: BarBeat(bar: Int(moment.bar))) + moment.beat * timeSignature.beat
      #expect(abs(there - quarters) < 1e-6, "\(moment) for \(wanted)")
      #expect(moment.beat >= 0 && moment.beat < Double(timeSignature.beats) + 1e-6)
      #expect(Int(moment.beatsPerBar) == timeSignature.beats && Int(moment.beatUnit) == timeSignature.unit)
      #expect(abs(moment.tempo - map.tempo(at: time) * Double(timeSignature.unit) / 4) < 1e-6)
    }
  }

  @Test func `a bar line has beat 0, and a frame before the start has bar 1`() throws {
    let table = TempoTable(try TempoMap(120), sampleRate: 48_000)
    let bar = table.moment(at: 96_000)
    #expect(bar.bar == 2 && bar.beat == 0 && bar.tempo == 120 && bar.barStart == 4)
    let half = table.moment(at: 96_000 + 36_000)
    #expect(half.bar == 2 && half.beat == 1.5)
    let before = table.moment(at: -5)
    #expect(before.bar == 1 && before.beat == 0)
  }
}
