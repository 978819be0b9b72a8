// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletLV2
import Synchronization
import Testing

@testable import Swiftlet

/// Plugins that play while another is being instantiated.
@Suite struct PluginInstantiationTests {
  /// Two plugins that pass sound on, `quick` and `slow`. The second signals that it is being instantiated, and blocks
  /// until the test releases it.
  private static func build(in root: String) throws {
    for name in ["quick", "slow"] {
      let manifest = """
        @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
        <urn:test:\(name)> a lv2:Plugin ; lv2:binary <\(name).so> ; <http://usefulinc.com/ns/doap#name> "\(name)" ;
          lv2:port [ a lv2:AudioPort, lv2:InputPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
          [ a lv2:AudioPort, lv2:OutputPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] .
        """
      let wait = """
          close(creat("\(root)/begun", 0600));
          for (int k = 0; k < 20000 && access("\(root)/go", F_OK); ++k) usleep(1000);
        """
      let code = """
        #include <fcntl.h>
        #include <lv2/core/lv2.h>
        #include <stdlib.h>
        #include <unistd.h>
        static LV2_Handle start(const LV2_Descriptor *d, double rate, const char *b, const LV2_Feature *const *f) {
          \(name == "slow" ? wait : "")
          return calloc(2, sizeof(float *));
        }
        static void connect(LV2_Handle h, uint32_t i, void *p) { ((float **)h)[i] = p; }
        static void run(LV2_Handle h, uint32_t n) {
          float **port = h; for (uint32_t i = 0; i < n; ++i) port[1][i] = port[0][i];
        }
        static const LV2_Descriptor descriptor = {"urn:test:\(name)", start, connect, 0, run, 0, free, 0};
        const LV2_Descriptor *lv2_descriptor(uint32_t i) { return i ? 0 : &descriptor; }
        """
      try compilePlugin(name, in: root + "/\(name).lv2", manifest: manifest, code: code)
    }
  }

  //   one ──► quick ──► desk      slow: being instantiated
  @Test func `a reset while a plugin is made stays audible, and names nodes that keep their sound`() throws {
    let root = NSTemporaryDirectory() + "/swiftlet-turn-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: root) }
    try Self.build(in: root)
    let world = PluginWorld(path: root)
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 64))
    let one = try engine.attach(.source(channels: 1, ones), name: "one")
    let quick = try engine.add(
      engine.makePlugin("urn:test:quick", channels: 1, "quick", of: world), isNamed: true)
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(one, quick, output)
    let warnings = Mutex<[String]>([])
    let observation = engine.observe { event in
      if case .warning(let words) = event { warnings.withLock { $0.append(words) } }
    }
    defer { observation.cancel() }
    let made = DispatchSemaphore(value: 0), isReset = Atomic<Bool>(false)
    Thread {
      _ = try? engine.add(
        engine.makePlugin("urn:test:slow", channels: 1, "slow", of: world), isNamed: true)
      made.signal()
    }.start()
    while access(root + "/begun", F_OK) != 0 { usleep(1000) }
    Thread {
      engine.reset()
      isReset.store(true, ordering: .releasing)
    }.start()
    var lowest: Float = 1
    while !isReset.load(ordering: .acquiring) {
      lowest = min(lowest, try #require(engine.render(64)[output])[0].min() ?? 0)
      usleep(500)
    }
    #expect(lowest == 1)
    #expect(FileManager.default.createFile(atPath: root + "/go", contents: nil))
    made.wait()
    while warnings.withLock({ $0.isEmpty }) { usleep(1000) }
    #expect(
      warnings.withLock { $0 } == [
        "'quick' was not reset: other plugins took too long to be created or changed, "
          + "so <urn:test:quick> was not changed; try again"
      ])
  }
}
