// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTimeline
import Testing

@testable import SwiftletGraph

/// Lanes that are added, changed and removed while sound plays.
@Suite struct LaneChangeTests {
  //   a sine under a volume and a pan that are added, changed and removed while it plays
  @Test(arguments: [64, 250])
  func `adding, changing and removing lanes causes no discontinuity`(block: Int) throws {
    let rig = Rig(outputs: [stereo], sampleRate: 48_000)
    var sketch = Sketch()
    let sine = try sketch.source("sine", Emitter.sine(440), stereo)
    let scale = try sketch.node("scale", Scale(1), inputs: [stereo], outputs: [stereo])
    let output = try sketch.output("desk", 0, stereo)
    try sketch.chain(sine, scale, output)
    try rig.play(sketch)
    rig.render(1000, block: block)
    let wire = Lane.Owner.wire(Graph.Wire.ID(source: Endpoint(sine), destination: Endpoint(scale)))
    let targets = [
      Lane.Target(.node(scale), .volume), .init(.node(scale), .pan), .init(.node(scale), .parameter(0)),
      .init(wire, .volume), .init(wire, .pan),
    ]
    for (round, target) in (targets + targets).enumerated() {
      for value in [0.2, 0.9] as [Float] {
        var lane = Automation(value)
        try lane.ramp(to: 1 - value, in: .zero..<(.seconds(10)))
        try sketch.graph.automate(target, with: lane)
        try rig.play(sketch)
        rig.render(700 + 13 * round, block: block)
      }
      try sketch.graph.automate(target, with: nil)
      try rig.play(sketch)
      rig.render(700, block: block)
    }
    let smoothness = Smoothness(frequency: 440, amplitude: 0.5, fades: 2)
    for channel in rig.heard[0] { smoothness.expect(channel) }
    // Faders without a lane are gone, or go with the next edit.
    try sketch.graph.setBypass(true, of: scale)
    try rig.play(sketch)
    rig.render(1000, block: block)
    #expect(!rig.controller.planText.contains("fade"), "\(rig.controller.planText)")
    #expect(rig.controller.planText.contains("bypass"))
  }

  //   sine (1) ──► desk (2), delayed by the latency of `other ──► late`, centred by the constant-power law
  @Test(arguments: [0, 500])
  func `adding and removing a mono pan causes no discontinuity, for any wire latency`(latency: Int) throws {
    let rig = Rig(outputs: [stereo], sampleRate: 48_000)
    var sketch = Sketch()
    let sine = try sketch.source("sine", Emitter.sine(440))
    let other = try sketch.source("other", Emitter.constant(0))
    let late = try sketch.node("late", Late(latency))
    let output = try sketch.output("desk", 0, stereo)
    let wire = try sketch.wire(sine, output, pan: 0).id
    try sketch.chain(other, late, output)
    try rig.play(sketch)
    rig.render(2000)
    for pan in [0, -0.5, nil, 0, nil] as [Float?] {
      try sketch.graph.automate(.init(.wire(wire), .pan), with: pan.map { Automation($0) })
      try rig.play(sketch)
      rig.render(2000)
      let (left, right) = (rig.heard[0][0].suffix(200), rig.heard[0][1].suffix(200))
      let shares = StripTests.shares(.constantPower, Double(pan ?? 0))
      for (side, share) in [(left, shares.left), (right, shares.right)] {
        #expect(abs(Double(side.max() ?? 0) - 0.5 * share) < 0.001, "pan \(pan ?? .nan)")
      }
    }
    let smoothness = Smoothness(frequency: 440, amplitude: 0.5, fades: 2)
    for channel in rig.heard[0] { smoothness.expect(Array(channel.dropFirst(1000))) }
  }

  //   mic ──► desk, with a send ──► hall: both have a volume, and the send follows its strip's
  @Test func `adding and removing a send's lane beside its strip's causes no discontinuity`() throws {
    let rig = Rig(outputs: [mono, mono], sampleRate: 48_000)
    var sketch = Sketch()
    let sine = try sketch.source("sine", Emitter.sine(440))
    let output = try sketch.output("desk"), hall = try sketch.output("hall", 1)
    let strip = try sketch.wire(sine, output)
    let send = Graph.Wire(sendOf: strip, to: Endpoint(hall))
    try sketch.graph.connect(send)
    try sketch.graph.automate(.init(.wire(strip.id), .volume), with: Automation(0.8))
    try rig.play(sketch)
    rig.render(2000)
    for (volume, heard) in [(0.25, 0.1), (0.5, 0.2), (nil, 0.4)] as [(Float?, Float)] {
      try sketch.graph.automate(.init(.wire(send.id), .volume), with: volume.map { Automation($0) })
      try rig.play(sketch)
      rig.render(2000)
      #expect(abs((rig.heard[1][0].suffix(200).max() ?? 0) - heard) < 0.001)
    }
    Smoothness(frequency: 440, amplitude: 0.5).expect(Array(rig.heard[1][0].dropFirst(1000)))
  }
}
