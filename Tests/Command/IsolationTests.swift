// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Isolated plugins, whose failures affect nothing else.
@Suite(.serialized, .timeLimit(.minutes(10))) struct IsolationTests {
  let scratch: Scratch
  let swiftlet: Command
  private static let ending = [
    "null": "signal 11 (Segmentation fault)", "bus": "signal 7 (Bus error)",
    "divide": "signal 8 (Floating point exception)",
    "trap": "signal 4 (Illegal instruction)", "abort": "signal 6 (Aborted)", "free": "signal 6 (Aborted)",
    "exit": "it ended itself with exit status 7", "deep": "signal 11 (Segmentation fault)",
    "copy": "signal 11 (Segmentation fault)", "thread": "signal 11 (Segmentation fault)",
  ]

  init() throws { (scratch, swiftlet) = try HostilePlugin.scratch() }

  @Test(arguments: HostilePlugin.failures.filter { $0 != "loop" })
  func `a plugin that fails in run of a render is named, and all other sound is kept`(
    _ failure: String
  ) throws {
    try HostilePlugin.write(failure, in: "run", to: scratch, isolated: ", isolate: true")
    let outcome = try swiftlet.run("render", "hostile.yaml", "-o", "mix.wav", "--takes", "takes", limit: 60)
    #expect(outcome.status == 4, "\(outcome)")
    let ending = try #require(Self.ending[failure])
    #expect(
      outcome.messages.contains("the plugin of 'bad' has failed in its own process: \(ending)"),
      "\(outcome.messages)")
    let song = try scratch.samples("song.wav", swiftlet)
    #expect(try (scratch.samples("takes/plain.wav", swiftlet) == song) as Bool)
    // Until the failure the plugin's output is in the take, too.
    let wet = try scratch.samples("takes/wet.wav", swiftlet)
    #expect(wet.count == song.count)
    #expect((wet[..<47_872] == song[..<47_872]) as Bool)
  }

  // The deadline is long, since other tests can interrupt the plugin for longer than a quarter of a period.
  @Test(arguments: ["null", "abort", "exit"])
  func `a plugin that fails while playing is restarted, and all other sound is kept`(
    _ failure: String
  ) throws {
    try HostilePlugin.write(failure, in: "run", to: scratch, isolated: ", isolate: true, deadline: 100 ms")
    let outcome = try swiftlet.shell(
      """
      export HOSTILE=armed
      swiftlet run hostile.yaml --dummy --takes takes --for 5 & show=$!
      for n in $(seq 200); do [ $(stat -c %s takes/plain.wav || echo 0) -gt 400000 ] && break; sleep 0.05; done
      touch armed; sleep 0.2; rm armed
      wait $show
      """, limit: 40)
    #expect(outcome.status == 4, "\(outcome)")
    let ending = try #require(Self.ending[failure])
    #expect(
      outcome.messages.contains("the plugin of 'bad' has failed in its own process: \(ending)"),
      "\(outcome.messages)")
    #expect(outcome.messages.contains("the plugin of 'bad' was restarted"), "\(outcome.messages)")
    let song = try scratch.samples("song.wav", swiftlet)
    let plain = try scratch.samples("takes/plain.wav", swiftlet)
    let wet = try scratch.samples("takes/wet.wav", swiftlet)
    try #require(plain.count > 100_000 && wet.count == plain.count)
    #expect((plain[...] == song[..<plain.count]) as Bool)
    // The plugin sounds before and after the failure, and is silent in between.
    #expect((wet[..<96_000] == plain[..<96_000]) as Bool)
    #expect((wet.suffix(4800) == plain.suffix(4800)) as Bool)
    #expect(wet.contains { $0 == 0 } && wet[96_000...] != plain[96_000...])
  }

  @Test func `a plugin that loops in run is ended, and the run continues`() throws {
    try HostilePlugin.write("loop", in: "run", to: scratch, isolated: ", isolate: true, on-failure: bypass")
    let outcome = try swiftlet.run(
      "run", "hostile.yaml", "--dummy", "--takes", "takes", "--for", "3", limit: 30)
    #expect(outcome.status == 4, "\(outcome)")
    #expect(
      outcome.messages.contains(
        "the plugin of 'bad' has failed in its own process: it did not process a block in time"),
      "\(outcome.messages)")
    let song = try scratch.samples("song.wav", swiftlet)
    let plain = try scratch.samples("takes/plain.wav", swiftlet)
    #expect((plain[...] == song[..<plain.count]) as Bool)
  }

  @Test(arguments: ["instantiate", "activate"], ["null", "exit"])
  func `a failure while a plugin is made is an error with its reason`(
    _ function: String, _ failure: String
  ) throws {
    try HostilePlugin.write(failure, in: function, to: scratch, isolated: ", isolate: true")
    let outcome = try swiftlet.run("render", "hostile.yaml", "-o", "mix.wav", "--no-record", limit: 30)
    let ending = try #require(Self.ending[failure])
    #expect(outcome.messages.contains(ending), "\(outcome)")
    #expect(outcome.status == 3, "\(outcome)")
  }

  @Test func `no plugin process outlives a run that is killed or that ends`() throws {
    try HostilePlugin.write("null", in: "cleanup", to: scratch, isolated: ", isolate: true")
    let outcome = try swiftlet.shell(
      """
      children() {
        for process in /proc/[0-9]*; do
          tr '\\0' ' ' < $process/cmdline 2> /dev/null | grep -q "[s]wiftlet-plugin-host urn:test:null:cleanup" &&
            readlink $process/cwd
        done | grep -c "^$(readlink -f .)$"
      }
      swiftlet run hostile.yaml --dummy --no-record & show=$!
      for n in $(seq 100); do [ "$(children)" = 1 ] && break; sleep 0.1; done
      children; kill -KILL $show; wait $show; sleep 0.5; children
      HOSTILE=never swiftlet render hostile.yaml -o mix.wav --no-record; children
      """, limit: 60)
    #expect(outcome.output.hasPrefix("1\n0\n") && outcome.output.hasSuffix("0\n"), "\(outcome)")
  }

  @Test func `without the isolation host the error names the variable for its path`() throws {
    try HostilePlugin.write("null", in: "cleanup", to: scratch, isolated: ", isolate: true")
    let other = Command(
      environment: swiftlet.environment.merging(["SWIFTLET_PLUGIN_HOST": "/nowhere/host"]) { $1 },
      folder: swiftlet.folder)
    let outcome = try other.run("render", "hostile.yaml", "-o", "mix.wav", "--no-record")
    #expect(outcome.status == 3, "\(outcome)")
    #expect(
      outcome.messages.contains("the program that hosts isolated plugins is not at '/nowhere/host'"),
      "\(outcome.messages)")
    #expect(outcome.messages.contains("SWIFTLET_PLUGIN_HOST"), "\(outcome.messages)")
  }

  @Test(arguments: [["run", "--dummy", "--for", "0.3"], ["render", "-o", "mix.wav"]])
  func `the option for the isolation host overrides the variable`(words: [String]) throws {
    try HostilePlugin.write("null", in: "cleanup", to: scratch, isolated: ", isolate: true")
    let host = (Command.path as NSString).deletingLastPathComponent + "/swiftlet-plugin-host"
    try FileManager.default.createSymbolicLink(atPath: scratch.path + "/host", withDestinationPath: host)
    let other = Command(
      environment: swiftlet.environment.merging([
        "SWIFTLET_PLUGIN_HOST": "/nowhere/host", "HOSTILE": "never",
      ]) { $1 }, folder: swiftlet.folder)
    func outcome(_ path: String, _ command: Command) throws -> Command.Outcome {
      let arguments = [words[0], "hostile.yaml", "--no-record", "--plugin-host", path] + words.dropFirst()
      return try command.run(program: Command.path, arguments, limit: 60)
    }
    let found = try outcome("host", other)
    #expect(found.status == 0, "\(found)")
    for path in ["nowhere/host", "."] {
      let missing = try outcome(path, swiftlet)
      #expect(missing.status == 3, "\(missing)")
      #expect(
        missing.messages.contains("the program that hosts isolated plugins is not at '")
          && missing.messages.contains("\(path)'") && missing.messages.contains("--plugin-host"), "\(missing)"
      )
    }
  }
}
