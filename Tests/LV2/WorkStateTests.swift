// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import SwiftletSignal
import Synchronization
import Testing

@testable import SwiftletLV2

/// States and presets, restored while the plugin plays and while it is idle.
extension WorkTests {
  /// A plugin whose state is a number that it outputs, with a meter for how many runs overlapped `restore`. Runs with
  /// an input above 0 take 0.2 s.
  private static func stateful(_ features: String) -> (more: String, code: String) {
    let preset = { (name: String, number: Int, gain: Float) in
      """
       . <urn:preset:\(name)> a pset:Preset ; lv2:appliesTo <urn:swiftlet:test:stateful> ; rdfs:label "\(name)" ;
         state:state [ <urn:key> \(number) ] ; lv2:port [ lv2:symbol "gain" ; pset:value \(gain) ]
      """
    }
    let more =
      "; lv2:requiredFeature \(features) ; lv2:extensionData state:interface ; state:state [ <urn:key> 5 ]"
      + preset("Loud", 70, 0.5) + preset("Soft", 3, 0.25)
    let code = """
      #include <unistd.h>
      INSTANTIATE(start) { return make(rate, features); }
      static LV2_State_Status save(LV2_Handle h, LV2_State_Store_Function s, LV2_State_Handle t, uint32_t f,
        const LV2_Feature *const *x) { return 0; }
      static LV2_State_Status restore(LV2_Handle h, LV2_State_Retrieve_Function retrieve, LV2_State_Handle t,
        uint32_t f, const LV2_Feature *const *features) {
        Self *s = h; size_t size; uint32_t type, flags;
        LV2_URID_Map *map = feature(s->features, LV2_URID__map);
        s->state[1] = 1;
        usleep(2000);
        const int32_t *value = retrieve(t, map->map(map->handle, "urn:key"), &size, &type, &flags);
        if (value && size == 4) s->state[0] = *value;
        s->state[1] = 0; s->state[3]++;
        return 0;
      }
      static void run(LV2_Handle h, uint32_t n) {
        Self *s = h;
        long isRestoring = s->state[1], restored = s->state[3];
        s->state[4] = 1;
        if (s->port[0][0] > 0) usleep(200000);
        if (isRestoring || s->state[1] || s->state[3] != restored) s->state[2]++;
        s->state[4] = 0;
        for (uint32_t i = 0; i < n; ++i) s->port[1][i] = s->state[0] + *s->port[2];
        if (s->port[3]) *s->port[3] = s->state[2];
      }
      static const void *extension(const char *uri) {
        static const LV2_State_Interface state = {save, restore};
        return strcmp(uri, LV2_STATE__interface) ? 0 : &state;
      }
      EXPORT(start, 0, run, extension)
      """
    return (more, code)
  }
  private static let statefulPorts =
    FixtureFolder.throughPorts + " , "
    + FixtureFolder.port(2, "gain", input, "; lv2:minimum 0.0 ; lv2:maximum 1.0 ; lv2:default 0.0")
    + " , " + FixtureFolder.port(3, "races", output)

  /// The ports without the meter, which requires work after each run.
  private static let simplePorts =
    FixtureFolder.throughPorts + " , "
    + FixtureFolder.port(2, "gain", input, "; lv2:minimum 0.0 ; lv2:maximum 1.0 ; lv2:default 0.0")

  private func folder(_ features: String, ports: String = statefulPorts, start: String? = nil) throws
    -> FixtureFolder
  {
    let folder = try FixtureFolder()
    var (more, code) = Self.stateful(features)
    if let start { code = code.replacing("INSTANTIATE(start) { return make(rate, features); }", with: start) }
    try folder.add("stateful", ports: ports, more: more, code: code)
    let manifest = folder.path + "/stateful.lv2/manifest.ttl"
    let presets = ["Loud", "Soft"].map {
      """
      <urn:preset:\($0)> a <http://lv2plug.in/ns/ext/presets#Preset> ; lv2:appliesTo <urn:swiftlet:test:stateful> ;
        rdfs:seeAlso <stateful.ttl> .
      """
    }
    let text = try String(contentsOfFile: manifest, encoding: .utf8) + "\n" + presets.joined(separator: "\n")
    try text.write(toFile: manifest, atomically: true, encoding: .utf8)
    return folder
  }
  private var uri: String { "urn:swiftlet:test:stateful" }

  @Test func `the default state is restored into each instance of a mono plugin`() throws {
    let world = try folder("state:loadDefaultState").world
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 256, channels: 2)
    let (_, rig) = try world.rig(uri, layout)
    #expect(rig.play([[0], [0]]) == [[5], [5]])
  }

  @Test func `a preset is found by URI or label, and sets state and parameters of each instance`() throws {
    let world = try folder("state:loadDefaultState").world
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 256, channels: 3)
    #expect(try world.info(uri: uri).presets.map(\.label) == ["Loud", "Soft"])
    let (_, loud) = try world.rig(uri, layout, preset: "Loud")
    #expect(loud.play([[0], [0], [0]]) == [[70.5], [70.5], [70.5]])
    let (_, soft) = try world.rig(uri, layout, preset: "urn:preset:Soft", values: ["gain": 1])
    #expect(soft.play([[0], [0], [0]]) == [[4], [4], [4]])
    let error = #expect(throws: PluginError.self) { try world.rig(uri, layout, preset: "Lod") }
    #expect(error == .unknownPreset("Lod", plugin: uri, known: ["Loud", "Soft"]))
  }

  @Test func `a playing plugin without threadSafeRestore is crossfaded to a new instance`() throws {
    let world = try folder("state:loadDefaultState").world
    let (processor, rig) = try world.rig(uri)
    let values = try playing(rig) { try processor.load(preset: "Loud", isPlaying: { true }) }
    #expect(values.result.map(\.value) == [0.5])
    #expect(rig.meter(0) == 0)
    expectFade(values.played, to: 70.5, within: 5...70.5, over: 240)
  }

  @Test func `a directly called plugin without threadSafeRestore is crossfaded, then called directly`() throws
  {
    let (processor, rig) = try simple()
    rig.play([], frames: 256, blocks: [64])
    #expect(rig.directCalls == 3)
    for (preset, old, new) in [("Loud", Float(5), Float(70.5)), ("Soft", 70.5, 3.25)] {
      let values = try playing(rig) { try processor.load(preset: preset, isPlaying: { true }) }
      // A crossfade of 5 ms at 48 kHz, without silence.
      expectFade(values.played, from: old, to: new, within: min(old, new)...max(old, new), over: 240)
      let calls = rig.directCalls
      #expect(rig.play([], frames: 256, blocks: [64])[0].allSatisfy { $0 == new })
      #expect(rig.directCalls == calls + 4)
    }
  }

  @Test func `a plugin that allows one instance only is faded out, restored and faded in`() throws {
    let (processor, rig) = try simple(allowsOneInstance: true)
    let values = try playing(rig) { try processor.load(preset: "Loud", isPlaying: { true }) }
    #expect(values.result.map(\.value) == [0.5])
    #expect(values.played.contains(0))
    // A block of 64 frames fades by 1/64 of the level per frame.
    expectFade(values.played, to: 70.5, within: 0...70.5, over: 64, step: 70.5)
  }

  /// A plugin that the plan calls directly, which plays state and gain.
  private func simple(allowsOneInstance: Bool = false) throws -> (PluginProcessor, ProcessorRig) {
    let start =
      allowsOneInstance
      ? "static int count; INSTANTIATE(start) { return count++ ? 0 : make(rate, features); }" : nil
    let world = try folder("state:loadDefaultState", ports: Self.simplePorts, start: start).world
    return try world.rig(uri, PluginLayout(sampleRate: 48_000, longestBlock: 64, channels: 1))
  }

  /// Expects a fade whose steps are no larger than those of a linear fade over `frames`.
  private func expectFade(
    _ played: [Float], from old: Float = 5, to new: Float, within range: ClosedRange<Float>,
    over frames: Float,
    step: Float? = nil
  ) {
    #expect(played.first == old && played.last == new)
    #expect((played.allSatisfy { range.contains($0) }) as Bool)
    let steps = zip(played, played.dropFirst()).map { abs($1 - $0) }
    #expect((steps.max() ?? .infinity) <= (step ?? abs(new - old)) / frames + 0.001)
  }

  @Test func `a playing plugin with threadSafeRestore is restored without a pause`() throws {
    let world = try folder("state:loadDefaultState, state:threadSafeRestore").world
    let (processor, rig) = try world.rig(uri)
    let values = try playing(rig) { try processor.load(preset: "Soft", isPlaying: { true }) }
    #expect(Set(values.played) == [5, 3])
    #expect(values.result.map(\.number) == [2])
  }

  @Test func `a preset of an idle plugin is loaded with its parameters`() throws {
    let world = try folder("state:loadDefaultState").world
    let (processor, rig) = try world.rig(uri)
    #expect(try processor.load(preset: "Loud", isPlaying: { false }).count == 1)
    #expect(rig.play([[0]]) == [[70.5]])
    #expect(throws: PluginError.stillRunning(uri)) { try processor.load(preset: "Soft", isPlaying: { true }) }
    #expect(rig.play([[0]]) == [[70.5]])
  }

  @Test func `a run that starts during the restore of an idle plugin is silent`() throws {
    let world = try folder("state:loadDefaultState").world
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 256, channels: 100)
    let (processor, rig) = try world.rig(uri, layout)
    let ended = DispatchSemaphore(value: 0)
    Thread {
      _ = try? processor.load(preset: "Loud", isPlaying: { false })
      ended.signal()
    }.start()
    var isAway = false, hasEnded = false
    while !isAway, !hasEnded {
      isAway = processor.gate.load(ordering: .acquiring) == PluginProcessor.Gate.closed.rawValue
      hasEnded = ended.wait(timeout: .now()) == .success
    }
    #expect(isAway)
    #expect(rig.play([], frames: 64).allSatisfy { $0.allSatisfy { $0 == 0 } })
    if !hasEnded { ended.wait() }
    #expect(rig.play([], frames: 64).allSatisfy { $0.allSatisfy { $0 == 70.5 } })
    #expect(rig.meter(0) == 0)
  }

  @Test func `a run that starts after the idle check does not overlap restore`() throws {
    let world = try folder("state:loadDefaultState").world
    let (processor, rig) = try world.rig(uri)
    let handle = try #require(processor.body.instances[0].handle), isInside = 32 * 8 + 4 * 8
    nonisolated(unsafe) let played = rig
    let isOver = Atomic<Bool>(false), ended = DispatchSemaphore(value: 0)
    var questions = 0
    let values = try processor.load(preset: "Loud") {
      questions += 1
      guard questions == 1 else { return true }
      Thread {
        played.play([[Float](repeating: 1, count: 64)], blocks: [64])
        while !isOver.load(ordering: .relaxed) { played.play([], frames: 64, blocks: [64]) }
        ended.signal()
      }.start()
      // The plugin's write is not atomic: only after a call the compiler reads it again.
      while handle.load(fromByteOffset: isInside, as: Int.self) == 0 { sched_yield() }
      // The rig was idle when this was asked.
      return false
    }
    isOver.store(true, ordering: .relaxed)
    ended.wait()
    #expect(rig.meter(0) == 0)
    // The values take effect in the fade; the caller also gets them, so that the engine knows them.
    #expect(values.map(\.value) == [0.5])
    #expect(rig.play([[0], [0]]).allSatisfy { $0.allSatisfy { $0 == 70.5 } })
  }

  /// Plays on another thread during `body` and for a while after it.
  private func playing<Result>(_ rig: ProcessorRig, _ body: () throws -> Result) throws -> (
    result: Result, played: [Float]
  ) {
    nonisolated(unsafe) var played: [Float] = []
    nonisolated(unsafe) let rig = rig
    nonisolated(unsafe) var isDone = false
    let lock = ControlLock()
    let thread = Thread {
      while !lock.locked({ isDone }) {
        let block = rig.play([], frames: 64, blocks: [64])[0]
        lock.locked { played += block }
        usleep(300)
      }
    }
    thread.start()
    while lock.locked({ played.count < 640 }) { usleep(1000) }
    let result = try body()
    let reached = lock.locked { played.count }
    while lock.locked({ played.count < reached + 640 }) { usleep(1000) }
    lock.locked { isDone = true }
    while !thread.isFinished { usleep(1000) }
    return (result, played)
  }
}
