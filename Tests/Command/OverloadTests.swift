// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Graphs that exceed the period, on private servers. Their audio thread occupies a processor.
@Suite(.serialized, .runsAlone) struct OverloadTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try VoiceFixture.scratch()
    swiftlet = Command(folder: scratch.path)
  }

  //   mic ─► r1 ─► r2 ─► … ─► r400 ─► desk      at 16 frames
  @Test func `a graph that exceeds the period is reported with its nodes, and ends with status 4`() throws {
    let reverbs = (1...400).map { "r\($0)" }
    try scratch.write(
      "swiftlet: 1\nnodes:\n  mic: { capture: mono }\n  desk: { playback: stereo }\n"
        + reverbs.map { "  \($0): { effect: reverb }\n" }.joined()
        + "wires: [ \((["mic"] + reverbs + ["desk"]).joined(separator: " -> ")) ]\n", to: "heavy.yaml")
    let outcome = try swiftlet.run("run", "heavy.yaml", "--dummy=48000/16", "--for", "0.2", limit: 100)
    #expect(outcome.status == 4, "\(outcome.messages)")
    let warnings = outcome.messages.split(separator: "\n").filter { $0.contains("overload: ") }
    #expect(warnings.count == 1, "\(outcome.messages)")
    let words = try #require(warnings.first)
    #expect(words.contains(/needs [0-9.]+ times the period of JACK/))
    #expect(words.contains(/most of it goes to ('r[0-9]+' \([0-9.]+ % of the period\)(, )?){3};/))
  }

  @Test func `a graph with a small load causes no overload message`() throws {
    let outcome = try swiftlet.run(
      "run", "voice.yaml", "--dummy=48000/1024", "--for", "1", "--no-record", limit: 100)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(!outcome.messages.contains("overload"))
  }
}
