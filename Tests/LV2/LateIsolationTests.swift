// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import Synchronization
import Testing

@testable import SwiftletLV2

/// Isolated plugins whose output is one block late, since the audio thread has no real-time priority.
@Suite(.timeLimit(.minutes(2))) struct LateIsolationTests {
  private static let longest = 256
  /// Shorter blocks occur where an event splits a block, and at the end of a render.
  private static let blocks = [256, 64, 192, 1, 255]

  private func layout(late: Bool, channels: Int = 2, onFailure: PluginIsolation.Failure = .mute)
    -> PluginLayout
  {
    var isolation = PluginIsolation(onFailure: onFailure)
    isolation.isOneBlockLate = true
    return PluginLayout(
      sampleRate: 48_000, longestBlock: Self.longest, channels: channels, isolation: late ? isolation : nil)
  }

  @Test(arguments: [
    "http://lv2plug.in/plugins/eg-amp", "http://drobilla.net/plugins/mda/Delay",
    "http://gareus.org/oss/lv2/nodelay",
  ])
  func `the output equals that of the same plugin in this process, one block later`(_ uri: String) throws {
    let (near, nearRig) = try PluginWorld.shared.rig(uri, layout(late: false))
    let (late, lateRig) = try PluginWorld.shared.rig(uri, layout(late: true))
    #expect(
      late.latency.load(ordering: .relaxed) == near.latency.load(ordering: .relaxed) + Self.longest)
    let sound = (1...2).map { noise(20_000, seed: $0) }
    let own = nearRig.play(sound, blocks: Self.blocks)
    let output = lateRig.play(sound, blocks: Self.blocks)
    for (channel, samples) in output.enumerated() {
      #expect(samples[..<Self.longest].allSatisfy { $0 == 0 })
      #expect(
        (samples[Self.longest...].elementsEqual(own[channel].dropLast(Self.longest))) as Bool,
        "channel \(channel)")
    }
  }

  @Test func `the audio thread does not wait for the block that it has sent`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "slow", ports: FixtureFolder.throughPorts,
      code: """
        #include <unistd.h>
        INSTANTIATE(start) { return make(rate, features); }
        static void run(LV2_Handle h, uint32_t n) {
          Self *self = h;
          while (access("\(folder.path)/go", F_OK)) usleep(100);
          memcpy(self->port[1], self->port[0], n * sizeof(float));
        }
        EXPORT(start, 0, run, 0)
        """)
    let (processor, rig) = try folder.world.rig(uri, layout(late: true, channels: 1))
    let sound = noise(512)
    // The plugin returns only after this block has returned.
    #expect(rig.play([Array(sound[..<256])])[0].allSatisfy { $0 == 0 })
    try folder.write("", to: "go")
    #expect(rig.play([Array(sound[256...])])[0] == Array(sound[..<256]))
    #expect(processor.takeProcessEvents().isEmpty)
  }

  @Test(arguments: [PluginIsolation.Failure.mute, .bypass])
  func `a failed plugin is replaced by silence or the input of that frame`(_ failure: PluginIsolation.Failure)
    throws
  {
    let folder = try FixtureFolder()
    let (processor, rig) = try folder.world.rig(
      folder.addFragile(), layout(late: true, channels: 1, onFailure: failure))
    let fatal = 5 * Self.longest
    var sound = noise(20 * Self.longest)
    sound[fatal] = 0.25
    let played = rig.play([sound], before: { _ in usleep(1000) })[0]
    // The block in which it fails crossfades.
    let before = Self.longest..<fatal + Self.longest,
      behind = fatal + 2 * Self.longest..<fatal + 4 * Self.longest
    #expect((played[before].elementsEqual(sound[..<fatal])) as Bool)
    let due = failure == .bypass ? Array(sound[fatal + Self.longest..<fatal + 3 * Self.longest]) : []
    let isReplaced =
      failure == .bypass ? played[behind].elementsEqual(due) : played[behind].allSatisfy { $0 == 0 }
    #expect(isReplaced)
    try folder.write("", to: "again")
    let end = ContinuousClock.now + .seconds(10)
    var events = processor.takeProcessEvents()
    while !events.contains(.restarted), ContinuousClock.now < end {
      rig.play([noise(Self.longest)])
      usleep(1000)
      events += processor.takeProcessEvents()
    }
    #expect(events.contains(.restarted))
    // After the crossfade its output is alone, one block late as before.
    rig.play([noise(100 * Self.longest)], before: { _ in usleep(200) })
    let again = noise(4 * Self.longest, seed: 9)
    let later = rig.play([again], before: { _ in usleep(1000) })[0]
    #expect((later[Self.longest...].elementsEqual(again.dropLast(Self.longest))) as Bool)
  }

  @Test func `an offline instance has no added latency`() throws {
    let (processor, rig) = try PluginWorld.shared.rig(
      "http://lv2plug.in/plugins/eg-amp", layout(late: true, channels: 1).offline)
    let sound = noise(600)
    #expect(processor.latency.load(ordering: .relaxed) == 0)
    #expect(rig.play([sound])[0] == sound)
  }
}
