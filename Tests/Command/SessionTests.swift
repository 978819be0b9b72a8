// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Audio sessions of several processes on one server, which duck and interrupt each other.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SessionTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try Scratch()
    // A separate runtime folder keeps the sessions of other tests apart.
    swiftlet = Command(environment: ["XDG_RUNTIME_DIR": scratch.path], folder: scratch.path)
    try VoiceFixture.sine("\(scratch.path)/song.wav", seconds: 2)
    func player(_ name: String, _ session: String) throws {
      try scratch.write(
        """
        swiftlet: 1
        name: \(name)
        \(session)
        nodes:
          song: { player: song.wav, loop: forever }
          desk: { playback: mono, connect: none }
        wires: [ song -> desk ]
        """, to: "\(name).yaml")
    }
    try player("music", "")
    try player("prompt", "session: { category: playback, options: [ duck-others ] }")
    try player("solo", "session: { category: playback, options: [ exclusive ] }")
    try scratch.write(
      """
      swiftlet: 1
      name: ear
      nodes: { music: { capture: mono, connect: "music:desk" } }
      taps: { ear: { after: music, record: ear.wav } }
      """, to: "ear.yaml")
  }

  //  music ──► ear           prompt and solo start and end: by a signal, and killed
  @Test func `other sessions duck or pause the music, and it recovers when they end or are killed`() throws {
    let outcome = try swiftlet.shell(
      """
      export JACK_DEFAULT_SERVER=swiftlet-session-$$
      jackd -n $JACK_DEFAULT_SERVER --port-max 256 -S -r -d dummy -C 2 -P 2 > /dev/null 2>&1 & server=$!
      for n in $(seq 300); do timeout -s KILL 10 jack_lsp > /dev/null 2>&1 && break; sleep 0.1; done
      # A server may stand still for seconds when one of its clients is killed: what counts is what was heard since.
      heard() { cat ear.wav* | wc -c; }
      told() {
        for n in $(seq 300); do [ $(grep -c "$1" words) -ge $2 ] && break; sleep 0.1; done
        start=$(heard); for n in $(seq 300); do [ $(heard) -gt $((start + 150000)) ] && break; sleep 0.1; done
      }
      swiftlet run music.yaml -v 2> words & music=$!
      swiftlet run ear.yaml 2> ear-words & ear=$!
      for n in $(seq 300); do timeout -s KILL 10 jack_lsp -c music:desk | grep -q ear:music && break; sleep 0.1; done
      sleep 1
      swiftlet run prompt.yaml -q & first=$!
      told 'reduced by 12 dB' 1
      kill -INT $first; wait $first
      told 'the level is restored' 1
      swiftlet run prompt.yaml -q & first=$!
      told 'reduced by 12 dB' 2
      kill -KILL $first
      told 'the level is restored' 2
      swiftlet run solo.yaml -q & first=$!
      told "'solo' interrupts other sessions" 1
      kill -KILL $first
      told "interruption by 'solo' has ended" 1
      kill -INT $ear; wait $ear
      kill -INT $music; wait $music; echo "status $?"
      kill -TERM $server; wait $server
      """, limit: 200)
    let words = scratch.text("words")
    #expect(outcome.output.contains("status 0\n"), "\(outcome.output) \(outcome.messages) \(words)")
    // The peak of each tenth of a second: 0.5 is the full level, 0.1256 is 12 dB lower.
    let heard = try #require(VoiceFixture.channel(0, of: 1, "\(scratch.path)/ear.wav"))
    let levels = stride(from: 0, to: heard.count - 4800, by: 4800).map { start in
      heard[start..<start + 4800].map(abs).max() ?? 0
    }
    let kinds = levels.map { level in
      abs(level - 0.5) < 0.005
        ? "loud" : abs(level - 0.5 * 0.251) < 0.002 ? "low" : level < 1e-4 ? "silent" : "between"
    }
    var states: [String] = []
    // A fade may pass through a level; a lasting level is in two successive parts.
    for (kind, next) in zip(kinds, kinds.dropFirst()) where kind == next && kind != "between" {
      if states.last != kind { states.append(kind) }
    }
    if states.first == "silent" { states.removeFirst() }
    #expect(states == ["loud", "low", "loud", "low", "loud", "silent", "loud"], "\(levels)")
    // A killed session leaves its socket, which the others remove; the others remove their own.
    let left = (try? FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/swiftlet")) ?? []
    #expect(left.filter { $0.hasPrefix("session-") }.isEmpty, "\(left)")
  }
}
