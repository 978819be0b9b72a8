// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletGraph
import Testing

/// Lanes of the parameters of effects and plugins.
extension MixTests {
  //   gain in decibels, a straight line of amplitude from one value to the next: in between, the error of a chord
  @Test func `an effect's lane is exact every 16 frames, for any block length`() throws {
    var lane = Automation(0)
    try lane.ramp(to: -60, in: span(1, 2))
    try lane.ramp(to: 0, in: span(3, 4), curve: .sCurve)
    try lane.set(-20, at: .seconds(5))
    let heard = try [1, 64, 1000].map { block in
      let rig = try Rig(path, block: block, .effect("gain"))
      try rig.effect?.automate("gain", with: lane)
      return try rig.render(6 * Self.rate)[0]
    }
    #expect(heard[0] == heard[1] && heard[1] == heard[2])
    var worst: Float = 0
    for frame in 0..<6 * Self.rate {
      let factor = heard[0][frame] / samples[frame], wanted = pow(10, lane.value(at: time(frame)) / 20)
      // After the point, the gain glides for 20 ms, its own smoothing.
      let isGliding = 5 * Self.rate..<5 * Self.rate + Self.rate / 50 - 1 ~= frame
      if isGliding {
        let last = pow(10, lane.value(at: time(5 * Self.rate - 1)) / 20)
        #expect(factor <= last && factor >= wanted - 2e-6)
        continue
      }
      if frame % 16 == 15 {
        guard abs(factor - wanted) < 2e-6 else {
          Issue.record("frame \(frame): \(factor), not \(wanted)")
          return
        }
      }
      worst = max(worst, abs(factor - wanted))
    }
    // A chord of 16 frames at 60 dB per second and 8 kHz deviates by (0.0138)²/8 from its arc.
    #expect(worst < 5e-5, "\(worst)")
  }

  @Test(.enabled(if: Self.hasAmplifier)) func `a plugin's lane moves on its grid`() throws {
    var lane = Automation(0)
    try lane.ramp(to: -60, in: span(1, 2))
    let heard = try [64, 1000].map { block in
      let rig = try Rig(path, block: block, .plugin(Self.amplifier, channels: 2))
      try rig.effect?.automate("gain", with: lane)
      return try rig.render(3 * Self.rate)[0]
    }
    #expect(heard[0] == heard[1])
    for frame in 0..<3 * Self.rate {
      let wanted = samples[frame] * pow(10, lane.value(at: time(frame / 16 * 16)) / 20)
      guard abs(heard[0][frame] - wanted) < 1e-6 else {
        Issue.record("frame \(frame): \(heard[0][frame]), not \(wanted)")
        return
      }
    }
  }

  private static let amplifier = "http://lv2plug.in/plugins/eg-amp"
  private static var hasAmplifier: Bool {
    FileManager.default.fileExists(atPath: "/usr/lib/lv2/eg-amp.lv2")
  }

  @Test func `a node reports its lane's value, and keeps it when the lane is removed`() throws {
    let rig = try Rig(path, block: 100, .effect("gain")), tone = try #require(rig.effect)
    var lane = Automation(0)
    try lane.ramp(to: -10, in: span(0, 1))
    try tone.automate("gain", with: lane)
    _ = try rig.render(Self.rate / 2)
    #expect(rig.engine.timelineTime.frame == Int64(Self.rate / 2))
    #expect(tone["gain"] == -5)
    try tone.automate("gain", with: nil)
    #expect(tone["gain"] == -5)
    let heard = try rig.render(Self.rate)[0]
    let factor = heard[Self.rate / 2] / samples[Self.rate]
    #expect(abs(factor - pow(10, -5 / 20)) < 1e-3)
  }

  //  noise ──► effect ──► desk
  @Test func `a constant lane sounds like a value that was set`() throws {
    for info in EffectCatalog.builtIn.infos where !info.files.contains(where: \.isRequired) {
      func heard(_ prepare: (AudioNode) throws -> Void) throws -> [[Float]] {
        let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 512))
        let noise = try engine.attach(.player(path)), output = try engine.attach(.playback())
        let node = try engine.attach(.effect(info.id))
        if !info.inputs.isEmpty { try engine.connect(noise, node) }
        try engine.connect(node, to: output)
        try prepare(node)
        try engine.prepare()
        for _ in 0...output.arrivalLatency / 512 { _ = try engine.render(512) }
        return try #require(try engine.render(512)[output]).channels
      }
      let plain = try heard { _ in }
      var changes = 0
      for parameter in info.parameters {
        let ends = [parameter.range.lowerBound, parameter.range.upperBound]
        let value = ends[0] == parameter.initial ? ends[1] : ends[0]
        let byHand = try heard { try $0.set(parameter.symbol, to: value, over: .zero) }
        let byLane = try heard { try $0.automate(parameter.symbol, with: Automation(value)) }
        let error = zip(byHand.joined(), byLane.joined()).map { abs($0 - $1) }.max() ?? 1
        // A shifted pitch depends on the phase at which the shift began.
        #expect(error < (info.id == "pitch" ? 0.02 : 1e-3), "\(info.id).\(parameter.symbol): \(error)")
        if byLane != plain { changes += 1 }
      }
      // Measuring effects do not change the sound. Two channels of opposite polarity, such as those of the file,
      // cancel out when both sources have one position in a room.
      #expect(changes > 0 || ["loudness", "environment"].contains(info.id), "\(info.id): no lane is heard")
    }
  }

  //   each parameter of each effect, through its whole range and back, while it plays: every sample is finite
  @Test func `every parameter of every effect follows a lane`() throws {
    for info in EffectCatalog.builtIn.infos where !info.files.contains(where: \.isRequired) {
      let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 512))
      let noise = try engine.attach(.player(path)), output = try engine.attach(.playback())
      let node = try engine.attach(.effect(info.id))
      if !info.inputs.isEmpty { try engine.connect(noise, node) }
      try engine.connect(node, to: output)
      for parameter in node.parameterInfos {
        var lane = Automation(parameter.range.lowerBound)
        try lane.ramp(to: parameter.range.upperBound, in: .milliseconds(3)..<(.milliseconds(12)))
        try lane.ramp(to: parameter.initial, in: .milliseconds(12)..<(.milliseconds(13)))
        try node.automate(parameter.symbol, with: lane)
      }
      for _ in 0..<2 {
        let heard = try #require(try engine.render(512)[output])
        #expect(heard.channels.allSatisfy { $0.allSatisfy(\.isFinite) }, "\(info.id)")
      }
    }
  }
}
