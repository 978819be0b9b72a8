// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletGraph
import SwiftletPlayback
import SwiftletStretch
import SwiftletTimeline
import Testing

@testable import SwiftletFiles

struct SpeedCourseTests {
  private static let curves: [Automation.Curve] = [
    .linear, .decibels, .exponential(steepness: 3), .sCurve, .equalPower,
    .bezier(x1: 0.2, y1: 0.9, x2: 0.6, y2: 0.1),
  ]

  @Test(arguments: curves)
  func `a position is the integral of the speed, and can be inverted`(curve: Automation.Curve) throws {
    var speed = Automation(1), varispeed = Automation(0.5)
    try speed.ramp(from: 0.5, to: 2, in: .seconds(1)..<(.seconds(4)), curve: curve)
    try speed.set(3, at: .seconds(5))
    try varispeed.ramp(to: 1.5, in: .seconds(2)..<(.seconds(6)))
    let course = SpeedCourse(.init(speed: speed, varispeed: varispeed), Stretch(), sampleRate: 1000)
    // A thousand times finer than the tested resolution.
    var soundFrame = 0.0
    for frame in 0..<8000 {
      #expect(abs(course.soundFrame(at: Double(frame)) - soundFrame) < 0.02, "at \(frame)")
      #expect(abs(course.frame(of: soundFrame) - Double(frame)) < 0.1)
      for part in 0..<20 {
        let time = try MediaTime(seconds: (Double(frame) + (Double(part) + 0.5) / 20) / 1000)
        soundFrame += Double(speed.value(at: time)) * Double(varispeed.value(at: time)) / 20
      }
    }
  }

  @Test func `without a lane the speed is constant, and the first speed applies before the start`() {
    let course = SpeedCourse(
      .init(pitch: Automation(2)), Stretch(speed: 2, varispeed: 0.25), sampleRate: 48_000)
    #expect(course.soundFrame(at: 96_000) == 48_000 && course.frame(of: 48_000) == 96_000)
    #expect(course.soundFrame(at: -10) == -5 && course.frame(of: -5) == -10)
    #expect(course.stretch(at: 7) == Stretch(speed: 2, varispeed: 0.25, pitch: 2))
  }

  @Test func `on a looping timeline each pass adds the integral of the loop range`() throws {
    var speed = Automation(1)
    try speed.ramp(from: 0.5, to: 2, in: .seconds(1)..<(.seconds(4)))
    let loop = try #require(TimelineLoop(1500..<5200))
    let course = SpeedCourse(.init(speed: speed, loop: loop), Stretch(), sampleRate: 1000)
    var soundFrame = 0.0
    for frame in 0..<20_000 {
      #expect(abs(course.soundFrame(at: Double(frame)) - soundFrame) < 0.05, "at \(frame)")
      #expect(abs(course.frame(of: soundFrame) - Double(frame)) < 0.2, "at \(frame)")
      let heard = Double(loop.timelineFrame(of: Int64(frame)))
      for part in 0..<20 {
        let time = try MediaTime(seconds: (heard + (Double(part) + 0.5) / 20) / 1000)
        soundFrame += Double(speed.value(at: time)) / 20
      }
    }
    #expect(course.stretch(at: 5200).speed == course.stretch(at: 1500).speed)
    #expect(course.stretch(at: 5200).speed != course.stretch(at: 5199).speed)
  }
}
