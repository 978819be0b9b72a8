// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// The latency of the monitor output in the example `DryAndWet`: the limiter's look-ahead, plus a whole period if the
/// connection is part of a loop.
extension JackGraphTests {
  /// The limiter's look-ahead at 48 kHz, in frames.
  private static let lookAhead = 91
  /// The default period of a server, in frames.
  private static let period = 1024

  /// The index of the loudest sample.
  private func loudest(_ samples: ArraySlice<Float>) -> Int {
    samples.indices.max { abs(samples[$0]) < abs(samples[$1]) } ?? 0
  }

  //  singer ──► dry-and-wet ──► ear, right     (all in one cycle)
  //     └─────────────────────► ear, left
  @Test(arguments: [
    ("DryAndWet 4", "main-input", "main-output_1"),
    ("swiftlet run dry-and-wet.yaml --for 4 --takes takes", "voice", "ear_1"),
  ]) func `the monitor latency is what JACK reports, and both takes are aligned to the voice`(
    line: String, input: String, output: String
  ) throws {
    try manifest("DryAndWet", "dry-and-wet.yaml")
    // One click a second.
    let made = try swiftlet.shell(
      "sox -n -r 48000 -c 1 -e floating-point -b 32 silence.wav trim 0 24000s && "
        + "printf '\\000\\000\\000\\077' | sox -t raw -e floating-point -b 32 -c 1 -r 48000 - one.wav && "
        + "sox silence.wav one.wav silence.wav click.wav trim 0 48000s")
    #expect(made.status == 0, "\(made.messages)")
    try scratch.write(
      """
      swiftlet: 1
      name: singer
      nodes: { song: { player: click.wav, loop: forever }, mouth: { playback: mono, connect: "dry-and-wet:\(input)" } }
      wires: [ song -> mouth ]
      """, to: "singer.yaml")
    try writeEar(hearing: "singer:mouth", "dry-and-wet:\(output)")
    let outcome = try swiftlet.shell(
      Self.mortal
        + """
        server
        listen
        swiftlet run singer.yaml -q > singer 2>&1 & singer=$!
        for n in $(seq 300); do timeout -s KILL 10 jack_lsp -s $name -c ear:in_1 | grep -q singer:mouth && break; sleep 0.1; done
        \(line) > words 2>&1 & wet=$!
        for n in $(seq 300); do timeout -s KILL 10 jack_lsp -s $name -c ear:in_2 | grep -q dry-and-wet && break; sleep 0.1; done
        sleep 1
        timeout -s KILL 10 jack_lsp -s $name -l > latencies
        wait $wet; echo "status $?"
        kill -INT $singer $ear; wait $singer; wait $ear; echo "ear $?"
        kill -TERM $server; wait $server
        """, limit: 150)
    #expect(outcome.output.contains("status 0\near 0\n"), "\(outcome.output) \(scratch.text("words"))")
    let late = try latency("dry-and-wet:\(output)", "capture") - latency("dry-and-wet:\(input)", "capture")
    #expect(late == Self.lookAhead, "what JACK says of it")

    let sung = try #require(VoiceFixture.channel(0, of: 2, "\(scratch.path)/heard.wav"))
    let returned = try #require(VoiceFixture.channel(1, of: 2, "\(scratch.path)/heard.wav"))
    // Before and after the monitor output exists, its channel is silent.
    let clicks = sung.indices.filter { sung[$0] > 0.45 && $0 + 2000 < sung.count }
      .filter { click in returned[click..<click + 2000].contains { abs($0) > 0.1 } }
    #expect(clicks.count >= 3, "\(clicks)")
    for click in clicks {
      #expect(loudest(returned[click..<click + 2000]) == click + Self.lookAhead, "at \(click)")
    }

    let dry = try samples("takes/dry-001.wav"), wet = try samples("takes/wet-001.wav")
    let clickFrames = dry.indices.filter { dry[$0] > 0.45 && $0 >= 1000 && $0 + 1000 < wet.count }
    #expect(clickFrames.count >= 3, "\(clickFrames)")
    for frame in clickFrames { #expect(loudest(wet[frame - 1000..<frame + 1000]) == frame) }
  }

  //  jack_delay ──► dry-and-wet ──┐     (its sound returns one cycle later)
  //      ▲────────────────────────┘
  @Test func `jack_iodelay measures a round trip of the look-ahead and one period for the loop`() throws {
    try manifest("DryAndWet", "dry-and-wet.yaml")
    let outcome = try swiftlet.shell(
      Self.mortal
        + """
        server
        export JACK_DEFAULT_SERVER=$name
        # The hall would add what is not the tones themselves.
        swiftlet run dry-and-wet.yaml --no-record --no-connect --set hall.mix=0 -q > words 2>&1 & wet=$!
        stdbuf -oL jack_iodelay > measured 2>&1 & measure=$!
        for n in $(seq 300); do
          timeout -s KILL 10 jack_lsp -s $name | grep -q dry-and-wet:ear_2 && timeout -s KILL 10 jack_lsp -s $name | grep -q jack_delay:out && break
          sleep 0.1
        done
        jack_connect -s $name jack_delay:out dry-and-wet:voice
        jack_connect -s $name dry-and-wet:ear_1 jack_delay:in
        for n in $(seq 300); do [ "$(grep -c total measured)" -ge 8 ] && break; sleep 0.1; done
        timeout -s KILL 10 jack_lsp -s $name -l > latencies
        kill -INT $wet; wait $wet; echo "status $?"
        kill -TERM $measure; wait $measure
        kill -TERM $server; wait $server
        """, limit: 150)
    #expect(outcome.output.contains("status 0\n"), "\(outcome.output) \(scratch.text("words"))")
    #expect(try latency("jack_delay:out", "playback") == Self.lookAhead)
    #expect(try latency("jack_delay:in", "capture") == Self.lookAhead)
    let lines = scratch.text("measured").split(separator: "\n").filter {
      $0.contains("total roundtrip latency")
    }
    let last = try #require(lines.last, "\(scratch.text("measured"))")
    let frames = try #require(last.split(separator: " ").first.flatMap { Double($0) })
    // jack_iodelay measures the phase of tones, and the high-pass shifts the lowest one slightly.
    #expect(abs(frames - Double(Self.lookAhead + Self.period)) < 0.5, "\(last)")
  }
}
