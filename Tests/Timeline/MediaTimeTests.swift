// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTesting
import SwiftletTimeline
import Testing

struct MediaTimeTests {
  @Test func `times that Double cannot represent are exact`() throws {
    let third = MediaTime(frames: 1, at: 3), tenth = MediaTime.milliseconds(100)
    #expect(third + third + third == .seconds(1))
    #expect(try MediaTime(seconds: 0.1) == tenth && tenth * 10 == .seconds(1))
    #expect(MediaTime(frames: 48_000, at: 44_100) == MediaTime(frames: 160, at: 147))
    #expect(third.value == 1 && third.timescale == 3 && (third - third) == .zero)
    #expect(MediaTime.seconds(5).scaled(from: .seconds(3), to: .seconds(7)) == MediaTime(frames: 35, at: 3))
    #expect(-third < .zero && .zero < third && -third + third == .zero)
  }

  @Test func `comparison does not round`() {
    let prime = Int64(Int32.max)
    // `a` is later than 1,000,000.333333 s by 1 / 3,000,000 s.
    let a = MediaTime(frames: 1, at: 3) + .seconds(1_000_000), b = MediaTime(frames: 333_333, at: 1_000_000)
    #expect(b + .seconds(1_000_000) < a)
    var last = MediaTime.earliest
    for part in [-prime, -5, -1, 0, 1, 2, 7, prime] {
      let next = MediaTime(frames: part, at: 16_777_216)
      #expect(last < next && !(next < last) && next != last)
      last = next
    }
  }

  @Test func `a sum that is finer than the grid is rounded to the grid`() {
    // Coprime rates: their common timescale is above 2³¹.
    let a = MediaTime(frames: 1, at: 999_983), b = MediaTime(frames: 1, at: 999_979), sum = a + b
    let exact = 1.0 / 999_983 + 1.0 / 999_979
    #expect(MediaTime.grid.isMultiple(of: sum.timescale))
    #expect(abs(sum.seconds - exact) <= 0.5 / Double(MediaTime.grid))
    #expect(-(a + b) == -a + -b)
  }

  @Test(arguments: [8000.0, 11_025, 22_050, 44_100, 48_000, 96_000, 176_400, 192_000])
  func `frames convert to times and back without loss`(rate: Double) {
    for frame in [-7, -1, 0, 1, 2, 3, 44_101, 1_000_000_007, 1 << 40] as [Int64] where abs(frame) < 1 << 40 {
      #expect(MediaTime(frames: frame, at: rate).frames(at: rate) == frame)
    }
    #expect(Double(MediaTime.grid).truncatingRemainder(dividingBy: rate) == 0)
  }

  @Test func `conversion to frames follows the rounding rule`() {
    let half = MediaTime(frames: 5, at: 2)  // 2.5 s, at 1 Hz
    let rules: [FloatingPointRoundingRule] = [
      .up, .down, .towardZero, .awayFromZero, .toNearestOrEven, .toNearestOrAwayFromZero,
    ]
    for rule in rules {
      for time in [half, -half, half + .milliseconds(1), -half - .milliseconds(1), .seconds(3), .seconds(-3)]
      {
        #expect(time.frames(at: 1, rounding: rule) == Int64(time.seconds.rounded(rule)), "\(time) \(rule)")
      }
    }
  }

  @Test func `Duration and MediaTime convert to each other`() {
    #expect(
      MediaTime(.seconds(1.5)) == .milliseconds(1500) && MediaTime(.milliseconds(-3)) == .milliseconds(-3))
    #expect(MediaTime(.seconds(0.1)) == .milliseconds(100))
    #expect(Duration(MediaTime.milliseconds(-1500)) == .milliseconds(-1500))
    #expect(
      Duration(MediaTime(frames: 1, at: 3))
        == Duration(secondsComponent: 0, attosecondsComponent: 333_333_333_333_333_333))
    #expect(
      MediaTime(Duration.seconds(Int64.max)) == .latest && MediaTime(Duration.seconds(Int64.min)) == .earliest
    )
    _ = Duration(MediaTime.latest)
  }

  @Test func `a number with a fraction equals its decimal text`() throws {
    #expect(MediaTime.seconds(1.5) == .milliseconds(1500) && MediaTime.seconds(-0.1) == .milliseconds(-100))
    #expect(MediaTime.milliseconds(0.25) == MediaTime(frames: 1, at: 4000))
    #expect(MediaTime.milliseconds(33.3).description == "0.0333s")
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<20_000 {
      // At most 15 digits: a Double represents each such decimal number uniquely.
      let size = Int.random(in: 1...9, using: &generator)
      let whole = Int.random(in: 0..<(1...size).reduce(1) { most, _ in most * 10 }, using: &generator)
      let decimals = Int.random(in: 1...min(9, 15 - size), using: &generator)
      let fraction = String(
        (0..<decimals).map { _ in Character("\(Int.random(in: 0...9, using: &generator))") })
      let text = "\(whole).\(fraction)", number = try #require(Double(text))
      #expect(try MediaTime.seconds(number) == MediaTime(text + "s"), "\(text)")
      #expect(try MediaTime(seconds: number) == MediaTime(text + "s"), "\(text)")
      #expect(MediaTime.seconds(-number) == -MediaTime.seconds(number))
      guard decimals <= 6 else { continue }
      #expect(try MediaTime.milliseconds(number) == MediaTime(text + "ms"), "\(text)")
    }
  }

  @Test func `NaN becomes 0, and numbers out of range are clamped to ±68 years`() {
    for make in [MediaTime.seconds, MediaTime.milliseconds] as [(Double) -> MediaTime] {
      #expect(make(.nan) == .zero && make(.leastNonzeroMagnitude) == .zero && make(-0.0) == .zero)
      for number in [Double.infinity, .greatestFiniteMagnitude, 1e13] {
        #expect(make(number) == .latest && make(-number) == .earliest)
      }
    }
    #expect(
      MediaTime.seconds(2_147_483_647.5) < .latest && MediaTime.milliseconds(2_147_483_647_999.5) < .latest)
  }

  @Test func `numbers that are not finite or too large throw`() {
    for seconds in [Double.infinity, -.infinity, .nan] {
      #expect(throws: TimeError.notFinite) { try MediaTime(seconds: seconds) }
    }
    #expect(throws: TimeError.tooFar("1e+300s")) { try MediaTime(seconds: 1e300) }
  }

  @Test func `a range whose end is before its start throws`() throws {
    #expect(try Range(from: .zero, to: .seconds(1)) == MediaTime.zero..<(.seconds(1)))
    #expect(throws: TimeError.backwards(from: .seconds(2), to: .seconds(1))) {
      try Range(from: .seconds(2), to: .seconds(1))
    }
  }

  @Test func `arithmetic never traps and stays within ±68 years`() {
    var generator = SeededGenerator(seed: 1)
    let edges: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    let rates = [-.infinity, -1, 0, .nan, 1e-300, 1, 1.5, 44_100, 999_999.7, 16_777_216, 1e300, .infinity]
    var times: [MediaTime] = [.zero, .latest, .earliest]
    for edge in edges { for rate in rates { times.append(MediaTime(frames: edge, at: rate)) } }
    for _ in 0..<100 {
      times.append(
        MediaTime(
          frames: .random(in: .min ... .max, using: &generator), at: .random(in: 1...2e7, using: &generator)))
      times.append(
        MediaTime(
          frames: .random(in: -1000...1000, using: &generator),
          at: Double(Int.random(in: 1...16_777_216, using: &generator))))
    }
    for a in times {
      for rate in rates { _ = a.frames(at: rate) }
      for b in times {
        for time in [
          a + b, a - b, a.scaled(from: b, to: a), a.scaled(from: a, to: b), -a, a * .min, a * .max,
        ] {
          #expect(.earliest <= time && time <= .latest && time.timescale >= 1)
        }
        #expect((a < b) == (b > a) && (a == b) == !(a < b || b < a))
      }
    }
  }

  @Test func `sums equal the exact sums of fractions`() {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<20_000 {
      let (a, c) = (
        Int64.random(in: -1_000_000_000...1_000_000_000, using: &generator),
        Int64.random(in: -1_000_000_000...1_000_000_000, using: &generator)
      )
      let (b, d) = (
        Int64.random(in: 1...40_000, using: &generator), Int64.random(in: 1...40_000, using: &generator)
      )
      let sum = MediaTime(frames: a, at: Double(b)) + MediaTime(frames: c, at: Double(d))
      // a/b + c/d = v/t is equivalent to (ad + cb) · t = v · bd.
      let above = Int128(a) * Int128(d) + Int128(c) * Int128(b), below = Int128(b * d)
      let left = above * Int128(sum.timescale), right = Int128(sum.value) * below
      #expect(left == right)
    }
  }
}
