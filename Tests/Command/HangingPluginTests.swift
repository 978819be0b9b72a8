// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Plugins that do not return: the program ends when asked, and recorded takes are kept.
@Suite(.serialized, .timeLimit(.minutes(10))) struct HangingPluginTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws { (scratch, swiftlet) = try HostilePlugin.scratch() }

  @Test func `a loop in run ends a render after 10 s with all sound in the takes`() throws {
    try HostilePlugin.write("loop", in: "run", to: scratch)
    let outcome = try swiftlet.run("render", "hostile.yaml", "-o", "mix.wav", "--takes", "takes", limit: 30)
    #expect(outcome.status == 3, "\(outcome)")
    #expect(outcome.messages.contains("has not returned from run for 10 s, at hostile.so+0x"), "\(outcome)")
    try scratch.expectTakes(swiftlet, atLeast: 47_872)
  }

  @Test(arguments: ["instantiate", "activate", "save", "restore", "deactivate", "cleanup", "work"])
  func `a loop off the audio thread does not stop anything else`(_ function: String) throws {
    try HostilePlugin.write("loop", in: function, to: scratch)
    let isEnding = ["deactivate", "cleanup"].contains(function)
    let outcome = try HostilePlugin.runToNewPeriod(swiftlet, "--for \(isEnding ? 5 : 13)")
    // A cycle that JACK skips when its period changes makes the status 4.
    #expect([0, 4].contains(outcome.status), "\(function): \(outcome)")
    #expect(
      outcome.messages.contains(
        "swiftlet: warning: the plugin of 'bad' <urn:test:loop:\(function)> has not returned from \(function) for "
          + "\(isEnding ? 2 : 10) s; its thread is abandoned, and everything else continues\n"),
      "\(function): \(outcome)")
    try scratch.expectTakes(swiftlet, atLeast: isEnding ? 230_000 : 280_000, withGap: true)
  }

  @Test func `a plugin that loops in instantiate ends the program after 10 s`() throws {
    try HostilePlugin.write("loop", in: "instantiate", to: scratch)
    let outcome = try swiftlet.run("render", "hostile.yaml", "-o", "mix.wav", "--no-record", limit: 30)
    #expect(outcome.status == 3, "\(outcome)")
    #expect(
      outcome.messages.contains(
        "the plugin of 'bad' <urn:test:loop:instantiate> has not returned from instantiate"),
      "\(outcome)")
  }

  @Test func `a render whose plugin loops in cleanup is complete`() throws {
    try HostilePlugin.write("loop", in: "cleanup", to: scratch)
    let outcome = try swiftlet.run("render", "hostile.yaml", "-o", "mix.wav", "--takes", "takes", limit: 40)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      outcome.messages.contains("has not returned from cleanup for 2 s; its thread is abandoned"),
      "\(outcome)")
    try scratch.expectTakes(swiftlet, atLeast: 288_000)
    #expect(try scratch.samples("mix.wav", swiftlet).count == 288_000)
  }
}
