// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Plugins that do not return: the program ends when it is to, and nothing recorded is lost.
@Suite(.serialized, .timeLimit(.minutes(10))) struct HangingPluginTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws { (scratch, swiftlet) = try HostilePlugin.scratch() }

  @Test
  func `a loop in run of a render is reported after ten seconds, and ends it with all sound in the takes`()
    throws
  {
    try HostilePlugin.write("loop", in: "run", to: scratch)
    let outcome = try swiftlet.run("render", "hostile.yaml", "-o", "mix.wav", "--takes", "takes", limit: 30)
    #expect(outcome.status == 3, "\(outcome)")
    #expect(outcome.messages.contains("has not returned from run for 10 s, at hostile.so+0x"), "\(outcome)")
    try scratch.expectTakes(swiftlet, atLeast: 47_872)
  }

  @Test(arguments: ["instantiate", "activate", "save", "restore", "deactivate", "cleanup", "work"])
  func `a loop in any function that is not called by the audio thread keeps nothing else from going on`(
    _ place: String
  ) throws {
    try HostilePlugin.write("loop", in: place, to: scratch)
    let isEnding = ["deactivate", "cleanup"].contains(place)
    let outcome = try HostilePlugin.runToNewPeriod(swiftlet, "--for \(isEnding ? 5 : 13)")
    // A cycle that JACK leaves out as its period changes makes it 4.
    #expect([0, 4].contains(outcome.status), "\(place): \(outcome)")
    #expect(
      outcome.messages.contains(
        "swiftlet: warning: the plugin of 'bad' <urn:test:loop:\(place)> has not returned from \(place) for "
          + "\(isEnding ? 2 : 10) s; its thread is left behind, and everything else goes on\n"),
      "\(place): \(outcome)")
    try scratch.expectTakes(swiftlet, atLeast: isEnding ? 230_000 : 280_000, withGap: true)
  }

  @Test func `a plugin that loops as it is made ends the program after ten seconds`() throws {
    try HostilePlugin.write("loop", in: "instantiate", to: scratch)
    let outcome = try swiftlet.run("render", "hostile.yaml", "-o", "mix.wav", "--no-record", limit: 30)
    #expect(outcome.status == 3, "\(outcome)")
    #expect(
      outcome.messages.contains(
        "the plugin of 'bad' <urn:test:loop:instantiate> has not returned from instantiate"),
      "\(outcome)")
  }

  @Test func `a render whose plugin loops in cleanup is whole`() throws {
    try HostilePlugin.write("loop", in: "cleanup", to: scratch)
    let outcome = try swiftlet.run("render", "hostile.yaml", "-o", "mix.wav", "--takes", "takes", limit: 40)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      outcome.messages.contains("has not returned from cleanup for 2 s; its thread is left behind"),
      "\(outcome)")
    try scratch.expectTakes(swiftlet, atLeast: 288_000)
    #expect(try scratch.samples("mix.wav", swiftlet).count == 288_000)
  }
}
