// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletSignal
import SwiftletTesting
import SwiftletTimeline
import Testing

@testable import SwiftletGraph

/// Random mixing consoles, compared with a minimal model of strips, sends and solo.
@Suite struct RandomStripTests {
  //   sources (1, 2, 5 channels) ══► buses (1, 2, 5) ══► main (2) ──► desk
  //    ╰┄ sends ┄► halls ═══════════════════════════════►┘
  private struct Console {
    let rig = Rig(outputs: [stereo], sampleRate: 24_000)
    var sketch = Sketch()
    var random: SeededGenerator
    /// Each source's level by channel.
    var values: [NodeID: [Double]] = [:]
    var sources: [NodeID] = [], halls: [NodeID] = [], groups: [NodeID] = []
    let main: NodeID, output: NodeID

    init(seed: UInt64) throws {
      random = SeededGenerator(seed: seed)
      main = try sketch.mixer("main", stereo)
      output = try sketch.output("desk", 0, stereo)
      // At full level the guard of the output node would take it for noise.
      try sketch.wire(main, output, gain: -40)
      for number in 0..<6 {
        let channels = [1, 2, 5][number % 3], level = Float(number + 1) / 10
        let source = try sketch.source("source\(number)", Steps(level), .audio(channels: channels))
        values[source] = (0..<channels).map { Double(level) * Double($0 + 1) }
        sources.append(source)
        groups.append(try sketch.mixer("group\(number)", .audio(channels: channels)))
      }
      for number in 0..<2 {
        let format = [mono, stereo][number]
        halls.append(
          try sketch.node(
            "hall\(number)", Late(50 * number, channels: number + 1), inputs: [format], outputs: [format]))
      }
    }

    mutating func roll(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    mutating func chance(_ of: Int) -> Bool { roll(0..<of) == 0 }

    mutating func vary(_ wire: inout Graph.Wire) throws {
      switch roll(0..<9) {
      case 0: wire.gain = Float(roll(-40..<6))
      case 1: wire.trim = Float(roll(-6..<6))
      case 2: wire.isMuted.toggle()
      case 3: wire.isInverted.toggle()
      case 4: wire.isSolo.toggle()
      case 5: wire.isSoloSafe.toggle()
      case 6: wire.isPreFader.toggle()
      case 7: wire.panLaw = PanLaw.allCases[roll(0..<4)]
      default:
        let format = sketch.graph.node(wire.destination.node)?.inputs[0]
        if format == stereo, wire.destination.channel == nil {
          wire.pan = chance(4) ? nil : Float(roll(-10..<11)) / 10
        }
      }
      wire.glide = Double(roll(0..<3)) * 0.01
    }

    /// Makes an edit as at a mixing console.
    mutating func edit() throws {
      if chance(3) {
        let from = [sources, groups, halls][roll(0..<3)].randomElement(using: &random) ?? main
        let into = sources.contains(from) && chance(2) ? groups.randomElement(using: &random) ?? main : main
        try sketch.wire(from, into)
      } else if chance(4) {
        let strips = sketch.graph.wires.filter { $0.id.strip == nil && $0.destination.node != output }
        // A hall that feeds itself would be a loop.
        guard let strip = strips.filter({ !halls.contains($0.source.node) }).randomElement(using: &random),
          let hall = halls.randomElement(using: &random)
        else { return }
        try sketch.graph.connect(Graph.Wire(sendOf: strip, to: Endpoint(hall), isPreFader: chance(2)))
      } else if chance(8) {
        let wires = sketch.graph.wires.filter { $0.destination.node != output }
        if let wire = wires.randomElement(using: &random) { try sketch.graph.disconnect(wire.id) }
      } else {
        let wires = sketch.graph.wires.filter { $0.destination.node != output }
        guard var wire = wires.randomElement(using: &random) else { return }
        try vary(&wire)
        try sketch.graph.update(wire)
      }
    }

    // MARK: the model

    func strip(of wire: Graph.Wire) -> Graph.Wire? {
      guard let end = wire.id.strip else { return nil }
      return sketch.graph.wires.first {
        $0.source == wire.source && $0.destination == end && $0.id.strip == nil
      }
    }

    /// Whether a soloed strip's sound passes through this wire.
    func carries(_ wire: Graph.Wire) -> Bool {
      wire.isSolo || strip(of: wire)?.isSolo == true
        || sketch.graph.wires.contains { $0.destination.node == wire.source.node && carries($0) }
    }

    /// Whether a soloed strip receives the sound of this wire.
    func feeds(_ wire: Graph.Wire) -> Bool {
      sketch.graph.wires.contains {
        $0.source.node == wire.destination.node && ($0.isSolo || feeds($0))
      }
    }

    func isSilenced(_ wire: Graph.Wire) -> Bool {
      guard !wire.isSolo, !wire.isSoloSafe else { return false }
      let others = sketch.graph.wires.filter { $0.destination.node == wire.destination.node }
      if others.contains(where: carries), !carries(wire) { return true }
      return strip(of: wire).map { isSilenced($0) && !feeds(wire) } ?? false
    }

    func factor(_ wire: Graph.Wire) -> Double {
      guard !wire.isMuted, !isSilenced(wire) else { return 0 }
      var factor = pow(10, Double(wire.gain + wire.trim) / 20) * (wire.isInverted ? -1 : 1)
      if let strip = strip(of: wire) {
        guard !strip.isMuted else { return 0 }
        factor *= pow(10, Double(strip.trim + (wire.isPreFader ? 0 : strip.gain)) / 20)
        if strip.isInverted { factor = -factor }
      }
      return factor
    }

    func carried(_ wire: Graph.Wire, _ sound: [Double], into count: Int) -> [Double] {
      var heard: [Double]
      if count == 1 {
        heard = [sound.reduce(0, +) / Double(sound.count)]
      } else {
        heard = (0..<count).map { sound.count == 1 ? sound[0] : $0 < sound.count ? sound[$0] : 0 }
      }
      if let pan = wire.pan, count == 2 {
        let shares = StripTests.shares(wire.panLaw, Double(pan))
        let centre = sound.count == 1 ? 1 : StripTests.shares(wire.panLaw, 0).left
        heard[0] *= sound.count == 1 ? shares.left : min(shares.left / centre, 1)
        heard[1] *= sound.count == 1 ? shares.right : min(shares.right / centre, 1)
      }
      return heard.map { $0 * factor(wire) }
    }

    func heard(at node: NodeID) -> [Double] {
      if let value = values[node] { return value }
      let count = sketch.graph.node(node)?.inputs.first?.channelCount ?? 0
      return sketch.graph.wires.filter { $0.destination.node == node }.reduce(
        Array(repeating: 0, count: count)
      ) { sum, wire in
        zip(sum, carried(wire, heard(at: wire.source.node), into: count)).map(+)
      }
    }
  }

  @Test(arguments: 0..<20)
  func `after each of sixty console edits the output matches the model`(seed: UInt64) throws {
    var console = try Console(seed: seed)
    var loudest = 0.0
    for _ in 0..<60 {
      for _ in 0..<console.roll(1..<5) { try? console.edit() }
      try console.rig.play(console.sketch)
      // Blocks of any size. At the end all glides, which last 20 ms at most, are over.
      console.rig.render(console.roll(1..<400), block: console.roll(1..<300))
      console.rig.render(2500, block: 500)
      let wanted = console.heard(at: console.output)
      let heard = console.rig.heard[0].map { Double($0.last ?? .nan) }
      loudest = max(loudest, wanted.map(abs).max() ?? 0)
      let isRight = zip(heard, wanted).allSatisfy { abs($0 - $1) < 1e-6 }
      #expect(isRight, "\(heard) where \(wanted) is wanted")
      guard isRight else { return }
    }
    #expect(loudest > 1e-3, "something was heard")
  }
}

/// Plays level · (n + 1) on channel n.
private final class Steps: Processor, @unchecked Sendable {
  private let level: Float

  init(_ level: Float) {
    self.level = level
    super.init()
  }

  override func process(_ block: Block) {
    let bus = block.output()
    for channel in 0..<bus.channelCount {
      for frame in 0..<block.frameCount { bus[channel][frame] = level * Float(channel + 1) }
    }
  }
}
