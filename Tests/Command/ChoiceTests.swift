// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Connections that a manifest lists in order of preference, while other programs start and end.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ChoiceTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try Scratch()
    var command = Command(folder: scratch.path)
    command.environment = ["XDG_RUNTIME_DIR": scratch.path]
    swiftlet = command
    for name in ["phones", "speaker", "recorder"] {
      try scratch.write(
        "swiftlet: 1\nname: \(name)\nnodes: { in: { capture: stereo, connect: none } }\n", to: "\(name).yaml")
    }
    try scratch.write(
      """
      swiftlet: 1
      name: song
      session: { ports: [ phones, /speaker:.*/ ] }
      nodes:
        tone: { effect: generator }
        desk: { playback: stereo, connect: { first-of: [ recorder, phones, speaker ] } }
      wires: [ tone -> desk ]
      """, to: "song.yaml")
  }

  //  song ──► phones while they exist, otherwise speaker; the recorder is not among the session's ports
  @Test func `sound goes to the preferred port that exists and is permitted, as jack_lsp shows`() throws {
    let outcome = try swiftlet.shell(
      """
      export JACK_DEFAULT_SERVER=swiftlet-choice-$$
      jackd -n $JACK_DEFAULT_SERVER --port-max 256 -S -r -d dummy > /dev/null 2>&1 & server=$!
      for n in $(seq 300); do timeout -s KILL 10 jack_lsp > /dev/null 2>&1 && break; sleep 0.1; done
      seen() { timeout -s KILL 10 jack_lsp -c song:desk | tr -d '\\n' | tr -s ' '; }
      expects() { for n in $(seq 300); do [ "$(seen)" = "$1" ] && break; sleep 0.1; done; seen; echo; }
      swiftlet run recorder.yaml -q & recorder=$!
      swiftlet run speaker.yaml -q & speaker=$!
      swiftlet run song.yaml 2> words & song=$!
      expects "song:desk_1 speaker:in_1song:desk_2 speaker:in_2"
      for n in 1 2; do
        swiftlet run phones.yaml -q & phones=$!
        expects "song:desk_1 phones:in_1song:desk_2 phones:in_2"
        kill -INT $phones; wait $phones
        expects "song:desk_1 speaker:in_1song:desk_2 speaker:in_2"
      done
      for one in $song $speaker $recorder; do kill -INT $one; wait $one; done; echo "status $?"
      kill -TERM $server; wait $server
      """, limit: 200)
    let speaker = "song:desk_1 speaker:in_1song:desk_2 speaker:in_2"
    let phones = "song:desk_1 phones:in_1song:desk_2 phones:in_2"
    let words = scratch.text("words")
    #expect(
      outcome.output.split(separator: "\n").map(String.init)
        == [speaker, phones, speaker, phones, speaker, "status 0"], "\(outcome.messages) \(words)")
    #expect(words.contains("'desk' is connected to phones:in_1 and phones:in_2 now"), "\(words)")
    #expect(!words.contains("did not connect"), "\(words)")
  }
}
