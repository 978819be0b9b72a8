// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTesting
import SwiftletTimeline
import Testing

struct DuckingTests {
  private func decibels(_ lane: Automation, _ milliseconds: Int) -> Double {
    20 * log10(Double(lane.value(at: .milliseconds(milliseconds))))
  }

  private func range(_ start: Int, _ end: Int) -> Range<MediaTime> {
    .milliseconds(start)..<(.milliseconds(end))
  }

  //  0 dB ───╲          ╱───      the voice speaks from 2 s to 4 s
  //           ╲________╱ −12 dB
  @Test func `the music is ducked before a phrase starts and released after it ends`() {
    let lane = Ducking().automation(under: [range(2000, 4000)])
    for (time, level) in [
      (0, 0.0), (1800, 0), (1900, -6), (2000, -12), (3999, -12), (4000, -12), (4250, -6), (4500, 0),
      (9000, 0),
    ] {
      #expect(abs(decibels(lane, time) - level) < 1e-4, "at \(time) ms: \(decibels(lane, time)) dB")
    }
    #expect(lane.value(at: .seconds(9)) == 1 && lane.value(at: .zero) == 1)
  }

  @Test func `the music stays down in pauses shorter than the hold and returns in longer ones`() throws {
    let ducking = try Ducking(
      depth: -20, attack: .milliseconds(100), release: .milliseconds(200), hold: .seconds(1))
    let lane = ducking.automation(under: [
      range(7000, 8000), range(1000, 2000), range(2999, 4000), range(3500, 3600),
    ])
    for time in [1000, 2500, 2998, 3999, 7000, 8000] { #expect(abs(decibels(lane, time) + 20) < 1e-4) }
    for time in [0, 900, 4200, 5000, 6900, 8200] { #expect(abs(decibels(lane, time)) < 1e-4) }
    // In a pause as long as the hold, the music returns.
    let other = ducking.automation(under: [range(1000, 2000), range(3000, 4000)])
    #expect(abs(decibels(other, 2500)) < 1e-4)
  }

  @Test func `in a pause shorter than release and attack the music returns in part`() throws {
    let ducking = try Ducking(
      depth: -30, attack: .milliseconds(100), release: .milliseconds(1000), hold: .zero,
      lookAhead: .milliseconds(100))
    // Half of the release fits before the next attack.
    let lane = ducking.automation(under: [range(1000, 2000), range(2600, 4000)])
    for (time, level) in [(2000, -30.0), (2250, -22.5), (2500, -15), (2550, -22.5), (2600, -30), (4500, -15)]
    {
      #expect(abs(decibels(lane, time) - level) < 1e-4, "at \(time) ms: \(decibels(lane, time)) dB")
    }
  }

  @Test func `a phrase shorter than the attack ducks the music in part`() throws {
    let ducking = try Ducking(
      depth: -30, attack: .seconds(1), release: .seconds(1), hold: .zero, lookAhead: .zero)
    let lane = ducking.automation(under: [range(1000, 1500)])
    for (time, level) in [(1000, 0.0), (1500, -15), (2000, -7.5), (2500, 0)] {
      #expect(abs(decibels(lane, time) - level) < 1e-4, "at \(time) ms: \(decibels(lane, time)) dB")
    }
  }

  @Test func `an attack that would start before time 0 starts partway down`() throws {
    let lane = Ducking().automation(under: [range(100, 1000)])
    #expect(abs(decibels(lane, 0) + 6) < 1e-4 && abs(decibels(lane, 100) + 12) < 1e-4)
    #expect(abs(decibels(Ducking().automation(under: [range(0, 1000)]), 0) + 12) < 1e-4)
    #expect(Ducking().automation(under: [range(-5000, -1000)]).value(at: .zero) == 1)
  }

  @Test func `an attack and a release of zero are steps`() throws {
    let ducking = try Ducking(depth: -6, attack: .zero, release: .zero, hold: .zero)
    let lane = ducking.automation(under: [range(1000, 2000)])
    #expect(lane.entries.count == 2 && !lane.entries.contains { $0.isRamp })
    #expect(abs(decibels(lane, 1000) + 6) < 1e-4 && lane.value(at: .seconds(2)) == 1)
  }

  @Test func `random phrases keep the level between the depth and 0 dB, fully down in each phrase`() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<300 {
      func some() -> MediaTime { .milliseconds(Int.random(in: 0...1500, using: &generator)) }
      let ducking = try Ducking(depth: -24, attack: some(), release: some(), hold: some(), lookAhead: some())
      let voices = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        let start = Int.random(in: -2000...20_000, using: &generator)
        return range(start, start + Int.random(in: 0...3000, using: &generator))
      }
      let lane = ducking.automation(under: voices)
      for time in stride(from: 0, to: 24_000, by: 13) {
        let level = decibels(lane, time), now = MediaTime.milliseconds(time)
        #expect(-24.0001 < level && level < 0.0001)
        let isDown = voices.contains {
          $0.contains(now) && now >= $0.lowerBound - ducking.lookAhead + ducking.attack
        }
        if isDown { #expect(level < -23.999) }
      }
    }
  }

  //  0 dB ──╲       ╱──────╲   ╱──
  //          ╲_____╱ −6     ╲ ╱        a deep dip within a long one: the lower level applies
  //             ╲_╱  −20     V
  @Test func `under several voices the lowest level applies`() throws {
    let shallow = try Ducking(depth: -6, hold: .zero)
    let deep = try Ducking(depth: -20, attack: .milliseconds(100), release: .milliseconds(100), hold: .zero)
    let lane = Ducking.automation(under: [([range(2000, 9000)], shallow), ([range(4000, 5000)], deep)])
    for (time, level) in [
      (1800, 0.0), (1900, -3), (2000, -6), (3899, -6), (3930, -6), (3950, -10), (4000, -20), (4999, -20),
      (5050, -10), (5070, -6), (5500, -6), (9000, -6), (9250, -3), (9500, 0),
    ] {
      #expect(abs(decibels(lane, time) - level) < 1e-3, "at \(time) ms: \(decibels(lane, time)) dB")
    }
    let one = Ducking.automation(under: [([range(2000, 9000)], shallow)])
    #expect(one == shallow.automation(under: [range(2000, 9000)]))
    #expect(Ducking.automation(under: []) == Automation(1))
  }

  @Test func `under random voices the level is the lowest of the single voices' levels`() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<200 {
      func some() -> MediaTime { .milliseconds(Int.random(in: 0...1500, using: &generator)) }
      let voices = try (0..<Int.random(in: 2...4, using: &generator)).map { _ in
        let ducking = try Ducking(
          depth: Float.random(in: -40...0, using: &generator), attack: some(), release: some(), hold: some(),
          lookAhead: some())
        let times = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
          let start = Int.random(in: -2000...20_000, using: &generator)
          return range(start, start + Int.random(in: 0...3000, using: &generator))
        }
        return (times: times, ducking: ducking)
      }
      let lane = Ducking.automation(under: voices)
      let lanes = voices.map { $0.ducking.automation(under: $0.times) }
      for time in stride(from: 0, to: 24_000, by: 13) {
        let lowest = lanes.map { decibels($0, time) }.min() ?? 0
        #expect(abs(decibels(lane, time) - lowest) < 1e-3, "at \(time) ms")
      }
    }
  }

  @Test func `invalid depths and times are refused`() throws {
    #expect(throws: AutomationError.badDepth(6)) { try Ducking(depth: 6) }
    #expect(throws: AutomationError.self) { try Ducking(depth: .nan) }
    #expect(throws: AutomationError.negativeLength("hold", .seconds(-1))) {
      try Ducking(depth: -6, hold: .seconds(-1))
    }
    let ducking = try Ducking(depth: -7, hold: .seconds(3))
    #expect(try JSONDecoder().decode(Ducking.self, from: JSONEncoder().encode(ducking)) == ducking)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Ducking.self, from: Data(#"{"depth":3}"#.utf8))
    }
    _ = ducking.automation(under: [
      .earliest..<(.latest), .latest..<(.latest), (.latest - .seconds(1))..<(.latest),
    ])
  }
}
