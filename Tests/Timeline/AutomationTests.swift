// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTesting
import SwiftletTimeline
import Testing

struct AutomationTests {
  /// The exact time of a decimal number of seconds.
  private func at(_ seconds: Double) throws -> MediaTime { try MediaTime(seconds: seconds) }

  @Test func `AVAudioMix's rules: a step before, a ramp, a step after`() throws {
    var volume = Automation(1)
    try volume.set(0.5, at: .zero)
    try volume.ramp(from: 0.5, to: 0.8, in: .seconds(2)..<(.seconds(4)))
    try volume.set(0.3, at: .seconds(7))
    try expect(volume, [(0, 0.5), (2, 0.5), (3, 0.65), (4, 0.8), (6.9, 0.8), (7, 0.3), (100, 0.3)])
  }

  @Test func `AVAudioMix's rules: a ramp jumps to its start value`() throws {
    var volume = Automation(1)
    try volume.set(0.5, at: .zero)
    try volume.ramp(from: 0.1, to: 0.9, in: .seconds(3)..<(.seconds(6)))
    try expect(volume, [(2.99, 0.5), (3, 0.1), (4.5, 0.5), (6, 0.9), (60, 0.9)])
  }

  @Test func `AVAudioMix's rules: a ramp lasts for its duration`() throws {
    var volume = Automation(1)
    try volume.set(1, at: .zero)
    try volume.ramp(from: 0.5, to: 0.2, in: .seconds(4)..<(.seconds(4) + .seconds(5)))
    try expect(volume, [(3.9, 1), (4, 0.5), (6.5, 0.35), (9, 0.2)])
  }

  @Test func `AVAudioMix's rules: the initial value applies before the first entry`() throws {
    var volume = Automation(1)
    try expect(volume, [(0, 1), (5, 1)])
    try volume.set(0.4, at: .seconds(5))
    try expect(volume, [(-1, 1), (0, 1), (4.99, 1), (5, 0.4), (9, 0.4)])
  }

  private func expect(_ automation: Automation, _ points: [(Double, Float)]) throws {
    let table = AutomationTable(automation, sampleRate: 48_000)
    for (second, value) in points {
      let time = try at(second)
      #expect(abs(automation.value(at: time) - value) < 1e-6, "at \(second) s")
      #expect(abs(table.value(at: time.frames(at: 48_000)) - value) < 1e-6, "at \(second) s, in the table")
    }
  }

  @Test func `an overlapping ramp is refused with both ranges in the error`() throws {
    var lane = Automation()
    let first = MediaTime.seconds(2)..<MediaTime.seconds(4),
      second = MediaTime.seconds(3)..<MediaTime.seconds(5)
    try lane.ramp(from: 0, to: 1, in: first)
    let before = lane
    #expect(throws: AutomationError.overlap(second, with: first)) {
      try lane.ramp(from: 0, to: 1, in: second)
    }
    #expect(throws: AutomationError.self) { try lane.ramp(to: 1, in: .seconds(1)..<(.milliseconds(2001))) }
    #expect(lane == before)
    let text = AutomationError.overlap(second, with: first).description
    #expect(text.contains("from 3s to 5s") && text.contains("from 2s to 4s"))
    // Adjacent ranges do not overlap. A ramp with the same start replaces the earlier one.
    try lane.ramp(from: 1, to: 2, in: .seconds(4)..<(.seconds(5)))
    try lane.ramp(from: 5, to: 6, in: .seconds(2)..<(.seconds(3)))
    #expect(
      lane.entries.count == 2 && lane.value(at: .seconds(2)) == 5 && lane.value(at: .milliseconds(3500)) == 6)
    #expect(throws: AutomationError.self) {
      try lane.ramp(from: 5, to: 6, in: .seconds(2)..<(.milliseconds(4001)))
    }
  }

  @Test func `a step inside a ramp's range cuts the ramp, in either order of insertion`() throws {
    let range = MediaTime.seconds(2)..<MediaTime.seconds(4)
    var one = Automation(), other = Automation()
    try one.ramp(from: 0, to: 1, in: range)
    try one.set(9, at: .seconds(3))
    try other.set(9, at: .seconds(3))
    try other.ramp(from: 0, to: 1, in: range)
    #expect(
      one == other && one.value(at: .milliseconds(2500)) == 0.25 && one.value(at: .milliseconds(3500)) == 9)
    one.remove(at: .seconds(3))
    #expect(one.value(at: .seconds(3)) == 0.5)
    one.remove(in: .zero..<(.seconds(9)))
    #expect(one.entries.isEmpty)
  }

  @Test func `a ramp without a start value starts at the current value`() throws {
    var lane = Automation(0.5)
    try lane.ramp(to: 1, in: .seconds(1)..<(.seconds(2)))
    try lane.ramp(to: 0, in: .seconds(3)..<(.seconds(4)))
    #expect(lane.value(at: .milliseconds(1500)) == 0.75 && lane.value(at: .milliseconds(3500)) == 0.5)
    try lane.ramp(to: 7, in: .seconds(5)..<(.seconds(5)))
    #expect(lane.value(at: .seconds(5)) == 7 && lane.entries.last?.isRamp == false)
  }

  @Test func `invalid values, times and curves are refused`() throws {
    var lane = Automation(.nan)
    #expect(lane.initial == 0)
    let range = MediaTime.zero..<MediaTime.seconds(1)
    #expect(throws: AutomationError.beforeStart(.seconds(-1))) { try lane.set(0, at: .seconds(-1)) }
    #expect(throws: AutomationError.notFinite(.infinity)) { try lane.set(.infinity, at: .zero) }
    for bad in [Float.nan, .infinity, -.infinity] {
      #expect(throws: AutomationError.self) { try lane.ramp(from: bad, to: 1, in: range) }
      #expect(throws: AutomationError.self) { try lane.ramp(from: 0, to: bad, in: range, curve: .decibels) }
      #expect(throws: AutomationError.self) {
        try lane.ramp(from: 0, to: 1, in: range, curve: .exponential(steepness: bad))
      }
      #expect(throws: AutomationError.self) {
        try lane.ramp(from: 0, to: 1, in: range, curve: .bezier(x1: bad, y1: 0, x2: 1, y2: bad))
      }
    }
    #expect(throws: AutomationError.negativeLevel(-1)) {
      try lane.ramp(from: -1, to: 1, in: range, curve: .decibels)
    }
    #expect(throws: AutomationError.self) {
      try lane.ramp(from: 0, to: 1, in: range, curve: .exponential(steepness: 33))
    }
    #expect(throws: AutomationError.self) {
      try lane.ramp(from: 0, to: 1, in: range, curve: .bezier(x1: -0.1, y1: 0, x2: 1, y2: 1))
    }
    #expect(lane.entries.isEmpty)
  }

  @Test func `an automation round-trips through readable JSON`() throws {
    var volume = Automation(1)
    try volume.set(0.5, at: .zero)
    try volume.ramp(from: 0.1, to: 0.9, in: .seconds(3)..<(.seconds(6)))
    try volume.ramp(to: 0, in: .seconds(8)..<(.seconds(9)), curve: .bezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(volume), as: UTF8.self)
    #expect(
      text == #"{"entries":[{"at":"0s","set":0.5},{"from":"3s","ramp":[0.1,0.9],"to":"6s"},"#
        + #"{"curve":"bezier 0.42 0.0 0.58 1.0","from":"8s","ramp":[0.9,0],"to":"9s"}],"initial":1}"#)
    #expect(try JSONDecoder().decode(Automation.self, from: Data(text.utf8)) == volume)
  }

  @Test func `a random ramp is refused exactly if it overlaps another ramp`() throws {
    var generator = SeededGenerator(seed: 3), refused = 0
    for _ in 0..<200 {
      var volume = Automation(1)
      for _ in 0..<20 {
        let start = MediaTime.milliseconds(generator.below(40)),
          length = MediaTime.milliseconds(generator.below(8))
        let range = start..<(start + length)
        let others = volume.entries.map(\.range).filter { $0.lowerBound != start && $0.overlaps(range) }
        do {
          try volume.ramp(from: 0, to: 1, in: range)
          #expect(range.isEmpty || others.isEmpty)
        } catch {
          #expect(try error == .overlap(range, with: #require(others.first)))
          refused += 1
        }
      }
    }
    #expect(refused > 500)
  }

  @Test(arguments: [
    #"{"initial":0,"entries":[{"from":"3s","to":"2s","ramp":[0,1]}]}"#,
    #"{"initial":0,"entries":[{"from":"3s","to":"4s","ramp":[0]}]}"#,
    #"{"initial":0,"entries":[{"from":"3s","to":"4s","ramp":[0,1],"curve":"wavy"}]}"#,
    #"{"initial":0,"entries":[{"from":"3s","to":"5s","ramp":[0,1]},{"from":"4s","to":"6s","ramp":[0,1]}]}"#,
    #"{"initial":0,"entries":[{"at":"-3s","set":0}]}"#,
    #"{"initial":0,"entries":[{"at":"3s"}]}"#,
  ])
  func `JSON of an invalid automation is refused`(text: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Automation.self, from: Data(text.utf8)) }
  }

  @Test func `a clamped lane has the nearest values of the range at its steps and ends`() throws {
    var lane = Automation(-3)
    try lane.set(0.5, at: .seconds(1))
    try lane.ramp(from: -1, to: 5, in: .seconds(2)..<(.seconds(4)))
    try expect(lane.clamped(to: 0...1), [(0, 0), (1, 0.5), (2, 0), (3, 0.5), (4, 1), (9, 1)])
    #expect(lane.clamped(to: -3...5) == lane)
  }

  @Test func `a clamped curve never leaves the range`() throws {
    var generator = SeededGenerator(seed: 5)
    func random() -> Float { Float(generator.below(3001)) / 1000 - 1 }
    for _ in 0..<200 {
      var lane = Automation(0)
      let curve = Automation.Curve.bezier(x1: 0.3, y1: random(), x2: 0.6, y2: random())
      try lane.ramp(from: random(), to: random(), in: .zero..<(.seconds(1)), curve: curve)
      let used = lane.clamped(to: 0...1)
      for step in 0...100 {
        #expect(-1e-6...1.000001 ~= used.value(at: .milliseconds(10 * step)), "\(lane)")
      }
      if 0 <= lane.bounds.lowerBound, lane.bounds.upperBound <= 1 { #expect(used == lane) }
    }
  }
}
