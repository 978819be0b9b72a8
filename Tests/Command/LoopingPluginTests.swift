// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Plugins that loop endlessly on the audio thread, which occupies a processor meanwhile. `make test` runs these
/// while no other test runs.
@Suite(.serialized, .timeLimit(.minutes(10)), .runsAlone)
struct LoopingPluginTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws { (scratch, swiftlet) = try HostilePlugin.scratch() }

  @Test func `a loop in run ends the program after 2 s with all sound in the takes`() throws {
    try HostilePlugin.write("loop", in: "run", to: scratch)
    let outcome = try swiftlet.run(
      "run", "hostile.yaml", "--dummy", "--takes", "takes", "--for", "3", limit: 15)
    #expect(outcome.status == 3, "\(outcome)")
    #expect(
      outcome.messages.contains(
        "the plugin of 'bad' <urn:test:loop:run> has not returned from run for 2 s, at hostile.so+0x"),
      "\(outcome)")
    #expect(outcome.messages.contains("swiftlet: 2 takes are finished\n"), "\(outcome)")
    try scratch.expectTakes(swiftlet, atLeast: 47_872)
  }

  @Test(arguments: ["INT", "TERM"])
  func `a signal ends a run whose plugin loops in run`(_ signal: String) throws {
    try HostilePlugin.write("loop", in: "run", to: scratch)
    let outcome = try swiftlet.shell(
      """
      export HOSTILE=armed
      swiftlet run hostile.yaml --dummy --takes takes & show=$!
      for n in $(seq 200); do [ $(stat -c %s takes/plain.wav || echo 0) -gt 190000 ] && break; sleep 0.05; done
      touch armed; sleep 0.3; kill -\(signal) $show
      for n in $(seq 80); do kill -0 $show 2> /dev/null || break; sleep 0.1; done
      kill -KILL $show 2> /dev/null && echo hung; wait $show
      """, limit: 40)
    #expect(outcome.output.isEmpty || !outcome.output.contains("hung"), "\(outcome)")
    #expect([0, 3, 4].contains(outcome.status), "\(outcome)")
    _ = try swiftlet.run("recover", "takes")
    try scratch.expectTakes(swiftlet, atLeast: 47_000)
  }
}
