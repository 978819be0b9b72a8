// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

@testable import SwiftletCommand

@Suite struct TimelinePictureTests {
  typealias Point = TimelinePicture.Point

  /// The value of a line at a time, interpolated between its points; after a jump at that time.
  private func value(_ points: [Point], at time: Double) -> Double {
    guard let next = points.firstIndex(where: { $0.time > time }) else { return points.last?.value ?? 0 }
    guard next > 0 else { return points[0].value }
    let (a, b) = (points[next - 1], points[next])
    return a.value + (b.value - a.value) * (time - a.time) / (b.time - a.time)
  }

  @Test(arguments: [
    Automation.Curve.linear, .decibels, .sCurve, .equalPower, .exponential(steepness: 4),
    .bezier(x1: 0.2, y1: 0.9, x2: 0.7, y2: 0.1),
  ])
  func `a curve's points and the values between them match the automation`(_ curve: Automation.Curve) throws {
    var automation = Automation(1)
    try automation.set(0.25, at: .seconds(1))
    try automation.ramp(from: 0.1, to: 0.9, in: .seconds(3)..<(.seconds(6)), curve: curve)
    try automation.ramp(to: 0.2, in: .seconds(7)..<(.seconds(9)), curve: curve)
    // A step that interrupts a ramp, and one after the end.
    try automation.set(0.6, at: .milliseconds(8500))
    try automation.set(0, at: .seconds(20))
    let points = [Point](automation, until: .seconds(10), columns: 1000)
    #expect(points.first == Point(time: 0, value: 1))
    #expect(points.last?.time == 10)
    #expect(zip(points, points.dropFirst()).allSatisfy { $0.time <= $1.time })
    for (index, point) in points.enumerated() {
      // Of two points at the same time the first has the value before the step.
      let isBefore = index + 1 < points.count && points[index + 1].time == point.time
      let time = try MediaTime(seconds: isBefore ? max(0, point.time - 1e-6) : point.time)
      #expect(abs(point.value - Double(automation.value(at: time))) < 1e-4, "at \(point)")
    }
    for step in 0..<2000 {
      let time = (Double(step) + 0.5) / 200
      guard time < 10 else { break }
      let truth = Double(automation.value(at: try MediaTime(seconds: time)))
      #expect(abs(value(points, at: time) - truth) < 2e-3, "at \(time)")
    }
  }

  @Test func `channels are merged by their extremes and mean power`() {
    let merged = TimelinePicture.Clip.merged([
      [.init(low: -0.5, high: 0.25, rms: 0.3)], [.init(low: -0.1, high: 0.75, rms: 0.4)],
    ])
    #expect(merged.count == 1 && merged[0].low == -0.5 && merged[0].high == 0.75)
    #expect(abs(merged[0].rms - 0.353_553) < 1e-6)
    #expect(TimelinePicture.Clip.merged([]).isEmpty)
  }

  @Test func `an axis has marks at common time intervals, and no more than fit`() {
    #expect(TimeAxis(10, most: 14).marks.map(\.label) == (0...10).map { $0 < 10 ? "0:0\($0)" : "0:10" })
    #expect(
      TimeAxis(0.5, most: 6).marks.map(\.label) == [
        "0:00.0", "0:00.1", "0:00.2", "0:00.3", "0:00.4", "0:00.5",
      ])
    #expect(TimeAxis(0.05, most: 5).marks.map(\.label).last == "0:00.05")
    #expect(TimeAxis(5400, most: 8).marks.map(\.time) == [0, 900, 1800, 2700, 3600, 4500, 5400])
    for duration in [1e-9, 0.003, 1, 59.9, 61, 3600, 1e5, 1e9, 0, -.infinity, .nan] {
      let axis = TimeAxis(duration, most: 14)
      #expect(1...15 ~= axis.marks.count && axis.duration > 0, "\(duration)")
    }
  }
}
