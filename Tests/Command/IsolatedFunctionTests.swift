// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Isolated plugins that fail in other functions than `run`, or do not return: they are named, and all other sound is
/// kept.
@Suite(.serialized, .timeLimit(.minutes(10))) struct IsolatedFunctionTests {
  let scratch: Scratch
  let swiftlet: Command
  private static let ending = [
    "null": "signal 11 (Segmentation fault) ended it", "exit": "it ended itself with exit status 7",
  ]

  init() throws { (scratch, swiftlet) = try HostilePlugin.scratch() }

  /// Requires the report of a failure, and an undamaged take of the sound before the plugin.
  private func expectFailure(_ outcome: Command.Outcome, _ reason: String, withGap: Bool = false) throws {
    #expect(outcome.status == 4, "\(outcome)")
    #expect(
      outcome.messages.contains("the plugin of 'bad' has failed in its own process: \(reason)"),
      "\(outcome.messages)")
    let song = try scratch.samples("song.wav", swiftlet) + [Float](repeating: 0, count: 48_000 * 20)
    let plain = try scratch.samples("takes/plain.wav", swiftlet)
    #expect(plain.count > 100_000)
    let sound = withGap ? HostilePlugin.withoutGap(plain, song) : plain
    #expect((zip(sound, song).allSatisfy { $0 == $1 }) as Bool)
  }

  @Test(arguments: ["work", "work_response"], ["null", "exit"])
  func `a failure of work in a render is reported`(_ function: String, _ failure: String) throws {
    try HostilePlugin.write(failure, in: function, to: scratch, isolated: ", isolate: true")
    let outcome = try swiftlet.run("render", "hostile.yaml", "-o", "mix.wav", "--takes", "takes", limit: 60)
    try expectFailure(outcome, try #require(Self.ending[failure]))
  }

  @Test(
    arguments: ["work", "work_response", "save", "restore", "deactivate", "cleanup"], ["null", "exit"])
  func `a failure in another function while playing is reported`(_ function: String, _ failure: String) throws
  {
    try HostilePlugin.write(failure, in: function, to: scratch, isolated: ", isolate: true")
    let outcome = try HostilePlugin.runToNewPeriod(swiftlet, "--for 4")
    try expectFailure(outcome, try #require(Self.ending[failure]), withGap: true)
    // The plugin sounds again, with a state that it could not save or restore as well.
    if !function.hasPrefix("work") {
      let plain = try scratch.samples("takes/plain.wav", swiftlet),
        wet = try scratch.samples("takes/wet.wav", swiftlet)
      #expect((wet.suffix(4800) == plain.suffix(4800)) as Bool)
    }
  }

  @Test(arguments: [("save", 13), ("cleanup", 6)])
  func `a function that does not return ends the plugin's process alone`(_ function: String, _ seconds: Int)
    throws
  {
    try HostilePlugin.write("loop", in: function, to: scratch, isolated: ", isolate: true")
    let outcome = try HostilePlugin.runToNewPeriod(swiftlet, "--for \(seconds)")
    try expectFailure(
      outcome, "it did not return from '\(function == "cleanup" ? "cleanUp" : function)'", withGap: true)
  }

  @Test(arguments: ["run", "work_response"])
  func `a loop in a block of a render ends the plugin's process, and is reported`(_ function: String) throws {
    try HostilePlugin.write("loop", in: function, to: scratch, isolated: ", isolate: true")
    let outcome = try swiftlet.run("render", "hostile.yaml", "-o", "mix.wav", "--takes", "takes", limit: 120)
    try expectFailure(outcome, "it did not process a block in time")
    let song = try scratch.samples("song.wav", swiftlet), wet = try scratch.samples("takes/wet.wav", swiftlet)
    // `run` loops after 48,000 frames, and schedules work every 16,384.
    let length = function == "run" ? 47_872 : 16_128
    #expect(wet.count == song.count && (wet[..<length] == song[..<length]) as Bool)
    #expect(wet[length...].contains { $0 == 0 } && wet != song)
  }

  @Test func `a render reports work that does not end, and is complete`() throws {
    try HostilePlugin.write("loop", in: "work", to: scratch, isolated: ", isolate: true")
    let outcome = try swiftlet.run("render", "hostile.yaml", "-o", "mix.wav", "--takes", "takes", limit: 60)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.messages.contains("warning: 'bad' does not finish its scheduled work"), "\(outcome)")
    try scratch.expectTakes(swiftlet, atLeast: 288_000)
  }

  @Test func `killed plugin processes leave no descriptor and no memory in the host`() throws {
    let names = (0..<10).map { "p\($0)" }
    try scratch.write(
      """
      swiftlet: 1
      isolate: alone
      nodes:
        song: { player: song.wav }
        desk: { playback: mono, connect: none }
      \(names.map { "  \($0): { lv2: \"urn:test:null:run\" }" }.joined(separator: "\n"))
      wires:
      \(names.map { "  - song -> \($0) -> desk" }.joined(separator: "\n"))
      """, to: "ten.yaml")
    let outcome = try swiftlet.shell(
      """
      export HOSTILE=never
      children() {
        for process in /proc/[0-9]*; do
          tr '\\0' ' ' < $process/cmdline 2> /dev/null | grep -q "[s]wiftlet-plugin-host urn:test:null:run" &&
            [ "$(readlink $process/cwd)" = "$(readlink -f .)" ] && basename $process
        done
      }
      facts() {
        ls -l /proc/$show/fd | sed -n 's/.* -> //p' | sed 's/[0-9][0-9]*/N/g' | sort | uniq -c
        grep -c memfd:swiftlet /proc/$show/maps
      }
      swiftlet run ten.yaml --dummy --no-record --for 120 > log 2>&1 & show=$!
      for n in $(seq 100); do [ "$(children | wc -l)" = 10 ] && break; sleep 0.1; done
      sleep 2; facts > before
      for round in 1 2; do
        children | wc -l
        kill -KILL $(children)
        for n in $(seq 300); do [ "$(grep -c 'was restarted' log)" = ${round}0 ] && break; sleep 0.1; done
      done
      for n in $(seq 100); do facts > after; cmp -s before after && break; sleep 0.1; done
      diff before after && echo same
      grep -c 'failed in its own process: signal 9 (Killed) ended it' log; children | wc -l
      kill -INT $show; wait $show; children | wc -l
      """, limit: 110)
    #expect(outcome.output == "10\n10\nsame\n20\n10\n0\n", "\(outcome), \(scratch.text("log"))")
    let facts = scratch.text("before")
    #expect(facts.contains("pidfd") && facts.contains("[eventfd]"))
    #expect((facts.split(separator: "\n").last.flatMap { Int($0) } ?? 0) >= 30)
  }
}
