// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Runs without a terminal or keys, while the JACK graph changes.
@Suite(.serialized, .timeLimit(.minutes(10))) struct UnattendedTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try VoiceFixture.scratch()
    var command = Command(folder: scratch.path)
    command.environment = ["XDG_RUNTIME_DIR": scratch.path]
    swiftlet = command
  }

  /// Shell code that starts a server and waits until it accepts clients.
  private let jackd = """
    export JACK_DEFAULT_SERVER=swiftlet-unattended-$$
    jackd -n $JACK_DEFAULT_SERVER --port-max 256 -S -r -d dummy > /dev/null 2>&1 & server=$!
    for n in $(seq 300); do timeout -s KILL 10 jack_lsp > /dev/null 2>&1 && break; sleep 0.1; done

    """

  @Test func `--for ends a run without its server with status 3, and the take is complete`() throws {
    let outcome = try swiftlet.shell(
      jackd
        + """
        swiftlet run voice.yaml --for 6 2> words & first=$!
        for n in $(seq 600); do grep -q '^0:01' words && break; sleep 0.1; done
        # SIGTERM: the server frees its slot in the registry of eight; a killed server keeps it.
        kill -TERM $server; wait $server
        wait $first; echo "status $?"
        """, limit: 100)
    #expect(outcome.output.contains("status 3\n"), "\(outcome.output) \(scratch.text("words"))")
    let words = scratch.text("words")
    #expect(words.contains("error: the JACK server has ended"), "\(words)")
    #expect(words.contains("; the time of --for elapsed before the server came back\n"), "\(words)")
    #expect(try (VoiceFixture.stat("\(scratch.path)/dry-001.wav", "Length") ?? 0) > 0.3)
  }

  /// Runs a manifest as music.yaml without a terminal while headphones are plugged in, unplugged, and plugged in
  /// again by the command `back`; prints the connections of `port` and the run's status.
  private func unplug(_ manifest: String, untilReported back: String, looking port: String) throws
    -> Command.Outcome
  {
    let script = (#filePath as NSString).deletingLastPathComponent + "/phones.py"
    try scratch.write(manifest, to: "music.yaml")
    return try swiftlet.shell(
      jackd
        + """
        mkfifo plug; python3 '\(script)' < plug & phones=$!
        exec 3> plug; echo in >&3
        for n in $(seq 300); do timeout -s KILL 10 jack_lsp | grep -q phones:right && break; sleep 0.1; done
        swiftlet run music.yaml 2> words & first=$!
        for n in $(seq 300); do grep -q '^0:01' words && break; sleep 0.1; done
        echo out >&3
        for n in $(seq 300); do grep -q 'paused' words && break; sleep 0.1; done
        echo \(back) >&3
        for n in $(seq 100); do grep -q 'on: ' words && break; sleep 0.1; done
        timeout -s KILL 10 jack_lsp -c \(port) | tail -n 1
        kill -INT $first; wait $first; echo "status $?"
        exec 3>&-; wait $phones; kill -TERM $server; wait $server
        """, limit: 150)
  }

  @Test func `players continue by themselves when the headphones are back`() throws {
    let outcome = try unplug(
      """
      swiftlet: 1
      name: music
      nodes:
        song: { player: voice.wav, loop: forever }
        desk: { playback: stereo, connect: phones }
      wires: [ song -> desk ]
      """, untilReported: "in", looking: "music:desk_1")
    let words = scratch.text("words")
    #expect(
      outcome.output.contains("phones:left\nstatus 0\n"), "\(outcome.output) \(outcome.messages) \(words)")
    #expect(
      words.contains(/warning: 'song' paused: phones:.* was removed; playback continues when it is back\n/),
      "\(words)")
    #expect(words.contains("warning: 'song' goes on: phones:left and phones:right are back\n"), "\(words)")
  }

  //  Two devices are unplugged; the output to one moves to the card, so the players wait only for the other one
  @Test func `players do not wait for a device that was replaced`() throws {
    let outcome = try unplug(
      """
      swiftlet: 1
      name: music
      nodes:
        song: { player: voice.wav, loop: forever }
        desk: { playback: mono, connect: "phones:left" }
        cue: { playback: mono, connect: { first-of: [ "phones:right", "system:playback_1" ] } }
      wires: [ song -> desk, song -> cue ]
      """, untilReported: "in left", looking: "music:cue")
    let words = scratch.text("words")
    #expect(
      outcome.output.contains("system:playback_1\nstatus 0\n"),
      "\(outcome.output) \(outcome.messages) \(words)")
    #expect(words.contains("warning: 'song' goes on: phones:left is back\n"), "\(words)")
  }

  @Test func `a run that takes over the timebase from another program reports that`() throws {
    for name in ["first", "second"] {
      try scratch.write(
        """
        swiftlet: 1
        name: \(name)
        nodes: { desk: { playback: mono, connect: none } }
        timeline: { transport: lead, tempo: 90 bpm, tracks: { bed: [ { file: voice.wav } ] } }
        wires: [ bed -> desk ]
        """, to: "\(name).yaml")
    }
    let outcome = try swiftlet.shell(
      jackd
        + """
        swiftlet run first.yaml 2> first & first=$!
        for n in $(seq 300); do grep -q '^0:01' first && break; sleep 0.1; done
        swiftlet run second.yaml --for 0.2 2> second; echo "status $?"
        kill -INT $first; wait $first; echo "status $?"
        kill -TERM $server; wait $server
        """, limit: 100)
    #expect(outcome.output.contains("status 0\nstatus 0\n"), "\(outcome.output) \(outcome.messages)")
    #expect(
      scratch.text("second").contains(
        "warning: another program was the timebase source of the transport; 'second' has replaced it\n"),
      "\(scratch.text("second"))")
    #expect(!scratch.text("first").contains("timebase source of the transport"))
  }
}
