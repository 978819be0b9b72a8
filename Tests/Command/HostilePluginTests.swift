// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Plugins that crash or call `exit` in the tool's process: the plugin is named, and recorded takes are kept.
@Suite(.serialized, .timeLimit(.minutes(10))) struct HostilePluginTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws { (scratch, swiftlet) = try HostilePlugin.scratch() }

  private static let signals = [
    "null": "SIGSEGV for the address 0x0, at hostile.so+0x",
    "bus": "SIGBUS for the address 0x", "divide": "SIGFPE, at hostile.so+0x",
    "trap": "SIGILL, at hostile.so+0x", "abort": "called from hostile.so+0x",
    "free": "called from hostile.so+0x",
    "deep": "SIGSEGV, a stack overflow,", "copy": "called from hostile.so+0x",
  ]

  /// Requires the report of a crash with its remedy, and nothing else.
  private func expectReport(_ outcome: Command.Outcome, _ failure: String, _ function: String) {
    let plugin = "swiftlet: error: the plugin of 'bad' <urn:test:\(failure):\(function)> "
    let start =
      switch failure {
      case "exit": "ended the program in \(function), by exit with status 7\n"
      case "thread": "crashed in a thread of its own: SIGSEGV for the address 0x0, at hostile.so+0x"
      default: "crashed in \(function): "
      }
    #expect(outcome.status == 3, "\(failure) in \(function): \(outcome)")
    let lines = outcome.messages.split(separator: "\n").filter { $0.contains("the plugin of") }
    #expect(
      lines.count == 1 && outcome.messages.contains(plugin + start), "\(failure) in \(function): \(outcome)")
    if let signal = Self.signals[failure] {
      #expect(outcome.messages.contains(signal), "\(failure) in \(function): \(outcome)")
    }
    #expect(outcome.messages.contains("--isolate bad, or isolate: true in the manifest"), "\(outcome)")
    #expect(!outcome.messages.contains("not finished"), "\(outcome)")
  }

  @Test(arguments: HostilePlugin.failures.filter { $0 != "loop" })
  func `a crash in run is reported, and the takes have all sound before it`(_ failure: String) throws {
    try HostilePlugin.write(failure, in: "run", to: scratch)
    let outcome = try swiftlet.run("run", "hostile.yaml", "--dummy", "--takes", "takes", limit: 30)
    expectReport(outcome, failure, "run")
    #expect(outcome.messages.contains("swiftlet: 2 takes are finished\n"), "\(outcome)")
    // The plugin crashes in the first cycle of 256 frames that ends after frame 48,000.
    try scratch.expectTakes(swiftlet, atLeast: 47_872)
  }

  @Test(arguments: HostilePlugin.failures.filter { $0 != "loop" })
  func `a crash in run of a render is reported, and the takes have all sound before it`(
    _ failure: String
  ) throws {
    try HostilePlugin.write(failure, in: "run", to: scratch)
    let outcome = try swiftlet.run("render", "hostile.yaml", "-o", "mix.wav", "--takes", "takes", limit: 30)
    expectReport(outcome, failure, "run")
    try scratch.expectTakes(swiftlet, atLeast: 47_872)
    #expect(!scratch.names.contains("mix.wav"))
  }

  @Test(arguments: [["a.wav"], ["a.flac", "b.mp3", "c.opus", "--loudness", "-16"]])
  func `a crash leaves no unfinished render, and existing files unchanged`(_ words: [String]) throws {
    try HostilePlugin.write("abort", in: "run", to: scratch)
    let files = words.filter { $0.contains(".") }
    for file in files { try scratch.write("mine", to: file) }
    let before = Set(scratch.names)
    let outcome = try swiftlet.run(
      program: Command.path,
      ["render", "hostile.yaml", "--overwrite", "--takes", "takes"] + files.flatMap { ["-o", $0] }
        + words.filter { !files.contains($0) }, limit: 30)
    expectReport(outcome, "abort", "run")
    #expect(Set(scratch.names).subtracting(before) == ["takes"], "\(scratch.names)")
    for file in files { #expect(scratch.text(file) == "mine") }
    try scratch.expectTakes(swiftlet, atLeast: 47_872)
  }

  @Test(
    arguments: HostilePlugin.functions.filter { $0 != "run" }.flatMap { function in
      ["null", "deep", "exit"].map { ($0, function) }
    })
  func `a crash in another function is reported, and the running take is finished`(
    _ failure: String, _ function: String
  ) throws {
    try HostilePlugin.write(failure, in: function, to: scratch)
    let outcome = try HostilePlugin.runToNewPeriod(swiftlet)
    expectReport(outcome, failure, function)
    // JACK skips a cycle when its period changes.
    try scratch.expectTakes(swiftlet, atLeast: 40_000, withGap: true)
  }

  @Test func `each crash while a render makes or ends a plugin is reported`() throws {
    for function in ["instantiate", "activate", "save", "restore", "deactivate", "cleanup"] {
      for failure in HostilePlugin.failures where failure != "loop" {
        try HostilePlugin.write(failure, in: function, to: scratch)
        let outcome = try swiftlet.run(
          "render", "hostile.yaml", "-o", "mix.wav", "--no-record", "--set", "bad.after=200000",
          "--overwrite",
          limit: 30)
        expectReport(outcome, failure, function)
      }
    }
  }

  @Test func `with --core the signal ends the program after the takes are finished`() throws {
    try HostilePlugin.write("null", in: "run", to: scratch)
    let outcome = try swiftlet.shell(
      "ulimit -c 0; SWIFT_BACKTRACE=enable=no exec swiftlet run hostile.yaml --dummy --takes takes --core",
      limit: 30)
    #expect(outcome.status == -SIGSEGV, "\(outcome)")
    #expect(outcome.messages.contains("crashed in run") && !outcome.messages.contains("--core"), "\(outcome)")
    try scratch.expectTakes(swiftlet, atLeast: 47_872)
  }

  @Test func `a crash outside plugins is reported as Swiftlet's, and ends it by the signal`() throws {
    try HostilePlugin.write("null", in: "run", to: scratch)
    let outcome = try swiftlet.shell(
      """
      ulimit -c 0; export HOSTILE=never SWIFT_BACKTRACE=enable=no
      swiftlet run hostile.yaml --dummy --takes takes & show=$!
      for n in $(seq 100); do [ $(stat -c %s takes/plain.wav || echo 0) -gt 200000 ] && break; sleep 0.05; done
      kill -SEGV $show; wait $show
      """, limit: 30)
    #expect(outcome.status == 128 + SIGSEGV, "\(outcome)")
    #expect(outcome.messages.contains("swiftlet: error: Swiftlet has crashed: SIGSEGV"), "\(outcome)")
    #expect(outcome.messages.contains("2 takes are finished"), "\(outcome)")
    #expect(!outcome.messages.contains("bad"), "\(outcome)")
    try scratch.expectTakes(swiftlet, atLeast: 40_000)
  }

  @Test func `a plugin that does not fail causes no message`() throws {
    try HostilePlugin.write("null", in: "run", to: scratch)
    var swiftlet = swiftlet
    swiftlet.environment["HOSTILE"] = "never"
    let outcome = try swiftlet.run("run", "hostile.yaml", "--dummy", "--takes", "takes", "--for", "3", "-q")
    #expect(outcome.status == 0 && outcome.messages.isEmpty, "\(outcome)")
    try scratch.expectTakes(swiftlet, atLeast: 140_000)
  }
}
