// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// `check --budget`: the load of a manifest, without a server.
@Suite(.serialized) struct BudgetTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try VoiceFixture.scratch()
    swiftlet = Command(folder: scratch.path)
  }

  /// Writes a manifest with a chain of reverbs.
  private func write(reverbs count: Int, to file: String) throws {
    let names = (1...count).map { "r\($0)" }
    try scratch.write(
      "swiftlet: 1\nnodes:\n  mic: { capture: mono }\n  desk: { playback: stereo }\n"
        + names.map { "  \($0): { effect: reverb }\n" }.joined()
        + "wires: [ \((["mic"] + names + ["desk"]).joined(separator: " -> ")) ]\n", to: file)
  }

  //   mic ─► r1 ─► r2 ─► … ─► r600 ─► desk      at 64 frames
  @Test func `a manifest that exceeds the period causes a warning with its costliest nodes`() throws {
    try write(reverbs: 600, to: "heavy.yaml")
    let outcome = try swiftlet.run("check", "heavy.yaml", "--budget", "--period", "64", limit: 100)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.messages.contains("heavy.yaml: good: 602 nodes"))
    let warnings = outcome.messages.split(separator: "\n").filter { $0.hasPrefix("heavy.yaml: warning: ") }
    #expect(warnings.count == 1, "\(outcome.messages)")
    let words = try #require(warnings.first)
    #expect(words.contains(/a cycle takes [0-9]{3,} % of the period at 64 frames and 48 kHz/))
    #expect(words.contains("sound will be lost"))
    #expect(words.contains(/most of it goes to ('r[0-9]+' \([0-9.]+ % of the period\)(, )?){3};/))
    #expect(outcome.output.hasPrefix("heavy.yaml: load at 64 frames and 48 kHz: "))
  }

  @Test func `a light manifest has a small load and no warning, and no file is written`() throws {
    let before = scratch.names
    let outcome = try swiftlet.run(
      "check", "voice.yaml", "plain.yaml", "--budget", "--period", "1024", "--json", limit: 100)
    #expect(outcome.status == 0 && !outcome.messages.contains("warning"), "\(outcome.messages)")
    let value = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    #expect(value?["format"] as? Int == 1)
    let manifests = try #require(value?["manifests"] as? [[String: Any]])
    #expect(manifests.map { $0["file"] as? String } == ["voice.yaml", "plain.yaml"])
    let load = try #require(manifests[0]["load"] as? Double)
    #expect(0 < load && load < 0.7)
    #expect(manifests[0]["period"] as? Int == 1024 && manifests[0]["isTooMuch"] as? Bool == false)
    let nodes = manifests[0]["nodes"] as? [[String: Any]]
    #expect(nodes?.contains { $0["name"] as? String == "echo" } == true)
    #expect(scratch.names == before)
  }

  @Test func `an invalid manifest is not measured, and the next one is`() throws {
    try scratch.write("swiftlet: 1\nnodes:\n  mic: captur\n", to: "bad.yaml")
    let outcome = try swiftlet.run("check", "bad.yaml", "plain.yaml", "--budget", limit: 100)
    #expect(outcome.status == 1)
    #expect(outcome.messages.contains("bad.yaml:3:"))
    #expect(outcome.output.hasPrefix("plain.yaml: load at 256 frames and 48 kHz: "))
  }

  @Test func `without --budget nothing is measured, and its options are refused`() throws {
    let outcome = try swiftlet.run("check", "voice.yaml")
    #expect(outcome.status == 0 && outcome.output == "")
    #expect(outcome.messages == "voice.yaml: good: 3 nodes, 2 wires, 2 taps\n")
    for option in [["--period", "64"], ["--rate", "48000"], ["--json"]] {
      let wrong = try swiftlet.run(program: Command.path, ["check", "voice.yaml"] + option, limit: 60)
      #expect(wrong.status == 2 && wrong.messages.contains("goes with --budget"), "\(wrong.messages)")
    }
  }

  @Test func `run reports its load at the end`() throws {
    let outcome = try swiftlet.run(
      "run", "plain.yaml", "--dummy=48000/1024", "--for", "0.5", "--no-record", limit: 100)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(
      outcome.messages.contains(
        /\nload: [0-9.]+ % of the period in the median cycle, more than [0-9.]+ % in one of twenty\n/),
      "\(outcome.messages)")
  }
}
