// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import Foundation
import SwiftletGraph
import SwiftletSignal
import Synchronization
import Testing

@testable import SwiftletLV2

/// Plugins with one fault each. None may end the process; each fault is reported in one sentence.
@Suite struct BadPluginTests {
  private let layout = PluginLayout(sampleRate: 48_000, longestBlock: 256, channels: 1)
  private let through = FixtureFolder.throughPorts

  private func failure(_ name: String, more: String = "", code: String? = nil) throws -> PluginError? {
    let folder = try FixtureFolder()
    let uri = try folder.add(name, ports: through, more: more, code: code)
    let world = folder.world
    return #expect(throws: PluginError.self) { try world.makeProcessor(uri: uri, layout: layout) }
  }

  @Test func `a missing library is named`() throws {
    let error = try failure("absent")
    guard case .library(_, let reason) = error else { throw error ?? PluginError.noWorld }
    #expect(reason.contains("absent.so"))
  }

  @Test func `a file that is not a library, or has no LV2 function, is an error`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add("text", ports: through)
    try "no library".write(toFile: folder.path + "/text.lv2/text.so", atomically: true, encoding: .utf8)
    #expect(throws: PluginError.self) { try folder.world.makeProcessor(uri: uri, layout: layout) }
    let error = try failure("strange", code: "int unrelated;")
    #expect(error?.description.contains("is no LV2 library") == true)
  }

  @Test func `a library without the plugin's URI is named`() throws {
    let error = try failure(
      "other",
      code: """
        #undef PLUGIN
        #define PLUGIN "urn:swiftlet:test:somebody-else"
        INSTANTIATE(start) { return make(rate, features); }
        static void run(LV2_Handle h, uint32_t n) {}
        EXPORT(start, 0, run, 0)
        """)
    #expect(
      error?.description.contains("other.so' has no plugin with the URI <urn:swiftlet:test:other>") == true)
  }

  @Test func `a plugin that returns no instance is reported with its log messages`() throws {
    let error = try failure(
      "sulky", more: "; lv2:optionalFeature <http://lv2plug.in/ns/ext/log#log>",
      code: """
        INSTANTIATE(start) {
          LV2_Log_Log *log = (LV2_Log_Log *)feature(features, LV2_LOG__log);
          LV2_URID_Map *map = (LV2_URID_Map *)feature(features, LV2_URID__map);
          log->printf(log->handle, map->map(map->handle, LV2_LOG__Error), "cannot work at %d Hz, only at %.1f\\n",
            (int)rate, 44.1);
          return 0;
        }
        static void run(LV2_Handle h, uint32_t n) {}
        EXPORT(start, 0, run, 0)
        """)
    #expect(
      error == .noInstance("urn:swiftlet:test:sulky", messages: ["cannot work at 48000 Hz, only at 44.1"]))
  }

  @Test func `a plugin that requires an unsupported feature is refused with the feature's name`() throws {
    let error = try failure("demanding", more: "; lv2:requiredFeature <urn:some:feature>")
    #expect(error?.description.contains("urn:some:feature") == true)
  }

  @Test func `a plugin that requires a block length that the host cannot keep is refused`() throws {
    let code =
      "INSTANTIATE(start) { return make(rate, features); } static void run(LV2_Handle h, uint32_t n) {}"
      + " EXPORT(start, 0, run, 0)"
    let folder = try FixtureFolder()
    let fixed = try folder.add(
      "fixed", ports: through, more: "; lv2:requiredFeature bufsz:fixedBlockLength", code: code)
    let power = try folder.add(
      "power", ports: through, more: "; lv2:requiredFeature bufsz:powerOf2BlockLength", code: code)
    let world = folder.world
    let stated = try folder.add("stated", ports: through, more: "; bufsz:minBlockLength 64", code: code)
    func layout(_ period: Int?) -> PluginLayout {
      PluginLayout(sampleRate: 48_000, longestBlock: 8192, period: period, channels: 1)
    }
    #expect(throws: PluginError.self) { try world.makeProcessor(uri: fixed, layout: layout(nil)) }
    #expect(throws: PluginError.self) { try world.makeProcessor(uri: power, layout: layout(96)) }
    let short = #expect(throws: PluginError.self) { try world.makeProcessor(uri: stated, layout: layout(32)) }
    #expect(short?.description.contains("minBlockLength is 64 frames") == true)
    #expect(try world.makeProcessor(uri: stated, layout: layout(64)).cut == .never)
    #expect(try world.makeProcessor(uri: fixed, layout: layout(96)).cut == .never)
    #expect(try world.makeProcessor(uri: power, layout: layout(64)).cut == .never)
  }

  @Test func `an invalid description is refused before any code runs`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add("broken", ports: "[ a lv2:Inp ; ] ]]] ;;")
    let error = #expect(throws: PluginError.self) { try folder.world.makeProcessor(uri: uri, layout: layout) }
    guard case .refused = error else { throw error ?? PluginError.noWorld }
  }

  @Test func `if a second instance does not start, the first one plays on`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "single", ports: through,
      code: """
        static int count = 0;
        INSTANTIATE(start) { return count++ ? 0 : make(rate, features); }
        static void run(LV2_Handle h, uint32_t n) { memcpy(((Self *)h)->port[1], ((Self *)h)->port[0], n * 4); }
        EXPORT(start, 0, run, 0)
        """)
    let world = folder.world
    let (_, rig) = try world.rig(uri)
    #expect(throws: PluginError.noInstance(uri, messages: [])) {
      try world.makeProcessor(uri: uri, layout: layout)
    }
    #expect(rig.play([[1, 2, 3]]) == [[1, 2, 3]])
    // Two channels need more instances than this plugin allows.
    let wide = PluginLayout(sampleRate: 48_000, longestBlock: 256, channels: 2)
    #expect(throws: PluginError.self) { try world.makeProcessor(uri: uri, layout: wide) }
  }

  @Test func `NaN and infinity pass through, and a latency of NaN is 0`() throws {
    let folder = try FixtureFolder()
    let ports =
      through + " , " + FixtureFolder.port(2, "level", "lv2:OutputPort, lv2:ControlPort")
      + " , "
      + FixtureFolder.port(3, "late", "lv2:OutputPort, lv2:ControlPort", "; lv2:designation lv2:latency")
    let uri = try folder.add(
      "wild", ports: ports,
      code: """
        INSTANTIATE(start) { return make(rate, features); }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h;
          for (uint32_t i = 0; i < n; ++i) s->port[1][i] = NAN;
          *s->port[2] = INFINITY; *s->port[3] = NAN;
        }
        EXPORT(start, 0, run, 0)
        """)
    let (processor, rig) = try folder.world.rig(uri)
    #expect(rig.play([[1]])[0][0].isNaN)
    #expect(rig.meter(0) == .infinity)
    #expect(processor.latency.load(ordering: .relaxed) == 0)
  }

  @Test func `a plugin that changes the numeric locale does not affect the host`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "locale-changer", ports: through,
      code: """
        INSTANTIATE(start) {
          for (const char *const *l = (const char *const[]){"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8", 0}; *l; ++l)
            if (setlocale(LC_NUMERIC, *l)) break;
          return make(rate, features);
        }
        static void run(LV2_Handle h, uint32_t n) {}
        EXPORT(start, 0, run, 0)
        """)
    _ = try folder.world.makeProcessor(uri: uri, layout: layout)
    #expect(setlocale(LC_NUMERIC, nil).map { String(cString: $0) } == "C")
  }

  #if arch(x86_64)
    @Test func `a plugin that changes the floating-point mode does not affect the next one`() throws {
      let folder = try FixtureFolder()
      let uri = try folder.add(
        "careless", ports: through,
        code: """
          // Rounds to zero, and keeps denormals.
          static void spoil() { __builtin_ia32_ldmxcsr(0x7F80); }
          INSTANTIATE(start) { spoil(); return make(rate, features); }
          static void activate(LV2_Handle h) { spoil(); }
          static void run(LV2_Handle h, uint32_t n) { spoil(); }
          EXPORT(start, activate, run, 0)
          """)
      let mode = rt_float_mode()
      // Blocks that are shorter than the longest one do not take the direct call.
      let (_, rig) = try folder.world.rig(
        uri, PluginLayout(sampleRate: 48_000, longestBlock: 64, channels: 1))
      #expect(rt_float_mode() == mode)
      var modes: [UInt64] = []
      rig.play([], frames: 64 * 4, blocks: [64]) { _ in modes.append(rt_float_mode()) }
      #expect(rig.directCalls > 0, "both ways to a plugin are tried")
      #expect(modes == [0x9FC0, 0x9FC0, 0x9FC0, 0x9FC0])
      #expect(rt_float_mode() == mode)
    }
  #endif
}
