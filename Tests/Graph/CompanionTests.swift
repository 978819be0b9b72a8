// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletGraph
import Testing

@Suite struct CompanionTests {
  /// The nodes whose sound the second input of an input node's processor receives, as sources of its wires.
  private func reference(_ graph: Graph, of input: NodeID) -> Set<NodeID> {
    let wires = graph.wires.filter { $0.destination.node == input && $0.destination.bus == 1 }
    #expect(wires.allSatisfy { $0.feedback == 64 })
    return Set(wires.map { $0.source.node })
  }

  //   mic ─► line      far ─► tone ─► desk      player ─► desk, phones      mic, player ─► mixer ─► monitor
  @Test func `each voice receives everything that is played except itself as its reference`() throws {
    let mono = BusFormat.audio(channels: 1), stereo = BusFormat.audio(channels: 2)
    var graph = Graph()
    let mic = try graph.add("mic", .input(0), inputs: [], outputs: [mono])
    let far = try graph.add("far", .input(1), inputs: [], outputs: [stereo])
    let keys = try graph.add("keys", .input(2), inputs: [], outputs: [.events])
    let player = try graph.add("player", .processor, inputs: [], outputs: [stereo])
    let tone = try graph.add("tone", .processor, inputs: [stereo], outputs: [stereo])
    let mixer = try graph.add("mixer", .mixer, inputs: [stereo], outputs: [stereo])
    let line = try graph.add("line", .output(0), inputs: [mono], outputs: [])
    let output = try graph.add("desk", .output(1), inputs: [stereo], outputs: [])
    let monitor = try graph.add("monitor", .output(2), inputs: [stereo], outputs: [])
    for (source, destination) in [
      (mic, line), (far, tone), (tone, output), (player, output), (mic, mixer), (player, mixer),
      (mixer, monitor),
    ] {
      try graph.connect(Graph.Wire(from: Endpoint(source), to: Endpoint(destination), gain: -3))
    }
    let chat = try graph.processingCaptures(reference: 2, late: 64)
    // Mixed sources cannot be separated; the remote voice is an echo for the microphone, but not for itself.
    #expect(reference(chat, of: mic) == [output.companion, monitor.companion, tone])
    #expect(reference(chat, of: far) == [output.companion, monitor.companion, mic])
    let twins = chat.wires.filter { $0.destination.node == output.companion }
    #expect(twins.map(\.source.node) == [player] && twins.map(\.gain) == [-3])
    // The user's nodes keep their identities and wires, and event nodes are unchanged.
    for wire in graph.wires { #expect(chat.wire(wire.id) == wire) }
    #expect(chat.node(mic)?.role == .processor && chat.node(mic.companion)?.role == .input(0))
    #expect(chat.node(keys) == graph.node(keys) && chat.node(line.companion) == nil)
    #expect(mic.companion.principal == mic && mic.principal == mic)
    // A graph without input nodes is unchanged.
    try graph.remove(mic)
    try graph.remove(far)
    #expect(try graph.processingCaptures(reference: 2, late: 64) == graph)
  }

  //   mic ─► desk      player ─► desk, soloed
  @Test func `a voice that is only a reference is not affected by solo`() throws {
    let stereo = BusFormat.audio(channels: 2)
    var graph = Graph()
    let mic = try graph.add("mic", .input(0), inputs: [], outputs: [stereo])
    let player = try graph.add("player", .processor, inputs: [], outputs: [stereo])
    let output = try graph.add("desk", .output(0), inputs: [stereo], outputs: [])
    let voice = Graph.Wire(from: Endpoint(mic), to: Endpoint(output))
    try graph.connect(voice)
    var strip = Graph.Wire(from: Endpoint(player), to: Endpoint(output))
    strip.isSolo = true
    try graph.connect(strip)
    #expect(graph.silenced == [voice.id])
    let chat = try graph.processingCaptures(reference: 2, late: 64)
    #expect(chat.silenced.contains(voice.id) && !chat.silenced.contains(strip.id))
  }

  //   mic ─► desk, soloed      far ─► desk      player ─► desk
  @Test func `references leave out voices that solo silences, and include all for a soloed voice`() throws {
    let stereo = BusFormat.audio(channels: 2)
    var graph = Graph()
    let mic = try graph.add("mic", .input(0), inputs: [], outputs: [stereo])
    let far = try graph.add("far", .input(1), inputs: [], outputs: [stereo])
    let player = try graph.add("player", .processor, inputs: [], outputs: [stereo])
    let output = try graph.add("desk", .output(0), inputs: [stereo], outputs: [])
    var strip = Graph.Wire(from: Endpoint(mic), to: Endpoint(output))
    strip.isSolo = true
    let others = [far, player].map { Graph.Wire(from: Endpoint($0), to: Endpoint(output)) }
    for wire in [strip] + others { try graph.connect(wire) }
    let chat = try graph.processingCaptures(reference: 2, late: 64)
    // The same wires are silenced in both graphs.
    #expect(graph.silenced == Set(others.map(\.id)) && chat.silenced == graph.silenced)
    func isHeard(_ source: NodeID, by end: NodeID) -> Bool? {
      let twin = chat.wires.first {
        $0.source.node == source && $0.destination.node == end && $0.id != strip.id
          && !others.map(\.id).contains($0.id)
      }
      return twin.map { !$0.isMuted && !chat.silenced.contains($0.id) }
    }
    #expect(isHeard(mic, by: far) == true)
    #expect(isHeard(far, by: mic) == false && isHeard(player, by: output.companion) == false)
    #expect(isHeard(output.companion, by: mic) == true)
  }
}
