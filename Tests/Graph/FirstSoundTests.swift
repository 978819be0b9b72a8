// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Testing

@testable import SwiftletGraph

@Suite struct FirstSoundTests {
  //   mic ──► desk
  @Test func `an input node wired to an output node passes sound through`() throws {
    let rig = Rig(inputs: [mono])
    rig.source = { _, _, frame in Float(frame) / 1000 }
    var graph = Graph()
    let mic = try graph.add("mic", .input(0), inputs: [], outputs: [mono])
    let output = try graph.add("desk", .output(0), inputs: [mono], outputs: [])
    try graph.connect(Graph.Wire(from: Endpoint(mic), to: Endpoint(output)))
    try rig.controller.apply(graph)
    let heard = rig.render(200)
    #expect(heard == (0..<200).map { Float($0) / 1000 })
  }

  //   mic ──► half ──► desk
  @Test func `a processor changes the sound of the input node`() throws {
    let rig = Rig(inputs: [mono])
    rig.source = { _, _, frame in Float(frame) }
    var graph = Graph()
    let mic = try graph.add("mic", .input(0), inputs: [], outputs: [mono])
    let half = try graph.add("half", .processor, inputs: [mono], outputs: [mono])
    let output = try graph.add("desk", .output(0), inputs: [mono], outputs: [])
    try graph.connect(Graph.Wire(from: Endpoint(mic), to: Endpoint(half)))
    try graph.connect(Graph.Wire(from: Endpoint(half), to: Endpoint(output)))
    try rig.controller.apply(graph, processors: [half: Scale(0.001)])
    #expect(rig.render(200) == (0..<200).map { Float($0) * 0.001 })
  }

  @Test func `an empty graph plays silence, not uninitialized memory`() {
    let rig = Rig()
    #expect(rig.render(100) == Array(repeating: 0, count: 100))
  }
}
