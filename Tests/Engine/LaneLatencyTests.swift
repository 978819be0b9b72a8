// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import SwiftletGraph
import Testing

/// Lanes of effects with latency.
extension MixTests {
  //   ramp ──► distortion ──► desk, with a step of a parameter at 1 s
  @Test(arguments: ["mix", "low-cut", "gain"], [1, 64, 1000])
  func `a lane meets the sound of its time behind an effect's latency`(parameter: String, block: Int) throws {
    let step = Self.rate,
      values: (Float, Float) = parameter == "mix" ? (0, 100) : parameter == "gain" ? (-20, -10) : (10, 20)
    func heard(_ lane: Automation) throws -> (sound: [Float], latency: Int) {
      let rig = try Rig(path, block: block, .effect("distortion")), node = try #require(rig.effect)
      try node.set("mix", to: 100)
      try node.automate(parameter, with: lane)
      return (try rig.render(2 * Self.rate)[0], node.latency)
    }
    var lane = Automation(values.0)
    try lane.set(values.1, at: .seconds(1), curve: .step)
    let before = try heard(Automation(values.0)), after = try heard(Automation(values.1)),
      both = try heard(lane)
    #expect(both.latency > 10)
    let edge = step + both.latency
    if parameter == "gain" {
      // It acts between the two filters of the oversampling, the second of which makes an edge of the step.
      let middle = try #require(
        both.sound.indices.first {
          abs(both.sound[$0] - before.sound[$0]) > abs(both.sound[$0] - after.sound[$0])
        })
      #expect(abs(middle - edge) <= 2, "\(middle - edge)")
    } else {
      #expect(both.sound.indices.first { both.sound[$0] != before.sound[$0] } == edge)
    }
    if parameter == "mix" {
      #expect(both.sound[edge...] == after.sound[edge...])
    }
  }

  //   sine ──► pitch ──► desk: an octave up until 1 s, and then a fifth down
  @Test func `a pitch lane meets the sound of its time behind the stretcher`() throws {
    let rate = 48_000, file = path + "-sine.wav"
    let writer = try AudioFileWriter(
      file, format: RecordingFormat(path: file, named: "32-float"), sampleRate: Double(rate), channelCount: 1)
    defer { try? FileManager.default.removeItem(atPath: file) }
    try writer.write([(0..<2 * rate).map { 0.5 * Float(sin(2 * .pi * 300 * Double($0) / Double(rate))) }])
    try writer.close()
    let engine = try AudioEngine(.offline(sampleRate: Double(rate), longestBlock: 512))
    let sine = try engine.attach(.player(file)), node = try engine.attach(.effect("pitch", channels: 1))
    let output = try engine.attach(.playback(channels: 1))
    try engine.connect(sine, node, output)
    var lane = Automation(12)
    try lane.set(-7, at: .seconds(1), curve: .step)
    try node.automate("pitch", with: lane)
    var heard: [Float] = []
    while heard.count < 2 * rate { heard += try #require(try engine.render(512)[output])[0] }
    // The distance between upward crossings of zero is 80 frames before the change, and 240 after it.
    let crossings = heard.indices.dropFirst(rate / 2).filter { heard[$0 - 1] < 0 && heard[$0] >= 0 }
    let change = try #require(zip(crossings, crossings.dropFirst()).first { $1 - $0 > 140 }).0
    #expect(abs(change - rate - node.latency) < rate / 60, "\(change - rate - node.latency) frames late")
  }
}
