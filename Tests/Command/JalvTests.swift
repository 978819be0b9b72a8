// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// States that jalv loads from Swiftlet, and Swiftlet from jalv. Skipped if jalv is not installed, or if there is no
/// X server for saving states from jalv's window.
@Suite(
  .serialized, .timeLimit(.minutes(10)),
  .enabled("jalv is not installed") { FileManager.default.isExecutableFile(atPath: "/usr/bin/jalv") })
struct JalvTests {
  let scratch: Scratch
  let swiftlet: Command
  private static let sampler = "http://lv2plug.in/plugins/eg-sampler"
  private static let amplifier = "http://lv2plug.in/plugins/eg-amp"
  private static let hit = Signals.noise(3000, seed: 9)
  /// Whether windows can be opened and receive keys.
  private static var hasWindows: Bool {
    ["jalv.gtk3", "Xvfb", "xdotool"].allSatisfy {
      FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0)
    }
  }
  /// Starts a JACK server that ends with the script.
  private static let server = """
    export JACK_DEFAULT_SERVER=swiftlet-jalv-$$
    jackd -n $JACK_DEFAULT_SERVER -S -r -d dummy -p 256 > /dev/null 2>&1 & server=$!
    trap 'kill $server; wait $server' EXIT
    await() { for n in $(seq 200); do "$@" > /dev/null 2>&1 && return; sleep 0.05; done; return 1; }
    await timeout 5 jack_lsp

    """

  init() throws {
    scratch = try Scratch()
    swiftlet = .atHome(in: scratch)
    try Signals.write([Self.hit], to: scratch.path + "/hit.wav")
    try VoiceFixture.song("\(scratch.path)/song.mid")
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        keys: midi-in
        drum: { lv2: "\(Self.sampler)", set: { sample: hit.wav } }
        amp:  { lv2: "\(Self.amplifier)", set: { gain: -7.5 } }
        desk: playback
      wires: [ keys -> drum -> amp -> desk ]
      """, to: "drum.yaml")
    let saved = try swiftlet.run("state", "save", "drum.yaml", "-o", "ours")
    try #require(saved.status == 0, "\(saved.messages)")
    try FileManager.default.removeItem(atPath: scratch.path + "/hit.wav")
  }

  @Test func `jalv loads parameters saved by Swiftlet`() throws {
    let outcome = try swiftlet.shell(
      Self.server + """
        (sleep 1; echo controls; sleep 0.5) | jalv -x -n guest -l ours/amp 2>&1
        """, limit: 60)
    #expect(outcome.output.contains("gain = -7.500000"), "\(outcome)")
  }

  //  keys ──► out ══► jalv with eg-sampler ══► ear      (══► JACK connections)
  @Test func `jalv plays the file of a state saved by Swiftlet`() throws {
    try scratch.write(
      """
      swiftlet: 1
      name: ear
      nodes:
        keys: { midi-in: , connect: none }
        out:  { midi-out: , connect: "guest:control" }
        ear:  { capture: 1, connect: "guest:out" }
      wires: [ keys -> out ]
      taps: { ear: { after: ear, record: { file: ear.wav, format: 32-float } } }
      """, to: "ear.yaml")
    let outcome = try swiftlet.shell(
      Self.server + """
        sleep 20 | jalv -x -n guest -l ours/drum > jalv.log 2>&1 & guest=$!
        await sh -c 'jack_lsp | grep -q guest:out'
        swiftlet run ear.yaml --for 3 --play keys=song.mid; echo "status $?"
        """, limit: 60)
    #expect(outcome.output.contains("status 0"), "\(outcome) \(scratch.text("jalv.log"))")
    let heard = try #require(VoiceFixture.channel(0, of: 1, "\(scratch.path)/ear.wav"))
    let onset = try #require(heard.firstIndex { $0 != 0 }, "\(scratch.text("jalv.log"))")
    #expect((heard[onset...].prefix(2999).elementsEqual(Self.hit[..<2999])) as Bool)
  }

  @Test(.enabled("jalv.gtk3, Xvfb or xdotool is not installed") { hasWindows })
  func `Swiftlet loads a state that jalv has loaded and saved`() throws {
    let outcome = try swiftlet.shell(
      Self.server + """
        unset WAYLAND_DISPLAY
        Xvfb -displayfd 3 -screen 0 800x600x24 3> display > /dev/null 2>&1 & windows=$!
        trap 'kill $windows $server; wait $windows $server' EXIT
        await test -s display
        export DISPLAY=:$(cat display)
        save() {
          jalv.gtk3 -l ours/$1 > jalv-$1.log 2>&1 & guest=$!
          await xdotool search --name "$2"
          sleep 0.5; xdotool windowfocus $(xdotool search --name "$2" | tail -1); sleep 0.3; xdotool key ctrl+s
          await xdotool search --name Save
          sleep 0.5; xdotool windowfocus $(xdotool search --name Save | tail -1); sleep 0.3
          xdotool key ctrl+a; xdotool type "$PWD/theirs-$1"; sleep 0.3; xdotool key Return
          await test -s theirs-$1/state.ttl; sleep 0.3
          kill $guest; wait $guest
        }
        save drum Exampler
        save amp 'Simple Amplifier'
        true
        """, limit: 120)
    let logs = scratch.text("jalv-drum.log").split(separator: "\n").filter { !$0.contains("dconf") }
    try #require(
      scratch.names.contains("theirs-drum") && scratch.names.contains("theirs-amp"), "\(outcome) \(logs)")
    // jalv does not copy files: its folder has links to their former paths.
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        keys: midi-in
        drum: { lv2: "\(Self.sampler)", state: theirs-drum }
        amp:  { lv2: "\(Self.amplifier)", state: theirs-amp }
        desk: { playback: 1 }
      wires: [ keys -> drum -> amp -> desk ]
      """, to: "theirs.yaml")
    let shown = try swiftlet.run("state", "show", "theirs-drum")
    #expect(shown.status == 0 && shown.output.contains("hit.wav"), "\(shown)")
    let render = try swiftlet.run(
      "render", "theirs.yaml", "--no-record", "--input", "keys=song.mid", "-o", "out.wav")
    #expect(render.status == 0, "\(render.messages)")
    let heard = try #require(VoiceFixture.channel(0, of: 1, "\(scratch.path)/out.wav"))
    let gain = Float(pow(10, -7.5 / 20))
    #expect((zip(heard[24_000..<26_999], Self.hit).allSatisfy { abs($0 - $1 * gain) < 1e-6 }) as Bool)
  }
}
