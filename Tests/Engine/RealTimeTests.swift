// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletProbe
import CSwiftletRealtime
import Foundation
import Swiftlet
import SwiftletEffects
import SwiftletGraph
import SwiftletLibraryEffects
import SwiftletSignal
import Synchronization
import Testing

/// The audio thread neither allocates nor locks nor counts references, while everything else happens.
///
/// Two witnesses check this: counters of calls into the Swift runtime, and RealtimeSanitizer, which aborts the
/// process with a stack trace if it is linked (`Scripts/rtsan-flags`). Each has a positive control.
@Suite(.serialized) struct RealTimeTests {
  /// Replaces a file: an impulse response whose partitions have three sizes.
  private let response = (0..<30_000).map { Float($0 % 17) / 1000 }

  /// Returns a processor for the effect with this symbol.
  func effect(_ symbol: String, channels: Int = 2, algorithm: Int = 0) throws -> Processor {
    var catalog = EffectRegistry()
    forEachEffect(&catalog)
    forEachLibraryEffect(&catalog)
    let entry = try #require(catalog.entries.first { $0.info.id == symbol })
    return try entry.make(
      Layout(
        sampleRate: 48_000, longestBlock: 256, inputs: entry.info.inputs.map { width($0, channels) },
        outputs: entry.info.outputs.map { width($0, channels) },
        files: entry.info.files.map { _ in .sound(Sound(channels: [response])) }, engine: algorithm))
  }

  private func width(_ bus: ProcessorInfo.Bus, _ channels: Int) -> Int {
    if case .channels(let fixed) = bus.content { fixed } else { channels }
  }

  //   mic ─► equalizer ─► delay ─► gain ─► main ─► desk      keys ─► out
  //    │                    └◄───────┘ feedback    │
  //    ├► late ───────────────────────────────────┤           taps at mic and main
  //    └──────────────────────────────────────────┘           a send from mic to delay, an occasional NaN at the input
  @Test func `ten thousand cycles with edits make no runtime calls on the audio thread`() throws {
    let rig = RealTimeRig(), controller = rig.controller
    let stereo = BusFormat.audio(channels: 2)
    var graph = Graph()
    let mic = try graph.add("mic", .input(0), inputs: [], outputs: [stereo])
    let keys = try graph.add("keys", .input(1), inputs: [], outputs: [.events])
    let nodes = try ["equalizer", "delay", "gain", "late"].map {
      try graph.add($0, .processor, inputs: [stereo], outputs: [stereo])
    }
    let main = try graph.add("main", .mixer, inputs: [stereo], outputs: [stereo])
    let output = try graph.add("desk", .output(0), inputs: [stereo], outputs: [])
    let out = try graph.add("out", .output(1), inputs: [.events], outputs: [])
    for (source, destination) in [
      (mic, nodes[0]), (nodes[0], nodes[1]), (nodes[1], nodes[2]), (nodes[2], main),
      (mic, nodes[3]), (nodes[3], main), (mic, main), (main, output), (keys, out),
    ] {
      try graph.connect(Graph.Wire(from: Endpoint(source), to: Endpoint(destination)))
    }
    try graph.connect(Graph.Wire(from: Endpoint(nodes[2]), to: Endpoint(nodes[1]), gain: -20, feedback: 100))
    var strip = Graph.Wire(from: Endpoint(mic), to: Endpoint(main))
    try graph.connect(Graph.Wire(sendOf: strip, to: Endpoint(nodes[1]), gain: -12))
    let sinks = [TapSink(channelCount: 2), TapSink(channelCount: 2)]
    let taps = [try graph.tap(mic), try graph.tap(main)]
    let late = try effect("gain")
    try controller.apply(
      graph,
      processors: [
        nodes[0]: try effect("equalizer"), nodes[1]: try effect("delay"), nodes[2]: try effect("gain"),
        nodes[3]: late,
      ], taps: [taps[0]: sinks[0], taps[1]: sinks[1]])
    for sink in sinks { sink.record() }

    rig.start()
    var edits = 0, extra: NodeID?, heard = 0, muted = 0,
      wire = Graph.Wire(from: Endpoint(mic), to: Endpoint(nodes[0]))
    while rig.cycles.load(ordering: .relaxed) < 10_000 || edits < 400 {
      edits += 1
      switch edits % 8 {
      case 0:
        wire.gain = -Float(edits % 30)
        wire.pan = Float(edits % 20) / 10 - 1
        wire.panLaw = PanLaw.allCases[edits / 8 % 4]
        try graph.update(wire)
        (strip.isMuted, strip.isInverted, strip.isSolo) = (edits % 24 == 0, edits % 16 == 0, edits % 48 == 0)
        (strip.trim, strip.glide) = (-Float(edits % 7), edits % 32 == 0 ? 0.05 : 0)
        try graph.update(strip)
        try graph.setGain(edits % 40 == 0 ? 0 : -3, of: main)
      case 1: try graph.setBypass(edits % 16 == 1, of: nodes[edits / 16 % 3])
      case 2:
        if let node = extra {
          try graph.remove(node)
          extra = nil
        } else {
          let node = try graph.add("extra", .processor, inputs: [stereo], outputs: [stereo])
          try graph.connect(Graph.Wire(from: Endpoint(nodes[1]), to: Endpoint(node)))
          try graph.connect(Graph.Wire(from: Endpoint(node), to: Endpoint(main)))
          try controller.apply(
            graph, processors: [node: try effect(edits % 16 == 2 ? "equalizer" : "convolver")])
          extra = node
        }
      case 3: late.publish(latency: edits % 5 * 100)
      case 4: controller.setProfiling(edits % 16 == 4)
      case 5: if edits % 64 == 5 { controller.suspend() }
      case 6: controller.resume()
      default:
        try controller.reset(nodes[1])
        if edits % 64 == 63 { controller.open(output) }
      }
      try controller.apply(graph)
      for parameter in 0..<8 {
        let frame = controller.renderer.position.load(ordering: .relaxed) + Int64(edits % 700)
        try? controller.set(
          parameter, of: nodes[parameter % 3], to: Float(edits % 97) / 9,
          over: edits % 3 == 0 ? -1 : edits % 300,
          at: parameter % 2 == 0 ? frame : nil)
      }
      for _ in 0..<4 {
        controller.tick()
        usleep(500)
      }
      for sink in sinks { heard += sink.drain { _ in } }
      for case .muted in controller.takeReports() { muted += 1 }
      _ = controller.takeSlowest()
    }
    let counts = rig.stop()
    #expect(counts.retains == 0 && counts.releases == 0 && counts.allocations == 0, "\(counts)")
    #expect(counts.accesses == 0 && counts.onces == 0, "\(counts)")
    #expect(heard > 100_000 && muted > 0, "sound, taps and faults were flowing")
  }

  //   mic ─► one effect of each library, with each of its algorithms ─► desk
  @Test func `effects based on libraries make no runtime calls on the audio thread`() throws {
    let rig = RealTimeRig(), controller = rig.controller
    let stereo = BusFormat.audio(channels: 2)
    var catalog = EffectRegistry(), graph = Graph(), processors: [NodeID: Processor] = [:]
    forEachLibraryEffect(&catalog)
    let mic = try graph.add("mic", .input(0), inputs: [], outputs: [stereo])
    let output = try graph.add("desk", .output(0), inputs: [stereo], outputs: [])
    var last = mic, nodes: [NodeID] = []
    for info in catalog.entries.map(\.info) {
      let inputs = info.inputs.map { BusFormat.audio(channels: width($0, 2)) }
      let outputs = info.outputs.map { BusFormat.audio(channels: width($0, 2)) }
      for algorithm in 0..<(info.algorithms.isEmpty ? 1 : StretchAlgorithm.built.count) {
        let node = try graph.add("\(info.id)-\(algorithm)", .processor, inputs: inputs, outputs: outputs)
        for bus in inputs.indices {
          try graph.connect(Graph.Wire(from: Endpoint(last), to: Endpoint(node, bus: Bus(index: bus))))
        }
        processors[node] = try effect(info.id, algorithm: algorithm)
        nodes.append(node)
        last = node
      }
    }
    try graph.connect(Graph.Wire(from: Endpoint(last), to: Endpoint(output)))
    try controller.apply(graph, processors: processors)
    rig.start()
    var round = 0
    while rig.cycles.load(ordering: .relaxed) < 5000 {
      round += 1
      for node in nodes {
        // Parameter 16 selects how the first source of an environment is rendered; it changes, too.
        for parameter in [0, 1, 2, 3, 12, 14, 16, 18] {
          try? controller.set(parameter, of: node, to: Float((round + parameter) % 13) - 6, over: -1)
        }
      }
      controller.tick()
      usleep(2000)
    }
    let counts = rig.stop()
    #expect(counts.retains == 0 && counts.releases == 0 && counts.allocations == 0, "\(counts)")
    #expect(counts.accesses == 0 && counts.onces == 0, "\(counts)")
  }

  //   a processor that retains and releases an object, and makes another: the control of the first witness
  @Test func `the counters detect a processor that counts references`() throws {
    let rig = RealTimeRig()
    var graph = Graph()
    let node = try graph.add("careless", .processor, inputs: [], outputs: [.audio(channels: 1)])
    try rig.controller.apply(graph, processors: [node: ForbiddenCallProcessor(isExempt: true)])
    rig.start()
    while rig.cycles.load(ordering: .relaxed) < 10 { usleep(1000) }
    let counts = rig.stop()
    #expect(counts.retains >= 10 && counts.releases >= 10 && counts.allocations >= 10, "\(counts)")
    #expect(counts.accesses >= 10 && counts.onces >= 1, "\(counts)")
  }

  //   a processor that allocates: the control of the second witness, in a separate process, which must be aborted
  @Test(.enabled(if: rt_is_sanitized() != 0, "RealtimeSanitizer is not linked: see Scripts/rtsan-flags"))
  func `the sanitizer aborts a process whose audio thread allocates`() async {
    await #expect(processExitsWith: .failure) {
      let rig = RealTimeRig()
      var graph = Graph()
      let node = try graph.add("careless", .processor, inputs: [], outputs: [.audio(channels: 1)])
      try rig.controller.apply(graph, processors: [node: ForbiddenCallProcessor(isExempt: false)])
      rig.start()
      while rig.cycles.load(ordering: .relaxed) < 10 { usleep(1000) }
      _ = rig.stop()
    }
  }
}

/// An object that a processor retains. It is not private, and its values are known at run time only; otherwise
/// the compiler would remove the checks.
class RetainedObject {
  var text: Int

  init(_ text: Int) { self.text = text }
}

/// Makes calls on the audio thread that are not allowed there.
final class ForbiddenCallProcessor: Processor, @unchecked Sendable {
  nonisolated(unsafe) static let first = RetainedObject(Int(rt_ticks() & 15))
  var note = RetainedObject(0)
  /// Whether the sanitizer ignores these calls, so that the other witness can detect them.
  private let isExempt: Bool

  init(isExempt: Bool) {
    self.isExempt = isExempt
    super.init()
  }

  override func process(_ block: Block) {
    if isExempt { rt_third_party_enter() }
    defer { if isExempt { rt_third_party_exit() } }
    let old = Unmanaged.passRetained(note)
    note = Self.keep(RetainedObject(block.frameCount))
    old.release()
    Self.write(&note.text)
    Self.write(&Self.first.text)
  }

  @inline(never) private static func keep(_ note: RetainedObject) -> RetainedObject { note }
  @inline(never) private static func write(_ text: inout Int) { text += 1 }
}
