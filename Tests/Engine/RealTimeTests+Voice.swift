// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletProbe
import Foundation
import SwiftletGraph
import Synchronization
import Testing

extension RealTimeTests {
  //   mic ─► desk, and repeatedly   port ─► mic ─► desk, whose companion mic receives as its reference
  @Test func `starting and ending voice chat makes no runtime calls on the audio thread`() throws {
    let rig = RealTimeRig(), controller = rig.controller
    let stereo = BusFormat.audio(channels: 2)
    var graph = Graph()
    let mic = try graph.add("mic", .input(0), inputs: [], outputs: [stereo])
    let tone = try graph.add("tone", .processor, inputs: [], outputs: [stereo])
    let output = try graph.add("desk", .output(0), inputs: [stereo], outputs: [])
    try graph.connect(Graph.Wire(from: Endpoint(mic), to: Endpoint(output)))
    try graph.connect(Graph.Wire(from: Endpoint(tone), to: Endpoint(output)))
    try controller.apply(graph, processors: [tone: try effect("generator")])
    let chat = try graph.processingCaptures(reference: 2, late: 64)
    rig.start()
    var rounds = 0
    while rig.cycles.load(ordering: .relaxed) < 5000 || rounds < 20 {
      rounds += 1
      try controller.apply(chat, processors: [mic: try effect("voice-processing")])
      for _ in 0..<20 {
        controller.tick()
        usleep(2000)
      }
      try controller.apply(graph)
      for _ in 0..<20 {
        controller.tick()
        usleep(2000)
      }
    }
    let counts = rig.stop()
    #expect(counts.retains == 0 && counts.releases == 0 && counts.allocations == 0, "\(counts)")
    #expect(counts.accesses == 0 && counts.onces == 0, "\(counts)")
  }
}
