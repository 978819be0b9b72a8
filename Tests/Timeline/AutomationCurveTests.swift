// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTesting
import SwiftletTimeline
import Testing

struct AutomationCurveTests {
  static let cases: [(Automation.Curve, Float, Float, @Sendable (Double) -> Double)] = [
    (.linear, 0.2, 0.8, { 0.2 + 0.6 * $0 }),
    (.linear, 1, -1, { 1 - 2 * $0 }),
    (.decibels, 1, 0.001, { pow(10, -60 * $0 / 20) }),
    (.decibels, 0.25, 4, { 0.25 * pow(16, $0) }),
    (.decibels, 0, 1, { pow(10, (-96 + 96 * $0) / 20) }),
    (.decibels, 1, 0, { pow(10, -96 * $0 / 20) }),
    (.decibels, 1e30, 1e-4, { pow(10, 30 - 34 * $0) }),
    (.exponential(), 0, 1, { (exp(4 * $0) - 1) / (exp(4) - 1) }),
    (.exponential(steepness: -8), 2, -3, { 2 - 5 * (exp(-8 * $0) - 1) / (exp(-8) - 1) }),
    (.exponential(steepness: 32), 0, 1, { (exp(32 * $0) - 1) / (exp(32) - 1) }),
    (.exponential(steepness: 0), 0, 3, { 3 * $0 }),
    (.exponential(steepness: 1e-4), 0, 3, { 3 * $0 }),
    (.sCurve, -1, 1, { -1 + 2 * $0 * $0 * (3 - 2 * $0) }),
    (.equalPower, 0, 1, { sin($0 * .pi / 2) }),
    (.equalPower, 1, 0, { cos($0 * .pi / 2) }),
    (.equalPower, -2, -5, { -5 + 3 * cos($0 * .pi / 2) }),
    (.bezier(x1: 1.0 / 3, y1: 1.0 / 3, x2: 2.0 / 3, y2: 2.0 / 3), 1, 2, { 1 + $0 }),
    // With the handles' x at 1/3 and 2/3, x equals the curve parameter s: y = 3·s·(1 − s)²·y1 + 3·s²·(1 − s)·y2 + s³.
    (
      .bezier(x1: 1.0 / 3, y1: 2, x2: 2.0 / 3, y2: -1), 0, 1,
      { s in 6 * s * (1 - s) * (1 - s) - 3 * s * s * (1 - s) + s * s * s }
    ),
  ]

  @Test(arguments: cases.indices)
  func `a curve follows its formula, in the automation and in the table`(index: Int) throws {
    let (curve, from, to, formula) = Self.cases[index]
    var lane = Automation(7)
    try lane.ramp(from: from, to: to, in: .seconds(1)..<(.seconds(3)), curve: curve)
    let table = AutomationTable(lane, sampleRate: 1000)
    for frame in 0..<2000 {
      let x = Double(frame) / 2000, wanted = formula(x), near = 2e-7 * max(1, abs(wanted))
      let value = Double(lane.value(at: .milliseconds(1000 + frame))),
        tabled = Double(table.value(at: Int64(1000 + frame)))
      guard abs(value - wanted) < near, abs(tabled - wanted) < near else {
        Issue.record("\(curve) at \(x): \(value) and \(tabled), not \(wanted)")
        return
      }
    }
    #expect(lane.value(at: .seconds(3)) == to && table.value(at: 3000) == to)
    #expect(lane.value(at: .milliseconds(999)) == 7 && table.value(at: 999) == 7)
  }

  @Test func `Bézier curves of all shapes match the exact curve`() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<500 {
      let (x1, y1, x2, y2) = (
        Float.random(in: 0...1, using: &generator), Float.random(in: -1...2, using: &generator),
        Float.random(in: 0...1, using: &generator), Float.random(in: -1...2, using: &generator)
      )
      try check(x1, y1, x2, y2)
    }
    for (x1, x2) in [(0, 0), (0, 1), (1, 0), (1, 1)] as [(Float, Float)] { try check(x1, 0, x2, 1) }
  }

  /// Compares the lane with the exact curve at 49 values of the curve parameter.
  private func check(_ x1: Float, _ y1: Float, _ x2: Float, _ y2: Float) throws {
    var lane = Automation()
    let length = MediaTime.seconds(1000)
    try lane.ramp(from: 0, to: 1, in: .zero..<length, curve: .bezier(x1: x1, y1: y1, x2: x2, y2: y2))
    for step in 1..<50 {
      let s = Double(step) / 50, t = 1 - s
      let x = 3 * t * t * s * Double(x1) + 3 * t * s * s * Double(x2) + s * s * s
      let y = 3 * t * t * s * Double(y1) + 3 * t * s * s * Double(y2) + s * s * s
      let value = lane.value(at: try MediaTime(seconds: x * 1000))
      // Skips almost vertical parts: there the rounding of the time changes the value.
      let slope = 3 * t * t * Double(x1) + 6 * t * s * Double(x2 - x1) + 3 * s * s * Double(1 - x2)
      guard slope > 1e-3 else { continue }
      #expect(abs(Double(value) - y) < 1e-6, "bezier \(x1) \(y1) \(x2) \(y2) at \(x)")
    }
  }

  @Test func `an equal-power crossfade has constant power`() throws {
    var up = Automation(0), down = Automation(1)
    let range = MediaTime.zero..<MediaTime.seconds(1)
    try up.ramp(from: 0, to: 1, in: range, curve: .equalPower)
    try down.ramp(from: 1, to: 0, in: range, curve: .equalPower)
    for step in 0...1000 {
      let a = up.value(at: .milliseconds(step)), b = down.value(at: .milliseconds(step))
      #expect(abs(a * a + b * b - 1) < 1e-6)
    }
  }

  @Test func `a curve's description parses to the same curve`() {
    for curve in [
      .linear, .decibels, .exponential(), .exponential(steepness: -3.5), .sCurve, .equalPower,
      .bezier(x1: 0.42, y1: -1, x2: 0.58, y2: 1.25),
    ] as [Automation.Curve] {
      #expect(Automation.Curve(curve.description) == curve)
    }
    #expect(Automation.Curve("exponential") == .exponential(steepness: 4))
    for text in ["", "wavy", "linear 3", "bezier 1 2 3", "bezier 1 2 3 x", "exponential 1 2"] {
      #expect(Automation.Curve(text) == nil)
    }
  }

  @Test func `bounds are the smallest and largest value, overshoots of Bézier curves included`() throws {
    var generator = SeededGenerator(seed: 3), overshoots = 0
    for _ in 0..<500 {
      let (from, to) = (
        Float.random(in: -2...2, using: &generator), Float.random(in: -2...2, using: &generator)
      )
      let curve = Automation.Curve.bezier(
        x1: .random(in: 0...1, using: &generator), y1: .random(in: -1...2, using: &generator),
        x2: .random(in: 0...1, using: &generator), y2: .random(in: -1...2, using: &generator))
      var lane = Automation(from)
      try lane.ramp(from: from, to: to, in: .zero..<(.seconds(1)), curve: curve)
      let values = (0...4000).map { lane.value(at: .microseconds($0 * 250)) }
      let low = values.min() ?? 0, high = values.max() ?? 0, bounds = lane.bounds
      // The extreme may lie between two samples, slightly beyond both.
      #expect(bounds.lowerBound <= low + 1e-6 && bounds.lowerBound > low - 0.02, "\(curve)")
      #expect(bounds.upperBound >= high - 1e-6 && bounds.upperBound < high + 0.02, "\(curve)")
      if bounds != min(from, to)...max(from, to) { overshoots += 1 }
    }
    #expect(100..<500 ~= overshoots)
    var lane = Automation(0)
    // y = s³ − 3·s·(1 − s)² has its minimum where 2·s² − 4·s + 1 = 0: y = 1 − √2 at s = 1 − √½.
    try lane.ramp(from: 0, to: 1, in: .zero..<(.seconds(1)), curve: .bezier(x1: 0.5, y1: -1, x2: 0.9, y2: 0))
    let bounds = lane.bounds
    #expect(abs(Double(bounds.lowerBound) - (1 - 2.0.squareRoot())) < 1e-6 && bounds.upperBound == 1)
  }
}
