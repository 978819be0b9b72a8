// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTesting
import SwiftletTimeline
import Testing

struct TempoMapTests {
  @Test func `beats at a constant tempo are evenly spaced`() throws {
    let map = try TempoMap(120)
    #expect(try map.time(of: 3) == .milliseconds(1500) && map.quarters(at: .seconds(2)) == 4)
    #expect(try TempoMap(90).time(of: 1) == MediaTime(frames: 2, at: 3))
    #expect(try map.time(of: -2) == .seconds(-1) && map.quarters(at: .seconds(-1)) == -2)
    #expect(try map.time(of: BarBeat(bar: 3, beat: 2.5)) == .milliseconds(4750))
    #expect(map.position(at: .milliseconds(4750)) == BarBeat(bar: 3, beat: 2.5))
    #expect(map.position(at: .milliseconds(-1)) == nil)
  }

  @Test func `a tempo applies from its position to the next tempo`() throws {
    var map = try TempoMap(60)
    try map.setTempo(120, at: 4)
    try map.setTempo(240, at: 8)
    #expect(
      try map.time(of: 4) == .seconds(4) && map.time(of: 8) == .seconds(6) && map.time(of: 12) == .seconds(7))
    #expect(map.quarters(at: .seconds(5)) == 6 && map.tempo(at: .seconds(5)) == 120)
    try map.setTempo(60, at: 4)
    #expect(try map.time(of: 8) == .seconds(8) && map.tempos.count == 3)
  }

  @Test func `a gliding tempo changes linearly over time`() throws {
    var map = try TempoMap(60)
    try map.setTempo(60, at: 0, glides: true)
    try map.setTempo(180, at: 32)
    // 32 beats at the mean of 120 take 16 s; after t seconds the tempo is 60 + 7.5 t.
    #expect(try map.time(of: 32) == .seconds(16))
    for quarter in 0...64 {
      let time = MediaTime.milliseconds(quarter * 250), t = time.seconds
      let beats = (60 + 3.75 * t) * t / 60
      #expect(abs(map.quarters(at: time) - beats) < 1e-12 && abs(map.tempo(at: time) - (60 + 7.5 * t)) < 1e-9)
      #expect(abs((try map.time(of: beats) - time).seconds) <= 1e-9)
    }
    #expect(map.tempo(at: .seconds(20)) == 180)
  }

  @Test func `bars are counted across changes of the time signature`() throws {
    var map = try TempoMap(60, timeSignature: TempoMap.TimeSignature(3, 4))
    try map.setTimeSignature(TempoMap.TimeSignature(6, 8), fromBar: 3)
    try map.setTimeSignature(TempoMap.TimeSignature(5, 4), fromBar: 4)
    for (bar, start) in [(1, 0.0), (2, 3), (3, 6), (4, 9), (5, 14), (6, 19)] {
      #expect(try map.quarters(of: BarBeat(bar: bar)) == start)
      #expect(map.position(of: start) == BarBeat(bar: bar))
    }
    #expect(try map.quarters(of: BarBeat(bar: 3, beat: 6.5)) == 6 + 5.5 / 2)
    #expect(map.position(of: 8.75) == BarBeat(bar: 3, beat: 6.5))
    #expect(throws: TimeError.noSuchBeat("3|7")) { try map.quarters(of: BarBeat(bar: 3, beat: 7)) }
    #expect(BarBeat("5|3.5")?.description == "5|3.5" && BarBeat("12|1")?.description == "12|1")
  }

  @Test func `beat positions convert to times and back in random maps`() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      var map = try TempoMap(.random(in: 1...1000, using: &generator))
      for _ in 0..<Int.random(in: 0...8, using: &generator) {
        try map.setTempo(
          .random(in: 20...400, using: &generator), at: .random(in: 0...1000, using: &generator),
          glides: .random(using: &generator))
      }
      for _ in 0..<50 {
        let position = Double.random(in: 0...2000, using: &generator), time = try map.time(of: position)
        #expect(abs(map.quarters(at: time) - position) < 2e-8)
      }
      #expect(try JSONDecoder().decode(TempoMap.self, from: JSONEncoder().encode(map)) == map)
    }
  }

  @Test func `invalid tempos, time signatures and positions are refused`() throws {
    #expect(throws: TimeError.badTempo(0)) { try TempoMap(0) }
    #expect(throws: TimeError.badTempo(.infinity)) { try TempoMap(.infinity) }
    #expect(throws: TimeError.self) { try TempoMap(.nan) }
    #expect(throws: TimeError.badTimeSignature(beats: 4, unit: 3)) { try TempoMap.TimeSignature(4, 3) }
    var map = try TempoMap()
    let before = map
    #expect(throws: TimeError.badPosition(-1)) { try map.setTempo(100, at: -1) }
    #expect(throws: TimeError.noSuchBeat("0|1")) { try map.setTimeSignature(.common, fromBar: 0) }
    for position in [Double.nan, .infinity, -.infinity, 1e300] {
      #expect(throws: TimeError.self) { try map.time(of: position) }
      #expect(throws: TimeError.self) { try map.setTempo(100, at: position) }
      #expect(throws: TimeError.self) { try map.quarters(of: BarBeat(bar: 1, beat: position)) }
      #expect(map.position(of: position) == nil)
    }
    for bar in [Int.min, -1, 0, .max] {
      #expect(throws: TimeError.self) { try map.quarters(of: BarBeat(bar: bar)) }
    }
    #expect(map == before)
    _ = (map.quarters(at: .latest), map.quarters(at: .earliest), map.position(at: .latest))
    // Two tempos one representable step apart.
    try map.setTempo(60, at: 1, glides: true)
    try map.setTempo(180, at: Double(1).nextUp)
    #expect(try map.time(of: 2).seconds > 0)
  }
}
