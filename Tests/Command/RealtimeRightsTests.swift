// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Isolated plugins of a user without the right to real-time priority.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RealtimeRightsTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try Scratch()
    swiftlet = .atHome(in: scratch)
    try VoiceFixture.sine("\(scratch.path)/song.wav", seconds: 6)
  }

  /// Runs a shell script in which `unprivileged` runs a command as such a user.
  private func shell(_ text: String) throws -> Command.Outcome {
    let user = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
    return try swiftlet.shell(
      """
      chmod -R a+rwX .
      unprivileged() { (ulimit -r 0; exec \(user) env HOME="$PWD" "$@"); }
      \(text)
      """, limit: 60)
  }

  private func write(_ nodes: String, _ rest: String) throws {
    try scratch.write(
      """
      swiftlet: 1
      nodes:
      \(nodes)
        amp: { lv2: "http://lv2plug.in/plugins/eg-amp", isolate: true }
        desk: { playback: mono, connect: none }
      \(rest)
      """, to: "late.yaml")
  }

  @Test func `check reports that isolated plugins are one period late`() throws {
    try write("  mic: { capture: mono }", "wires: [ mic -> amp -> desk ]")
    let outcome = try shell("unprivileged swiftlet check late.yaml")
    try #require(outcome.status == 0, "\(outcome)")
    #expect(outcome.messages.contains("this user may not have real-time priority"), "\(outcome)")
    #expect(outcome.messages.contains("heard one period later, which is compensated"), "\(outcome)")
  }

  @Test func `an isolated plugin is one period late, other paths are delayed, and takes align`() throws {
    try write(
      "  mic: { capture: mono, connect: none }\n  song: { player: song.wav }",
      """
      wires:
        - mic -> amp -> desk
        - song -> amp
        - song -> desk
      taps:
        dry: { after: song, record: { file: "{tap}.wav", format: 32-float } }
        wet: { after: amp, record: { file: "{tap}.wav", format: 32-float } }
        mix: { before: desk, record: { file: "{tap}.wav", format: 32-float } }
      """)
    let outcome = try shell(
      """
      unprivileged swiftlet run late.yaml --dummy --takes takes --for 4 & show=$!
      for n in $(seq 200); do [ $(stat -c %s takes/mix.wav || echo 0) -gt 100000 ] && break; sleep 0.05; done
      server=$(ls -t /dev/shm | sed -n "s/^jack_sem.$(unprivileged id -u)_\\(swiftlet-[0-9]*-[0-9]*\\)_late$/\\1/p" | head -n 1)
      unprivileged jack_lsp --server "$server" -l late:mic
      wait $show
      """)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("port playback latency = [ 256 256 ] frames"), "\(outcome)")
    let dry = try scratch.samples("takes/dry.wav", swiftlet)
    let wet = try scratch.samples("takes/wet.wav", swiftlet)
    let mix = try scratch.samples("takes/mix.wav", swiftlet)
    try #require(dry.count > 100_000 && wet.count == dry.count && mix.count == dry.count)
    #expect((wet == dry) as Bool)
    #expect((mix[...].elementsEqual(dry.map { $0 * 2 })) as Bool)
  }
}
