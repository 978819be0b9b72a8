// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletProbe
import Foundation
import Swiftlet
import SwiftletGraph
import SwiftletLV2
import Synchronization
import Testing

extension RealTimeTests {
  private static var amplifier: String { "http://lv2plug.in/plugins/eg-amp" }

  //   mic ──► gain ══► amplifier (LV2) ──fader──► desk      each follows lanes that change while they move
  @Test func `moving lanes make no runtime calls on the audio thread`() throws {
    let rig = RealTimeRig(), controller = rig.controller
    let stereo = BusFormat.audio(channels: 2)
    var graph = Graph()
    let mic = try graph.add("mic", .input(0), inputs: [], outputs: [stereo])
    let gain = try graph.add("gain", .processor, inputs: [stereo], outputs: [stereo])
    let amplifier = try graph.add("amplifier", .processor, inputs: [stereo], outputs: [stereo])
    let output = try graph.add("desk", .output(0), inputs: [stereo], outputs: [])
    for (source, destination) in [(mic, gain), (gain, amplifier), (amplifier, output)] {
      try graph.connect(Graph.Wire(from: Endpoint(source), to: Endpoint(destination)))
    }
    let plugin: Processor
    do {
      plugin = try PluginWorld.shared.makeProcessor(
        uri: Self.amplifier, layout: PluginLayout(sampleRate: 48_000, longestBlock: 256, channels: 2))
    } catch {
      // An effect replaces the plugin if it is not installed, so that the rest is tested.
      plugin = try effect("gain")
    }
    try controller.apply(graph, processors: [gain: try effect("gain"), amplifier: plugin])
    let wire = Lane.Owner.wire(Graph.Wire(from: Endpoint(gain), to: Endpoint(amplifier)).id)
    let targets = [
      Lane.Target(.node(gain), .parameter(0)), .init(.node(amplifier), .parameter(0)),
      .init(.node(amplifier), .volume), .init(.node(amplifier), .ducking), .init(.node(amplifier), .pan),
      .init(wire, .volume), .init(wire, .pan), .init(.node(output), .volume),
    ]
    rig.start()
    var edits = 0, plansWithLanes = 0
    let curves = [
      Automation.Curve.linear, .sCurve, .decibels, .equalPower, .bezier(x1: 0.4, y1: 0, x2: 0.6, y2: 1),
    ]
    while rig.cycles.load(ordering: .relaxed) < 4000 || edits < 100 {
      edits += 1
      let now = controller.renderer.timelinePosition.load(ordering: .relaxed)
      for (index, target) in targets.enumerated() {
        guard (edits + index) % 9 > 0 else {
          try graph.automate(target, with: nil)
          continue
        }
        guard edits % 3 == 0 else { continue }
        var lane = Automation(Float(edits % 5) / 5)
        for step in 0..<8 {
          let start = MediaTime(frames: now + Int64(step * 700), at: 48_000)
          try lane.ramp(
            from: Float(step % 2), to: Float((step + 1) % 3) / 2,
            in: start..<(start + MediaTime(frames: 500, at: 48_000)),
            curve: curves[(edits + step) % curves.count])
        }
        try graph.automate(target, with: lane)
      }
      try controller.apply(graph)
      // A suspended controller has an empty plan, so the text is read while it runs.
      if controller.planText.contains("lanes") { plansWithLanes += 1 }
      if edits % 20 == 5 { controller.suspend() }
      if edits % 20 == 7 { controller.resume() }
      controller.renderer.followsTransport.store(edits % 30 < 10, ordering: .relaxed)
      try? controller.set(0, of: gain, to: Float(edits % 10), over: -1)
      for _ in 0..<4 {
        controller.tick()
        usleep(1000)
      }
    }
    let counts = rig.stop()
    #expect(counts.retains == 0 && counts.releases == 0 && counts.allocations == 0, "\(counts)")
    #expect(counts.accesses == 0 && counts.onces == 0, "\(counts)")
    #expect(plansWithLanes > edits / 2)
  }
}
