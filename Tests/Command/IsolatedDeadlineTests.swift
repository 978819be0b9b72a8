// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// The manifest key `deadline`, with a plugin that occupies a processor for 3 ms of each period of 5.3 ms. `make test`
/// runs this while no other test runs. The long deadline is far longer, because other programs of the machine can
/// interrupt the plugin for several milliseconds.
@Suite(.serialized, .timeLimit(.minutes(5)), .runsAlone) struct IsolatedDeadlineTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try Scratch()
    swiftlet = .withPlugins(in: scratch)
    try SmallPlugin(
      name: "slow",
      run: """
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        long end = t.tv_sec * 1000000000 + t.tv_nsec + 3000000;
        do clock_gettime(CLOCK_MONOTONIC, &t); while (t.tv_sec * 1000000000 + t.tv_nsec < end);
        \(FaultyPlugin.copy)
        """, globals: "#include <time.h>\n"
    ).build(in: scratch, swiftlet)
    try VoiceFixture.sine("\(scratch.path)/song.wav", seconds: 6)
  }

  @Test(arguments: [("1 ms", true), ("500 ms", false)])
  func `a plugin that takes longer than its deadline has failed`(_ deadline: String, _ isTooShort: Bool)
    throws
  {
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        song: { player: song.wav }
        p:    { lv2: "urn:test:slow", isolate: true, deadline: \(deadline) }
        desk: { playback: mono, connect: none }
      wires: [ song -> p -> desk ]
      taps:
        plain: { after: song, record: { file: "{tap}.wav", format: 32-float } }
        wet: { after: p, record: { file: "{tap}.wav", format: 32-float } }
      """, to: "slow.yaml")
    // Without real-time priority the audio thread does not wait, so there is no deadline of less than 20 ms.
    let isRealtime = try !swiftlet.run("check", "slow.yaml").messages.contains("one period later")
    let outcome = try swiftlet.run(
      "run", "slow.yaml", "--dummy", "--takes", "takes", "--for", "3", limit: 60)
    let hasFailed = outcome.messages.contains(
      "the plugin of 'p' has failed in its own process: it did not process a block in time")
    #expect(hasFailed == (isTooShort && isRealtime), "\(outcome)")
    if hasFailed { #expect(outcome.status == 4, "\(outcome)") }
    let plain = try scratch.samples("takes/plain.wav", swiftlet),
      wet = try scratch.samples("takes/wet.wav", swiftlet)
    #expect(plain.count > 100_000 && wet.count == plain.count)
    // For its first 64 blocks a plugin has 20 ms.
    #expect((wet[..<8192] == plain[..<8192]) as Bool)
    #expect((wet == plain) != hasFailed)
  }
}
