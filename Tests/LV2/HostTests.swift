// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import SwiftletSignal
import Synchronization
import Testing

@testable import SwiftletLV2

/// The host's services to a plugin, observed by small plugins.
@Suite struct HostTests {
  private let layout = PluginLayout(sampleRate: 48_000, longestBlock: 8192, channels: 1)
  private let through = FixtureFolder.throughPorts
  private let output = "lv2:OutputPort, lv2:ControlPort", input = "lv2:InputPort, lv2:ControlPort"
  private let plain = "INSTANTIATE(start) { return make(rate, features); }\n"

  @Test func `the instance that plays runs no block before the first one`() throws {
    let folder = try FixtureFolder()
    let ports =
      through + " , " + FixtureFolder.port(2, "runs", output)
      + " , " + FixtureFolder.port(3, "late", output, "; lv2:designation lv2:latency")
    let uri = try folder.add(
      "counter", ports: ports,
      code: plain + """
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h; *s->port[2] = ++s->state[0]; memcpy(s->port[1], s->port[0], n * 4);
        }
        EXPORT(start, 0, run, 0)
        """)
    let (_, rig) = try folder.world.rig(uri)
    rig.play([[1]])
    #expect(rig.meter(0) == 1)
  }

  @Test func `latency reported only after a full block is known before the first block`() throws {
    let folder = try FixtureFolder()
    let ports =
      through + " , " + FixtureFolder.port(2, "late", output, "; lv2:designation lv2:latency")
      + " , " + FixtureFolder.port(3, "more", input, "; lv2:minimum 0 ; lv2:maximum 1000 ; lv2:default 0")
    let uri = try folder.add(
      "late", ports: ports,
      code: plain + """
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h; s->state[0] += n;
          *s->port[2] = s->state[0] >= 256 ? 300 + *s->port[3] : 0;
        }
        EXPORT(start, 0, run, 0)
        """)
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 8192, period: 256, channels: 2)
    let (processor, rig) = try folder.world.rig(uri, layout, values: ["more": 7])
    #expect(processor.latency.load(ordering: .relaxed) == 307)
    rig.play([[Float](repeating: 0, count: 64)])
    #expect(processor.latency.load(ordering: .relaxed) == 307)
    rig.play([[Float](repeating: 0, count: 512)])
    #expect(processor.latency.load(ordering: .relaxed) == 307)
    processor.set(3, to: 100, over: 0)
    rig.play([[Float](repeating: 0, count: 64)])
    #expect(processor.latency.load(ordering: .relaxed) == 400)
  }

  @Test func `ports are connected again only if their memory has changed`() throws {
    let folder = try FixtureFolder()
    let ports = through + " , " + FixtureFolder.port(2, "connections", output)
    let uri = try folder.add(
      "wired", ports: ports,
      code: plain + """
        static void count(LV2_Handle h, uint32_t i, void *p) { connect_port(h, i, p); ((Self *)h)->state[0]++; }
        static void run(LV2_Handle h, uint32_t n) { *((Self *)h)->port[2] = ((Self *)h)->state[0]; }
        static const LV2_Descriptor d = {PLUGIN, start, count, 0, run, 0, cleanup, 0};
        const LV2_Descriptor *lv2_descriptor(uint32_t i) { return i ? 0 : &d; }
        """)
    let (_, rig) = try folder.world.rig(uri)
    rig.play([[Float](repeating: 0, count: 64)], blocks: [64])
    let first = rig.meter(0)
    rig.play([[Float](repeating: 0, count: 640)], blocks: [64])
    // lilv connects each of the three ports to nothing, the host each to a buffer, and the first block the two audio
    // ports to its buffers.
    #expect(first == 3 + 3 + 2)
    #expect(rig.meter(0) == first)
  }

  @Test func `the host enables a plugin, and sets lv2:freeWheeling while rendering`() throws {
    let folder = try FixtureFolder()
    let ports =
      through + " , " + FixtureFolder.port(2, "sum", output)
      + " , " + FixtureFolder.port(3, "on", input, "; lv2:designation lv2:enabled ; lv2:default 0")
      + " , " + FixtureFolder.port(4, "free", input, "; lv2:designation lv2:freeWheeling")
    let uri = try folder.add(
      "switches", ports: ports,
      code: plain + """
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h; *s->port[2] = *s->port[3] + 10 * *s->port[4];
        }
        EXPORT(start, 0, run, 0)
        """)
    let (_, rig) = try folder.world.rig(uri)
    rig.play([[0]])
    #expect(rig.meter(0) == 1)
    rig.transport.isFreewheeling = true
    rig.play([[0, 0]], blocks: [1])
    #expect(rig.meter(0) == 11)
    rig.transport.isFreewheeling = false
    rig.play([[0, 0]], blocks: [1])
    #expect(rig.meter(0) == 1)
  }

  @Test func `the guaranteed block lengths are true, and no run exceeds them`() throws {
    let folder = try FixtureFolder()
    let ports =
      through + " , "
      + ["bounded", "fixed", "power", "coarse", "shortest", "longest", "nominal", "sequence", "rate", "seen"]
      .enumerated().map { FixtureFolder.port($0 + 2, $1, output) }.joined(separator: " , ")
    let code = """
      INSTANTIATE(start) {
        Self *s = make(rate, features);
        s->state[0] = !!feature(features, LV2_BUF_SIZE__boundedBlockLength);
        s->state[1] = !!feature(features, LV2_BUF_SIZE__fixedBlockLength);
        s->state[2] = !!feature(features, LV2_BUF_SIZE__powerOf2BlockLength);
        s->state[3] = !!feature(features, LV2_BUF_SIZE__coarseBlockLength);
        LV2_URID_Map *map = feature(features, LV2_URID__map);
        const char *keys[] = {LV2_BUF_SIZE__minBlockLength, LV2_BUF_SIZE__maxBlockLength,
          LV2_BUF_SIZE__nominalBlockLength, LV2_BUF_SIZE__sequenceSize};
        for (const LV2_Options_Option *o = feature(features, LV2_OPTIONS__options); o->key; ++o) {
          for (int k = 0; k < 4; ++k)
            if (o->key == map->map(map->handle, keys[k])) s->state[4 + k] = *(const int32_t *)o->value;
          if (o->key == map->map(map->handle, "http://lv2plug.in/ns/ext/parameters#sampleRate"))
            s->state[8] = *(const float *)o->value;
        }
        return s;
      }
      static void run(LV2_Handle h, uint32_t n) {
        Self *s = h; if (n > s->state[9]) s->state[9] = n;
        for (int k = 0; k < 10; ++k) *s->port[2 + k] = s->state[k];
      }
      EXPORT(start, 0, run, 0)
      """
    let ask = "; lv2:optionalFeature bufsz:fixedBlockLength, bufsz:powerOf2BlockLength"
    let asking = try folder.add("asking", ports: ports, more: ask, code: code)
    let easy = try folder.add("easy", ports: ports, code: code)
    let world = folder.world
    func reported(_ uri: String, _ period: Int?, block: Int) throws -> [Float] {
      let layout = PluginLayout(sampleRate: 44_100, longestBlock: 2048, period: period, channels: 1)
      let (_, rig) = try world.rig(uri, layout)
      rig.play([[Float](repeating: 0, count: block)], blocks: [block])
      return (0..<10).map(rig.meter)
    }
    #expect(try reported(easy, nil, block: 2048) == [1, 0, 0, 0, 1, 2048, 2048, 16384, 44_100, 2048])
    // A block longer than guaranteed is split.
    #expect(try reported(easy, 64, block: 1000) == [1, 0, 0, 0, 1, 64, 64, 16384, 44_100, 64])
    #expect(try reported(asking, 64, block: 192) == [1, 1, 1, 1, 64, 64, 64, 16384, 44_100, 64])
    #expect(try reported(asking, 96, block: 96) == [1, 1, 0, 1, 96, 96, 96, 16384, 44_100, 96])
    #expect(try reported(asking, nil, block: 100) == [1, 0, 0, 1, 1, 2048, 2048, 16384, 44_100, 100])
  }

  @Test func `a block of a length that was ruled out is silent, and the plugin does not run`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "strict", ports: through, more: "; lv2:requiredFeature bufsz:fixedBlockLength",
      code: plain + """
        static void run(LV2_Handle h, uint32_t n) { for (uint32_t i = 0; i < n; ++i) ((Self *)h)->port[1][i] = n; }
        EXPORT(start, 0, run, 0)
        """)
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 8192, period: 64, channels: 1)
    let (_, rig) = try folder.world.rig(uri, layout)
    let played = rig.play([[Float](repeating: 1, count: 164)], blocks: [64, 36, 64])[0]
    // The output fades out within one block, and in again within one.
    #expect(played[..<64].allSatisfy { $0 == 64 })
    #expect(zip(played[63..<99], played[64..<100]).allSatisfy { abs($0 - $1 - 64.0 / 36) < 1e-4 })
    #expect(zip(played[99..<163], played[100...]).allSatisfy { abs($1 - $0 - 1) < 1e-4 })
    #expect(played[99] == 0 && played[163] == 64)
  }

  @Test func `event buffers have the size that their port requires`() throws {
    let folder = try FixtureFolder()
    let ports =
      FixtureFolder.port(0, "events", "lv2:OutputPort, atom:AtomPort", "; rsz:minimumSize 100000")
      + " , " + FixtureFolder.port(1, "size", output)
    let uri = try folder.add(
      "big", ports: ports,
      code: plain + """
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h; *s->port[1] = ((LV2_Atom *)s->port[0])->size;
        }
        EXPORT(start, 0, run, 0)
        """)
    let (_, rig) = try folder.world.rig(uri)
    rig.play([], frames: 1)
    #expect(rig.meter(0) == 100_000 - 8)
  }

  @Test func `scale points without a label or a value are skipped`() throws {
    let folder = try FixtureFolder()
    func info(_ name: String, _ points: String) throws -> ProcessorInfo {
      let port = FixtureFolder.port(
        0, "level", "lv2:InputPort, lv2:ControlPort",
        "; lv2:portProperty lv2:enumeration ; lv2:scalePoint \(points)")
      let uri = try folder.add(name, ports: port)
      return try folder.world.info(uri: uri)
    }
    let value = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#value>"
    let label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    let good = "[ \(label) \"one\" ; \(value) 1 ]"
    #expect(try info("whole", good).parameters.first?.choices.map(\.name) == ["one"])
    #expect(try info("half", "\(good) , [ \(value) 2 ]").parameters.first?.choices.map(\.name) == ["one"])
    #expect(try info("unnamed", "[ \(value) 2 ]").parameters.first?.choices.isEmpty == true)
    #expect(try info("unvalued", "[ \(label) \"one\" ]").parameters.first?.choices.isEmpty == true)
  }

  @Test(arguments: ["9223372036854775807", "9223372036854775806", "1152921504606846976", "16777217"])
  func `a plugin that requires an unsupported event buffer size is refused`(size: String) throws {
    let folder = try FixtureFolder()
    let port = FixtureFolder.port(0, "events", "lv2:OutputPort, atom:AtomPort", "; rsz:minimumSize \(size)")
    let uri = try folder.add("greedy", ports: port, code: plain + "EXPORT(start, 0, 0, 0)")
    #expect(throws: PluginError.self) { try folder.world.rig(uri) }
    #expect(try folder.world.info(uri: uri).refusal?.contains("requires a buffer of \(size) bytes") == true)
  }

  @Test func `events that exceed a plugin's buffer are counted, not written past its end`() throws {
    let (processor, rig) = try PluginWorld.shared.rig("http://lv2plug.in/plugins/eg-fifths")
    let notes = (0..<1000).map { ProcessorRig.Note(frame: Int64($0 / 8), bytes: [0x90, UInt8($0 % 100), 1]) }
    rig.play([], frames: 256, notes: notes)
    #expect(processor.lostEvents == 1000 - (16384 - 16) / 24)
  }
}
