// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletLV2
import Synchronization
import Testing

@testable import Swiftlet

/// A JACK server whose period changes, and a plugin that relies on a fixed one.
extension LiveTests {
  /// Halves the level. Its meters show the promised block length, the number of blocks with another length, how often
  /// it was activated, and how often on the processing thread. Its state is a count of restores.
  private static let code = """
    #include <lv2/atom/atom.h>
    #include <lv2/buf-size/buf-size.h>
    #include <lv2/core/lv2.h>
    #include <lv2/options/options.h>
    #include <lv2/state/state.h>
    #include <lv2/urid/urid.h>
    #include <pthread.h>
    #include <stdlib.h>
    #include <string.h>
    typedef struct {
      float *port[8]; int32_t told, broken, lives, active, misplaced; pthread_t runner; LV2_URID_Map *map;
    } Self;
    static LV2_URID key(Self *s, const char *uri) { return s->map->map(s->map->handle, uri); }
    static LV2_Handle start(const LV2_Descriptor *d, double rate, const char *b, const LV2_Feature *const *f) {
      Self *s = calloc(1, sizeof(Self));
      const LV2_Options_Option *o = 0;
      for (; *f; ++f) {
        if (!strcmp((*f)->URI, LV2_URID__map)) s->map = (*f)->data;
        if (!strcmp((*f)->URI, LV2_OPTIONS__options)) o = (*f)->data;
      }
      for (; o->key; ++o) if (o->key == key(s, LV2_BUF_SIZE__maxBlockLength)) s->told = *(const int32_t *)o->value;
      return s;
    }
    static void connect(LV2_Handle h, uint32_t i, void *p) { ((Self *)h)->port[i] = p; }
    static LV2_State_Status save(LV2_Handle h, LV2_State_Store_Function store, LV2_State_Handle t, uint32_t f,
      const LV2_Feature *const *x) {
      Self *s = h;
      return store(t, key(s, "urn:lives"), &s->lives, 4, key(s, LV2_ATOM__Int), LV2_STATE_IS_POD);
    }
    static LV2_State_Status restore(LV2_Handle h, LV2_State_Retrieve_Function retrieve, LV2_State_Handle t,
      uint32_t f, const LV2_Feature *const *x) {
      Self *s = h; size_t size; uint32_t type, flags;
      const int32_t *lives = retrieve(t, key(s, "urn:lives"), &size, &type, &flags);
      if (lives) s->lives = *lives + 1;
      return 0;
    }
    static void activate(LV2_Handle h) {
      Self *s = h; s->active++; s->misplaced += s->runner == pthread_self();
    }
    static void run(LV2_Handle h, uint32_t n) {
      Self *s = h;
      s->runner = pthread_self();
      if (n != s->told) s->broken++;
      for (uint32_t i = 0; i < n; ++i) s->port[1][i] = s->port[0][i] * *s->port[2];
      *s->port[3] = s->told; *s->port[4] = s->broken; *s->port[5] = s->lives;
      *s->port[6] = s->active; *s->port[7] = s->misplaced;
    }
    static void cleanup(LV2_Handle h) { free(h); }
    static const void *extension(const char *uri) {
      static const LV2_State_Interface state = {save, restore};
      return strcmp(uri, LV2_STATE__interface) ? 0 : &state;
    }
    static const LV2_Descriptor descriptor = {"urn:test:strict", start, connect, activate, run, 0, cleanup, extension};
    const LV2_Descriptor *lv2_descriptor(uint32_t i) { return i ? 0 : &descriptor; }
    """
  private static let description = """
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix bufsz: <http://lv2plug.in/ns/ext/buf-size#> .
    @prefix state: <http://lv2plug.in/ns/ext/state#> .
    <urn:test:strict> a lv2:Plugin ; lv2:binary <strict.so> ; <http://usefulinc.com/ns/doap#name> "Strict" ;
      lv2:requiredFeature bufsz:powerOf2BlockLength ; lv2:extensionData state:interface ; lv2:port
      [ a lv2:AudioPort, lv2:InputPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
      [ a lv2:AudioPort, lv2:OutputPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] ,
      [ a lv2:ControlPort, lv2:InputPort ; lv2:index 2 ; lv2:symbol "gain" ; lv2:name "Gain" ;
        lv2:default 1.0 ; lv2:minimum 0.0 ; lv2:maximum 1.0 ] ,
      [ a lv2:ControlPort, lv2:OutputPort ; lv2:index 3 ; lv2:symbol "told" ; lv2:name "Told" ] ,
      [ a lv2:ControlPort, lv2:OutputPort ; lv2:index 4 ; lv2:symbol "broken" ; lv2:name "Broken" ] ,
      [ a lv2:ControlPort, lv2:OutputPort ; lv2:index 5 ; lv2:symbol "lives" ; lv2:name "Lives" ] ,
      [ a lv2:ControlPort, lv2:OutputPort ; lv2:index 6 ; lv2:symbol "active" ; lv2:name "Active" ] ,
      [ a lv2:ControlPort, lv2:OutputPort ; lv2:index 7 ; lv2:symbol "misplaced" ; lv2:name "Misplaced" ] .
    """

  /// Builds the plugin, in its own folder.
  private func buildPlugin() throws -> String {
    let root = NSTemporaryDirectory() + "/swiftlet-strict-\(UUID().uuidString)"
    try compilePlugin("strict", in: root + "/strict.lv2", manifest: Self.description, code: Self.code)
    return root
  }

  //  one ──► strict ──► desk        (tapped behind the plugin)
  @Test func `on a new period a plugin that relies on it is replaced, or silent`() async throws {
    let root = try buildPlugin()
    defer { try? FileManager.default.removeItem(atPath: root) }
    let engine = try AudioEngine(.jack(name: "live-fit", server: server.name))
    defer { engine.close() }
    let jackClient = try #require(engine.jackClient)
    let one = try engine.attach(.source(channels: 1, ones), name: "one")
    // The plugins of the machine are scanned once per process, so the folder gets its own world.
    let strict = try engine.add(
      engine.makePlugin("urn:test:strict", channels: 1, "strict", of: PluginWorld(path: root)), isNamed: true)
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(one, strict, output)
    try strict.set("gain", to: 0.5)
    let level = try engine.installMeter(on: strict)
    let reported = Mutex<[String]>([])
    let observation = engine.observe { event in
      switch event {
      case .pluginRefitted(let node, let period, let isNew):
        reported.withLock { $0.append("\(node) \(period) \(isNew ? "anew" : "again")") }
      case .pluginSilent(let node, let period, let reason):
        reported.withLock { $0.append("\(node) \(period) \(reason)") }
      default: break
      }
    }
    defer { observation.cancel() }
    func eventually(_ condition: () -> Bool) async throws -> Bool {
      for _ in 0..<1000 {
        if condition() { return true }
        try await Task.sleep(for: .milliseconds(10))
      }
      return false
    }
    /// Sets the period, waits for the one event that this causes, and checks the sound afterwards.
    func change(_ period: Int, peak: Float) async throws -> String {
      let count = reported.withLock { $0.count }
      #expect(try jackClient.setBlockLength(period))
      #expect(
        try await eventually { reported.withLock { $0.count } > count }, "no word of a period of \(period)")
      _ = level.takeLevels()
      #expect(
        try await eventually {
          let levels = level.takeLevels()
          return levels.first.map { $0.peak == peak } ?? false
        }, "at a period of \(period)")
      return reported.withLock { $0.last ?? "" }
    }
    try engine.start()
    #expect(try await eventually { strict.meter("told") == 256 && level.takeLevels().first?.peak == 0.5 })
    // A reset during playback reactivates the plugin outside the processing thread, and it is heard again.
    engine.reset()
    #expect(try await eventually { strict.meter("active") == 2 && level.takeLevels().first?.peak == 0.5 })
    #expect(strict.meter("misplaced") == 0)
    #expect(try await change(128, peak: 0.5) == "strict 128 anew")
    #expect(strict.meter("told") == 128 && strict.meter("lives") == 1)
    #expect(
      try await change(48, peak: 0)
        == "strict 48 it requires powerOf2BlockLength, and 48 frames are no power of two; "
        + "choose a period that is one, such as 64")
    #expect(try await change(128, peak: 0.5) == "strict 128 again")
    #expect(try await change(512, peak: 0.5) == "strict 512 anew")
    #expect(strict.meter("told") == 512 && strict.meter("lives") == 2 && strict.meter("broken") == 0)
    #expect(strict["gain"] == 0.5)
    // While paused, the plugin is replaced at once, and plays on start.
    engine.pause()
    #expect(try await change(64, peak: 0) == "strict 64 anew")
    try engine.start()
    #expect(try await eventually { strict.meter("told") == 64 && level.takeLevels().first?.peak == 0.5 })
    #expect(strict.meter("broken") == 0 && strict.meter("lives") == 3)
  }

  //  one ──► strict ──► desk,  mic ──► desk
  @Test func `plugins and voices adapt to the new period of a returned server`() throws {
    let root = try buildPlugin()
    defer { try? FileManager.default.removeItem(atPath: root) }
    server.stop()
    let mortal = KillableServer(8)
    try mortal.start(period: 256)
    defer { mortal.stop() }
    let engine = try AudioEngine(.jack(name: "fit-return", server: mortal.name))
    defer { engine.close() }
    let fitted = Mutex<[Int]>([]), returns = Mutex(0)
    let observation = engine.observe { event in
      switch event {
      case .pluginRefitted(_, let period, true): fitted.withLock { $0.append(period) }
      case .interruption(.ended(.serverShutdown, true)): returns.withLock { $0 += 1 }
      default: break
      }
    }
    defer { observation.cancel() }
    let one = try engine.attach(.source(channels: 1, ones), name: "one")
    let strict = try engine.add(
      engine.makePlugin("urn:test:strict", channels: 1, "strict", of: PluginWorld(path: root)), isNamed: true)
    let mic = try engine.attach(.capture(channels: 1), name: "mic")
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(one, strict, output)
    try engine.connect(mic, output)
    try engine.setSession(AudioSession(mode: .voiceChat))
    let level = try engine.installMeter(on: strict)
    func voicePeriods() -> [Int] { engine.core.withLock { $0.voices.processors.values.map(\.period) } }
    try engine.start()
    #expect(soon { strict.meter("told") == 256 && level.takeLevels().first?.peak == 1 })
    #expect(voicePeriods() == [512])
    mortal.kill()
    #expect(soon { engine.core.withLock { $0.state.absence != nil } })
    // The mode is requested again while no period is known.
    try engine.setSession(AudioSession(mode: .normal))
    try engine.setSession(AudioSession(mode: .voiceChat))
    try mortal.start(period: 2048)
    #expect(soon { returns.withLock { $0 } == 1 && fitted.withLock { $0 } == [2048] })
    #expect(soon { voicePeriods() == [2048] }, "\(voicePeriods())")
    _ = level.takeLevels()
    #expect(soon { strict.meter("told") == 2048 && level.takeLevels().first?.peak == 1 })
  }
}
