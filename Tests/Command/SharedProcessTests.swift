// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Isolated plugins that are wired to each other share a process; a plugin that fails gets its own process.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SharedProcessTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws { (scratch, swiftlet) = try HostilePlugin.scratch() }

  /// Writes a manifest with three plugins in a row, of which the second one fails in `run`, and an unaffected path.
  private func write(_ failure: String, isolate: String = "true", for middle: String? = nil) throws {
    let own = middle.map { ", isolate: \($0)" } ?? ""
    try scratch.write(
      """
      swiftlet: 1
      name: hostile
      isolate: \(isolate)
      nodes:
        song: { player: song.wav }
        before: { lv2: "urn:test:thread:save" }
        bad:    { lv2: "urn:test:\(failure):run"\(own) }
        behind: { lv2: "urn:test:deep:save" }
        desk: { playback: mono, connect: none }
      wires: [ song -> before -> bad -> behind -> desk ]
      taps:
        plain: { after: song, record: { file: "{tap}.wav", format: 32-float } }
        wet: { after: behind, record: { file: "{tap}.wav", format: 32-float } }
      """, to: "hostile.yaml")
  }

  /// Runs the manifest until it has one second of sound, lets the plugin fail, and counts the plugin processes before
  /// and after that.
  private func run() throws -> Command.Outcome {
    try swiftlet.shell(
      """
      export HOSTILE=armed
      count() {
        for process in /proc/[0-9]*; do
          tr '\\0' ' ' < $process/cmdline 2> /dev/null | grep -q "[s]wiftlet-plugin-host urn:test" && readlink $process/cwd
        done | grep -c "^$(readlink -f .)$"
      }
      swiftlet run hostile.yaml --dummy --takes takes --for 5 & show=$!
      for n in $(seq 200); do [ $(stat -c %s takes/plain.wav || echo 0) -gt 200000 ] && break; sleep 0.05; done
      count; touch armed; sleep 0.2; rm armed; sleep 1.5; count
      wait $show
      """, limit: 60)
  }

  @Test func `three plugins in a row share a process, and the one that fails gets its own`() throws {
    try write("null")
    let outcome = try run()
    #expect(outcome.status == 4, "\(outcome)")
    #expect(outcome.output.hasPrefix("1\n2\n"), "\(outcome)")
    #expect(
      outcome.messages.contains("the plugin of 'bad' has failed in its own process: signal 11"), "\(outcome)")
    for other in ["before", "behind"] {
      #expect(
        outcome.messages.contains(
          "the plugin of '\(other)' has failed in its own process: <urn:test:null:run> ended the process that they share"
        ),
        "\(outcome)")
      #expect(outcome.messages.contains("the plugin of '\(other)' was restarted"), "\(outcome)")
    }
    #expect(outcome.messages.contains("the plugin of 'bad' was restarted"), "\(outcome)")
    let song = try scratch.samples("song.wav", swiftlet)
    let plain = try scratch.samples("takes/plain.wav", swiftlet),
      wet = try scratch.samples("takes/wet.wav", swiftlet)
    #expect((plain[...] == song[..<plain.count]) as Bool)
    // All plugins sound before and after the failure, and are silent in between.
    #expect(wet.count == plain.count)
    #expect((wet.suffix(4800) == plain.suffix(4800)) as Bool)
    #expect(wet.contains { $0 == 0 } && wet != plain)
  }

  @Test func `a plugin with isolate: alone fails alone`() throws {
    try write("abort", for: "alone")
    let outcome = try run()
    #expect(outcome.status == 4, "\(outcome)")
    // The other two are not wired to each other, so there are three processes.
    #expect(outcome.output.hasPrefix("3\n3\n"), "\(outcome)")
    #expect(
      outcome.messages.contains("the plugin of 'bad' has failed in its own process: signal 6"), "\(outcome)")
    #expect(!outcome.messages.contains("share"), "\(outcome)")
  }

  @Test func `if a thread of one of several plugins fails, each of them gets its own process`() throws {
    try write("thread")
    let outcome = try run()
    #expect(outcome.status == 4, "\(outcome)")
    #expect(outcome.output.hasPrefix("1\n"), "\(outcome)")
    #expect(outcome.messages.contains("signal 11"), "\(outcome)")
    let song = try scratch.samples("song.wav", swiftlet),
      plain = try scratch.samples("takes/plain.wav", swiftlet)
    #expect((plain[...] == song[..<plain.count]) as Bool)
  }

  @Test(arguments: ["true", "alone"]) func `a render has the same bits, shared or not`(_ isolate: String)
    throws
  {
    try write("null", isolate: isolate)
    let unharmed = Command(
      environment: swiftlet.environment.merging(["HOSTILE": "never"]) { $1 }, folder: swiftlet.folder)
    let outcome = try unharmed.run("render", "hostile.yaml", "-o", "mix.wav", "--takes", "takes", limit: 60)
    #expect(outcome.status == 0, "\(outcome)")
    let song = try scratch.samples("song.wav", swiftlet), wet = try scratch.samples("takes/wet.wav", swiftlet)
    #expect((wet[..<song.count] == song[...]) as Bool)
  }

  @Test func `an invalid value of isolate is an error with its position`() throws {
    try write("null", isolate: "sometimes")
    let outcome = try swiftlet.run("check", "hostile.yaml")
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.messages.contains("hostile.yaml:3:") && outcome.messages.contains("alone"), "\(outcome)")
  }

  @Test func `a plugin that fails in its trial is isolated, and the run continues`() throws {
    try write("divide", isolate: "false")
    let outcome = try swiftlet.run(
      "render", "hostile.yaml", "-o", "mix.wav", "--no-record", "--set", "bad.after=0", "--probe", limit: 60)
    #expect(outcome.status == 4, "\(outcome)")
    #expect(
      outcome.messages.contains(
        "the plugin of 'bad' failed its test in another process, and is isolated: signal 8"), "\(outcome)")
  }

  @Test func `a plugin that cannot be instantiated is an error of its test`() throws {
    try HostilePlugin.write("null", in: "instantiate", to: scratch)
    let outcome = try swiftlet.run(
      "run", "hostile.yaml", "--dummy", "--no-record", "--probe", "--for", "1", limit: 60)
    #expect(outcome.status == 3, "\(outcome)")
    #expect(
      outcome.messages.contains("the plugin of 'bad' cannot be instantiated:")
        && outcome.messages.contains("signal 11"),
      "\(outcome)")
  }
}
