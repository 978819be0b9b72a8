// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletFiles
import SwiftletLV2
import Synchronization
import Testing

@testable import Swiftlet

/// Broken bundles that are attached while a take is recorded: each is an error with its reason, and damages no sound.
@Suite(.timeLimit(.minutes(2))) final class BrokenBundleTests {
  private let root = NSTemporaryDirectory() + "/swiftlet-broken-\(UUID().uuidString)"

  /// The broken bundles, and a part of the error for each.
  private static let faults = [
    "absent": "absent.so' is missing", "class": "class.so' does not load: wrong ELF class: ELFCLASS32",
    "unlinked": "unlinked.so' does not load: undefined symbol: nowhere",
    "strange": "strange.so' is no LV2 library: it has no function 'lv2_descriptor'",
    "other": "other.so' has no plugin with the URI <urn:test:other>",
    "null": "refused to start: its function 'instantiate' returned no instance",
  ]

  init() throws {
    for name in Self.faults.keys {
      let bundle = "\(root)/\(name).lv2", library = "\(bundle)/\(name).so"
      let manifest = """
        @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
        <urn:test:\(name)> a lv2:Plugin ; lv2:binary <\(name).so> ; <http://usefulinc.com/ns/doap#name> "\(name)" ;
          lv2:port [ a lv2:AudioPort, lv2:InputPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
          [ a lv2:AudioPort, lv2:OutputPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] .
        """
      let code = """
        #include <lv2/core/lv2.h>
        #include <stdlib.h>
        extern void nowhere(void);
        static LV2_Handle start(const LV2_Descriptor *d, double rate, const char *b, const LV2_Feature *const *f) {
          \(name == "unlinked" ? "nowhere();" : "")
          return \(name == "null" ? "0" : "calloc(2, sizeof(float *))");
        }
        static void connect(LV2_Handle h, uint32_t i, void *p) { ((float **)h)[i] = p; }
        static void run(LV2_Handle h, uint32_t n) {}
        static const LV2_Descriptor descriptor = {"urn:test:\(name == "other" ? "foreign" : name)", start, connect, 0, run, 0, free, 0};
        const LV2_Descriptor *\(name == "strange" ? "lv2_descriptors" : "lv2_descriptor")(uint32_t i) { return i ? 0 : &descriptor; }
        """
      try compilePlugin(name, in: bundle, manifest: manifest, code: code)
      if name == "absent" { try FileManager.default.removeItem(atPath: library) }
      if name == "class" {
        // The byte of the header that tells 64 bits from 32.
        var bytes = try Data(contentsOf: URL(filePath: library))
        bytes[4] = 1
        try bytes.write(to: URL(filePath: library))
      }
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  //  in ──► desk      a take after `in`
  @Test(arguments: [false, true])
  func `a broken bundle is an error, and a running take and an untouched path keep every bit`(isolated: Bool)
    throws
  {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 256))
    let input = try engine.attach(.capture(channels: 1), name: "in")
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(input, output)
    let take = try engine.record([
      .after(input, to: root + "/dry.wav", options: .init(format: "32-float"))
    ])
    let world = PluginWorld(path: root), isDone = Atomic<Bool>(false), errors = Mutex<[String: String]>([:])
    Thread {
      for name in Self.faults.keys {
        do {
          let plugin = try engine.makePlugin(
            "urn:test:\(name)", channels: 1, isolation: isolated ? PluginIsolation() : nil, name, of: world)
          _ = try engine.add(plugin, isNamed: true)
          errors.withLock { $0[name] = "none" }
        } catch {
          errors.withLock { $0[name] = "\(error)" }
        }
      }
      isDone.store(true, ordering: .releasing)
    }.start()
    let noise = ExportTests.noise(48_000)
    var fed: [Float] = [], heard: [Float] = []
    while !isDone.load(ordering: .acquiring) || fed.count < noise.count {
      let start = fed.count % (noise.count - 256)
      let block = AudioBuffer(checked: [Array(noise[start..<start + 256])], 48_000)
      fed += block.channels[0]
      heard += try #require(engine.render(256, from: [input: block])[output]?.channels[0])
      // The take's writer must keep up.
      usleep(200)
    }
    #expect((heard == fed) as Bool)
    #expect(take.finish().map(\.isClean) == [true])
    let reader = try ConvertingReader(root + "/dry.wav")
    #expect(try (reader.read(reader.length ?? 0)[0] == fed) as Bool)
    for (name, fault) in Self.faults {
      let error = errors.withLock { $0[name] ?? "" }
      #expect(error.contains(fault), "\(name): \(error)")
    }
  }
}
