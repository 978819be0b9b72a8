// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletLV2

/// The end of plugin instances.
@Suite struct InstanceEndTests {
  @Test func `an instance whose cleanup does not return is abandoned, and others can be made`() throws {
    let folder = try FixtureFolder()
    func add(_ name: String, cleanup: String) throws -> String {
      try folder.add(
        name, ports: FixtureFolder.throughPorts,
        code: """
          #include <unistd.h>
          static void run(LV2_Handle h, uint32_t n) {}
          static void end(LV2_Handle h) { \(cleanup) }
          INSTANTIATE(start) { return make(rate, features); }
          static const LV2_Descriptor descriptor = {PLUGIN, start, connect_port, 0, run, 0, end, 0};
          const LV2_Descriptor *lv2_descriptor(uint32_t i) { return i == 0 ? &descriptor : 0; }
          """)
    }
    let hanging = try add("hanging", cleanup: "for (;;) pause();")
    let good = try add("good", cleanup: "free(h);")
    let world = folder.world
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 64, channels: 1)
    let start = ContinuousClock.now
    for _ in 0..<2 { _ = try world.makeProcessor(uri: hanging, layout: layout) }
    let time = ContinuousClock.now - start
    #expect(time > .seconds(4.9) && time < .seconds(12), "\(time)")
    let restart = ContinuousClock.now
    _ = try world.makeProcessor(uri: good, layout: layout)
    #expect(ContinuousClock.now - restart < .seconds(2))
  }
}
