// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import Synchronization
import Testing

@testable import SwiftletLV2

/// Restarts of plugins by `deactivate` and `activate`: LV2 permits no other call of the instance meanwhile.
@Suite struct RestartTests {
  private static let output = "lv2:OutputPort, lv2:ControlPort"
  private static let ports =
    FixtureFolder.throughPorts + " , "
    + ["clashes", "activations"].enumerated().map { FixtureFolder.port($0 + 2, $1, output) }
    .joined(separator: " , ")

  /// A plugin that outputs the number of frames since its activation, schedules work in each run, and counts calls
  /// that overlap.
  private static func code(work: String = "usleep(1000);") -> String {
    """
    #include <unistd.h>
    static void enter(Self *s, int weight) {
      long others = __sync_fetch_and_add(&s->state[0], weight);
      if (weight > 1 ? others : others >= 1000) __sync_fetch_and_add(&s->state[1], 1);
    }
    static void leave(Self *s, int weight) { __sync_fetch_and_sub(&s->state[0], weight); }
    INSTANTIATE(start) { return make(rate, features); }
    static void activate(LV2_Handle h) {
      Self *s = h; enter(s, 1000); usleep(300); s->state[2]++; s->state[3] = 0; leave(s, 1000);
    }
    static LV2_Worker_Status work(LV2_Handle h, LV2_Worker_Respond_Function f, LV2_Worker_Respond_Handle r,
      uint32_t size, const void *data) { enter(h, 1); \(work) leave(h, 1); return 0; }
    static LV2_Worker_Status response(LV2_Handle h, uint32_t size, const void *data) { return 0; }
    static void run(LV2_Handle h, uint32_t n) {
      Self *s = h; LV2_Worker_Schedule *w = feature(s->features, LV2_WORKER__schedule);
      enter(s, 1);
      w->schedule_work(w->handle, 8, s);
      for (uint32_t i = 0; i < n; ++i) s->port[1][i] = ++s->state[3];
      *s->port[2] = s->state[1]; *s->port[3] = s->state[2];
      leave(s, 1);
    }
    static const void *extension(const char *uri) {
      static const LV2_Worker_Interface worker = {work, response, 0};
      return strcmp(uri, LV2_WORKER__interface) ? 0 : &worker;
    }
    EXPORT(start, activate, run, extension)
    """
  }

  private func rig(work: String = "usleep(1000);") throws -> (PluginProcessor, ProcessorRig) {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "clashing", ports: Self.ports,
      more: "; lv2:requiredFeature work:schedule ; lv2:extensionData work:interface",
      code: Self.code(work: work))
    return try folder.world.rig(uri)
  }

  /// The plugin above, with a preset.
  private func rigWithPreset(work: String = "usleep(1000);") throws -> (PluginProcessor, ProcessorRig) {
    let folder = try FixtureFolder()
    let uri = "urn:swiftlet:test:clashing", kind = "a pset:Preset ; lv2:appliesTo <\(uri)>"
    try folder.add(
      "clashing", ports: Self.ports,
      more: """
        ; lv2:requiredFeature work:schedule ; lv2:extensionData work:interface .
        <urn:preset:any> \(kind) ; rdfs:label "Any" ; state:state [ <urn:key> 5 ]
        """,
      code: Self.code(work: work))
    let manifest = URL(filePath: folder.path + "/clashing.lv2/manifest.ttl")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    try (FixtureFolder.prefixes + text + "\n<urn:preset:any> \(kind) ; rdfs:seeAlso <clashing.ttl> .\n")
      .write(to: manifest, atomically: true, encoding: .utf8)
    return try folder.world.rig(uri)
  }

  @Test func `a reset on the audio thread does not restart a plugin`() throws {
    let (processor, rig) = try rig()
    rig.play([], frames: 64, blocks: [64])
    processor.reset()
    #expect(rig.play([], frames: 2, blocks: [64])[0] == [65, 66])
    #expect(rig.meter(1) == 1)
  }

  @Test func `after a restart an idle plugin plays like a new one`() throws {
    let (processor, rig) = try rig()
    rig.play([], frames: 100, blocks: [64])
    processor.prepareRestart()
    var timeout = 1000
    try processor.restart(within: &timeout) { false }
    #expect(rig.play([], frames: 3, blocks: [64])[0] == [1, 2, 3])
    #expect(rig.meter(0) == 0 && rig.meter(1) == 2)
    // Without `prepareRestart`, too.
    try processor.restart(within: &timeout) { false }
    #expect(rig.play([], frames: 3, blocks: [64])[0] == [1, 2, 3])
  }

  @Test func `a restart of a playing plugin overlaps no other call, and fades out and in`() throws {
    let (processor, rig) = try rig()
    nonisolated(unsafe) let played = rig
    let isOver = Atomic<Bool>(false), ended = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var output: [Float] = []
    Thread {
      while !isOver.load(ordering: .relaxed) {
        output += played.play([], frames: 64, blocks: [64])[0]
        usleep(100)
      }
      ended.signal()
    }.start()
    for round in 0..<20 {
      if round.isMultiple(of: 2) { processor.prepareRestart() }
      var timeout = 10_000
      try processor.restart(within: &timeout) { true }
    }
    isOver.store(true, ordering: .relaxed)
    ended.wait()
    rig.play([], frames: 128, blocks: [64])
    #expect(rig.meter(0) == 0 && rig.meter(1) == 21)
    // The output counts frames, so a fade-in after a restart begins below 1.
    let begins = output.indices.dropFirst().filter { output[$0] > 0 && output[$0 - 1] == 0 }
    #expect(begins.allSatisfy { output[$0] < 1 })
  }

  @Test func `a restart gives up waiting for work that does not end, and the plugin plays on`() throws {
    let (processor, rig) = try rig(work: "while (!((volatile Self *)h)->state[8]) usleep(1000);")
    rig.play([], frames: 64, blocks: [64])
    let handle = try #require(processor.body.instances[0].handle), state = 32 * 8
    while handle.load(fromByteOffset: state, as: Int.self) == 0 { usleep(1000) }
    var timeout = 20
    #expect(throws: PluginError.stillRunning(processor.uri)) {
      try processor.restart(within: &timeout) { false }
    }
    #expect(timeout == 0)
    #expect(rig.play([], frames: 2, blocks: [64])[0] == [65, 66])
    #expect(rig.meter(1) == 1)
    handle.storeBytes(of: 1, toByteOffset: state + 8 * 8, as: Int.self)
  }

  @Test func `a plugin that another thread is changing is not silenced for a restart`() throws {
    let (processor, rig) = try rig()
    rig.play([], frames: 64, blocks: [64])
    let begun = DispatchSemaphore(value: 0), go = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    Thread {
      processor.changeLock.locked {
        begun.signal()
        go.wait()
      }
      ended.signal()
    }.start()
    begun.wait()
    var timeout = 20
    #expect(throws: PluginError.busy(processor.uri)) { try processor.restart(within: &timeout) { false } }
    #expect(timeout == 0)
    #expect(!processor.reserve())
    #expect(rig.play([], frames: 2, blocks: [64])[0] == [65, 66])
    go.signal()
    ended.wait()
    #expect(processor.reserve())
    processor.release()
    timeout = 1000
    try processor.restart(within: &timeout) { false }
    #expect(rig.play([], frames: 2, blocks: [64])[0] == [1, 2])
  }

  @Test func `loading a preset gives up waiting for work that does not end`() throws {
    let (processor, rig) = try rigWithPreset(
      work: "for (int k = 0; k < 20000 && !((volatile Self *)h)->state[8]; ++k) usleep(1000);")
    rig.play([], frames: 64, blocks: [64])
    let handle = try #require(processor.body.instances[0].handle), state = 32 * 8
    while handle.load(fromByteOffset: state, as: Int.self) == 0 { usleep(1000) }
    #expect(throws: PluginError.stillRunning(processor.uri)) {
      try processor.load(preset: "Any", isPlaying: { false })
    }
    #expect(rig.play([], frames: 2, blocks: [64])[0] == [65, 66])
    handle.storeBytes(of: 1, toByteOffset: state + 8 * 8, as: Int.self)
    #expect(try processor.load(preset: "Any", isPlaying: { false }).isEmpty)
  }

  @Test func `a preset loaded before a prepared restart does not wait for the restart`() throws {
    let (processor, rig) = try rigWithPreset()
    rig.play([], frames: 64, blocks: [64])
    processor.prepareRestart()
    #expect(try processor.load(preset: "Any", isPlaying: { false }).isEmpty)
    #expect(rig.play([], frames: 2, blocks: [64])[0] == [65, 66])
    var timeout = 1000
    try processor.restart(within: &timeout) { false }
    #expect(rig.play([], frames: 2, blocks: [64])[0] == [1, 2])
  }
}
