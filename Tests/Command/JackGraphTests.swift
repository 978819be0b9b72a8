// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// A changing JACK graph: the server is killed and restarted, headphones are unplugged.
@Suite(.serialized, .timeLimit(.minutes(10))) struct JackGraphTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try VoiceFixture.scratch()
    swiftlet = Command(folder: scratch.path)
  }

  /// Shell functions to start and restart a server without a guard.
  static let mortal = """
    name=swiftlet-mortal-$$
    server() {
      # Eight may run on a machine: one more ends at once, and is started again when there is room.
      for try in $(seq 30); do
        jackd -n $name --port-max 256 -S -r -d dummy -C 2 -P 2 > /dev/null 2>&1 & server=$!
        for n in $(seq 300); do
          kill -0 $server 2> /dev/null || break
          timeout -s KILL 10 jack_lsp -s $name > /dev/null 2>&1 && return
          sleep 0.1
        done
        sleep 1
      done
    }
    # Has ear.yaml record what it hears.
    listen() {
      export JACK_DEFAULT_SERVER=$name
      swiftlet run ear.yaml -q > ear 2>&1 & ear=$!
      for n in $(seq 300); do timeout -s KILL 10 jack_lsp -s $name | grep -q ear:in_2 && break; sleep 0.1; done
      sleep 0.5
    }
    told() { for n in $(seq 600); do grep -q "$1" words && break; sleep 0.1; done; }

    """

  /// Writes ear.yaml, the manifest of another process that records two ports into heard.wav.
  func writeEar(hearing left: String, _ right: String) throws {
    try scratch.write(
      """
      swiftlet: 1
      name: ear
      nodes: { in: { capture: stereo, connect: [ "\(left)", "\(right)" ] } }
      taps: { in: { after: in, record: { file: heard.wav, format: 32-float } } }
      """, to: "ear.yaml")
  }

  @Test(arguments: [false, true])
  func `a run returns to a restarted server unless it has --end-with-server`(endsWithServer: Bool) throws {
    try VoiceFixture.sine("\(scratch.path)/song.wav", seconds: 20)
    let manifest = URL(filePath: #filePath).appending(path: "../../../Examples/Comeback/comeback.yaml")
    try FileManager.default.copyItem(
      atPath: manifest.standardized.path, toPath: "\(scratch.path)/comeback.yaml")
    let option = endsWithServer ? "--no-reconnect" : ""
    let outcome = try swiftlet.shell(
      Self.mortal
        + """
        server
        swiftlet run comeback.yaml --server $name --for 4 \(option) 2> words & first=$!
        told '^0:01'
        kill -KILL $server
        told 'has ended'
        server
        wait $first; echo "status $?"
        kill -TERM $server; wait $server
        """, limit: 150)
    let words = scratch.text("words")
    let status = endsWithServer ? "status 3\n" : "status 4\n"
    #expect(outcome.output.contains(status), "\(outcome.output) \(words)")
    let isBack = words.contains("back on the JACK server: playback continues at the same position")
    #expect(isBack != endsWithServer, "\(words)")
    let length = try VoiceFixture.stat("\(scratch.path)/song-001.wav", "Length") ?? 0
    #expect(endsWithServer ? length > 0.3 : length > 3.8, "\(length)")
  }

  @Test func `the example Comeback plays and records on after a server restart`() throws {
    try VoiceFixture.sine("\(scratch.path)/song.wav", seconds: 20)
    let outcome = try swiftlet.shell(
      Self.mortal
        + """
        server
        export JACK_DEFAULT_SERVER=$name
        Comeback song.wav 4 > words & first=$!
        for n in $(seq 300); do timeout -s KILL 10 jack_lsp -s $name | grep -q comeback:main-output_1 && break; sleep 0.1; done
        sleep 1
        kill -KILL $server
        sleep 1
        server
        wait $first; echo "status $?"
        kill -TERM $server; wait $server
        """, limit: 150)
    let words = scratch.text("words")
    #expect(outcome.output.contains("status 0\n"), "\(outcome.output) \(outcome.messages)")
    #expect(words.contains("ended: plays on"), "\(words)")
    #expect(words.contains("takes/song-001.wav: 1024 frames lost at frame"), "\(words)")
  }

  /// Headphones: a client with physical ports, which each signal unplugs or plugs in.
  private static let headphones = """
    #include <jack/jack.h>
    #include <signal.h>
    int main(void) {
      static const char *names[] = {"left", "right"};
      jack_port_t *ports[2];
      sigset_t set;
      int signal;
      sigemptyset(&set);
      sigaddset(&set, SIGUSR1);
      sigprocmask(SIG_BLOCK, &set, 0);
      jack_client_t *client = jack_client_open("headphones", JackNoStartServer, 0);
      if (!client || jack_activate(client)) return 1;
      for (;;) {
        for (int i = 0; i < 2; i++)
          ports[i] = jack_port_register(client, names[i], JACK_DEFAULT_AUDIO_TYPE,
            JackPortIsInput | JackPortIsPhysical | JackPortIsTerminal, 0);
        sigwait(&set, &signal);
        for (int i = 0; i < 2; i++) jack_port_unregister(client, ports[i]);
        sigwait(&set, &signal);
      }
    }
    """

  @Test(arguments: [
    ("Unplugged song.wav 4", "main-output"), ("swiftlet run unplugged.yaml --for 4 -v", "desk"),
  ])
  func `unplugged headphones pause playback, which continues when they are back`(
    line: String, port: String
  ) throws {
    let song = KnownNoise(count: 47_123, seed: 12)
    try song.write("song.wav", in: swiftlet)
    try writeEar(hearing: "unplugged:\(port)_1", "unplugged:\(port)_2")
    let manifest = URL(filePath: #filePath).appending(path: "../../../Examples/Unplugged/unplugged.yaml")
    try FileManager.default.copyItem(
      atPath: manifest.standardized.path, toPath: "\(scratch.path)/unplugged.yaml")
    try scratch.write(Self.headphones, to: "headphones.c")
    let outcome = try swiftlet.shell(
      Self.mortal
        + """
        cc -o headphones headphones.c -ljack || exit 9
        server
        export JACK_DEFAULT_SERVER=$name
        listen
        ./headphones & headphones=$!
        for n in $(seq 300); do timeout -s KILL 10 jack_lsp -s $name | grep -q headphones:right && break; sleep 0.1; done
        \(line) > words 2>&1 & first=$!
        for n in $(seq 300); do timeout -s KILL 10 jack_lsp -s $name -c headphones:left | grep -q unplugged && break; sleep 0.1; done
        sleep 0.5
        kill -USR1 $headphones; sleep 0.5; kill -USR1 $headphones
        wait $first; echo "status $?"
        kill -INT $ear; wait $ear; echo "ear $?"
        kill -TERM $headphones; wait $headphones
        kill -TERM $server; wait $server
        """, limit: 150)
    let words = scratch.text("words")
    #expect(outcome.output.contains("status 0\near 0\n"), "\(outcome.output) \(outcome.messages) \(words)")
    try judgePause(try #require(VoiceFixture.channel(0, of: 2, "\(scratch.path)/heard.wav")), of: song)
    if line.hasPrefix("Unplugged") {
      #expect(
        words.contains("song paused; it was heard on [\"headphones:left\", \"headphones:right\"]\n"),
        "\(words)")
      #expect(words.contains("[\"song\"] goes on, heard on [\"headphones:left\""), "\(words)")
    } else {
      // The run is unattended, without keys.
      let ports = "headphones:left and headphones:right"
      #expect(
        words.contains("'song' paused: \(ports) was removed; playback continues when it is back"), "\(words)")
      #expect(words.contains("'song' goes on: \(ports) are back"), "\(words)")
    }
  }
}
