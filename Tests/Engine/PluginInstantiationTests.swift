// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletLV2
import Synchronization
import Testing

@testable import Swiftlet

/// Plugins that play while another is being instantiated.
@Suite struct PluginInstantiationTests {
  /// Three plugins that pass sound on, `quick`, `other` and `slow`. The last signals that it is being instantiated, and
  /// blocks until the test releases it, or for 60 s.
  private static func build(in root: String) throws {
    for name in ["quick", "other", "slow"] {
      let manifest = """
        @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
        <urn:test:\(name)> a lv2:Plugin ; lv2:binary <\(name).so> ; <http://usefulinc.com/ns/doap#name> "\(name)" ;
          lv2:port [ a lv2:AudioPort, lv2:InputPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
          [ a lv2:AudioPort, lv2:OutputPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] .
        """
      let wait = """
          close(creat("\(root)/begun", 0600));
          for (int k = 0; k < 60000 && access("\(root)/go", F_OK); ++k) usleep(1000);
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
  @Test(.timeLimit(.minutes(3)))
  func `while a plugin is being instantiated, others are described, made, saved, restored and reset`() throws
  {
    let root = NSTemporaryDirectory() + "/swiftlet-slow-\(UUID().uuidString)"
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
    let slow = DispatchSemaphore(value: 0), isDone = Atomic<Bool>(false)
    Thread {
      _ = try? engine.add(
        engine.makePlugin("urn:test:slow", channels: 1, "slow", of: world), isNamed: true)
      slow.signal()
    }.start()
    while access(root + "/begun", F_OK) != 0 { usleep(1000) }
    Thread {
      defer { isDone.store(true, ordering: .releasing) }
      #expect(throws: Never.self) {
        #expect(try world.info(uri: "urn:test:slow").name == "slow")
        #expect(try world.list().count == 3)
        try engine.saveState(to: root + "/quick.state", title: nil, of: quick)
        try engine.loadState(from: root + "/quick.state", on: quick)
        let other = try engine.add(
          engine.makePlugin("urn:test:other", channels: 1, "other", of: world), isNamed: true)
        try engine.detach(other)
      }
      engine.reset()
    }.start()
    while !isDone.load(ordering: .acquiring) {
      try engine.render(64)
      usleep(500)
    }
    // The slow plugin is still in `instantiate`.
    #expect(slow.wait(timeout: .now()) == .timedOut)
    #expect(warnings.withLock { $0 }.isEmpty)
    for _ in 0..<100 { try engine.render(64) }
    #expect(try #require(try engine.render(64)[output])[0].min() == 1)
    #expect(FileManager.default.createFile(atPath: root + "/go", contents: nil))
    slow.wait()
  }
}
