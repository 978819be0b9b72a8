// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// `swiftlet preset`: user presets, which lilv's tools and jalv find, too.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PresetCommandTests {
  let scratch: Scratch
  let swiftlet: Command
  private static let sampler = "http://lv2plug.in/plugins/eg-sampler"
  private static let amplifier = "http://lv2plug.in/plugins/eg-amp"
  private static let hit = Signals.noise(3000, seed: 9)

  init() throws {
    scratch = try Scratch()
    swiftlet = .atHome(in: scratch)
    try Signals.write([Self.hit], to: scratch.path + "/hit.wav")
    try VoiceFixture.song("\(scratch.path)/song.mid")
    try write("set: { gain: -7.5 }")
  }

  private func write(_ amplifier: String, _ sampler: String = "set: { sample: hit.wav }") throws {
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        keys: midi-in
        drum: { lv2: "\(Self.sampler)", \(sampler) }
        amp:  { lv2: "\(Self.amplifier)", \(amplifier) }
        desk: { playback: 1 }
      wires: [ keys -> drum -> amp -> desk ]
      """, to: "drum.yaml")
  }

  private func save(_ label: String, node: String = "amp", _ more: String...) throws -> Command.Outcome {
    try swiftlet.run(
      program: Command.path, ["preset", "save", "drum.yaml", label, "--node", node] + more, limit: 30)
  }

  private var bundles: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: scratch.path + "/.lv2")) ?? []).sorted()
  }

  /// Returns the level of a render in dB relative to the sampler's file.
  private func gain() throws -> Double {
    let render = try swiftlet.run(
      "render", "drum.yaml", "--no-record", "--input", "keys=song.mid", "-o", "out.wav", "--overwrite")
    #expect(render.status == 0, "\(render.messages)")
    let heard = try #require(VoiceFixture.channel(0, of: 1, "\(scratch.path)/out.wav"))
    return 20 * log10(Double(heard[24_500] / Self.hit[500]))
  }

  @Test func `a preset is saved, found by lv2info, selected by four kinds of name, renamed and deleted`()
    throws
  {
    let first = try save("Löud \"one\"", "--bank", "My bank")
    #expect(first.status == 0, "\(first.messages)")
    #expect(try save("Soft", "--set", "amp.gain=-20", "--bank", "My bank").status == 0)
    #expect(try save("A third", "--set", "amp.gain=-30").status == 0)
    #expect(
      bundles == [
        "Simple_Amplifier_A_third.preset.lv2", "Simple_Amplifier_L_ud__one_.preset.lv2",
        "Simple_Amplifier_Soft.preset.lv2",
      ])
    let seen = try swiftlet.run(program: "/usr/bin/lv2info", [Self.amplifier], limit: 20)
    for label in ["Löud \"one\"", "Soft", "A third"] { #expect(seen.output.contains(label), "\(seen)") }
    let list = try swiftlet.run("preset", "list", Self.amplifier)
    let rows = list.output.split(separator: "\n").map {
      $0.split(separator: " ", omittingEmptySubsequences: true)
    }
    #expect(rows.count == 3 && rows.allSatisfy { $0.contains("yours") }, "\(list)")
    let uri = "file://\(scratch.path)/.lv2/Simple_Amplifier_Soft.preset.lv2/state.ttl"
    for (name, level) in [
      ("Soft", -20), ("'\(uri)'", -20), ("My bank/1", -7.5), ("My bank/2", -20), ("1", -30), ("3", -20),
      ("'Löud \"one\"'", -7.5),
    ] {
      try write("preset: \(name)")
      #expect(try abs(gain() - level) < 0.01, "\(name)")
    }
    try write("preset: My bank/3")
    #expect(try swiftlet.run("check", "drum.yaml").status == 1)

    let renamed = try swiftlet.run("preset", "rename", Self.amplifier, "Löud \"one\"", "Louder")
    #expect(renamed.status == 0, "\(renamed.messages)")
    let again = try swiftlet.run(program: "/usr/bin/lv2info", [Self.amplifier], limit: 20)
    #expect(again.output.contains("Louder") && !again.output.contains("Löud"), "\(again)")
    try write("preset: Louder")
    #expect(try abs(gain() + 7.5) < 0.01)
    try scratch.write("mine", to: ".lv2/Simple_Amplifier_Soft.preset.lv2/notes.txt")
    for name in ["Louder", "My bank/1"] {
      let deleted = try swiftlet.run("preset", "delete", Self.amplifier, name)
      #expect(deleted.status == 0, "\(deleted.messages)")
    }
    // Files that do not belong to the preset stay.
    #expect(
      bundles == ["Simple_Amplifier_A_third.preset.lv2", "Simple_Amplifier_Soft.preset.lv2"], "\(bundles)")
    #expect(scratch.text(".lv2/Simple_Amplifier_Soft.preset.lv2/notes.txt") == "mine")
    let last = try swiftlet.run(program: "/usr/bin/lv2info", [Self.amplifier], limit: 20)
    #expect(last.output.contains("A third") && !last.output.contains("Soft"), "\(last)")
  }

  @Test func `a preset contains its files, and replaces another only on request`() throws {
    #expect(try save("Hit", node: "drum").status == 0)
    try FileManager.default.removeItem(atPath: scratch.path + "/hit.wav")
    try write("set: { gain: 0 }", "preset: Hit")
    #expect(try abs(gain()) < 0.01)
    let taken = try save("Hit", node: "drum")
    #expect(taken.status == 1 && taken.messages.contains("use --overwrite"), "\(taken.messages)")
    #expect(try save("Hit", node: "drum", "--set", "drum.gain=-6dB", "--overwrite").status == 0)
    #expect(bundles.count == 1)
    #expect(try abs(gain() + 6) < 0.01)
    let several = try swiftlet.run("preset", "save", "drum.yaml", "Other")
    #expect(several.status == 2 && several.messages.contains("drum, amp; select one with --node"))
    let unknown = try swiftlet.run("preset", "delete", Self.sampler, "Hut")
    #expect(unknown.status == 1 && unknown.messages.contains("has no preset 'Hut'"), "\(unknown.messages)")
    // A preset from the plugin's package.
    let plugin = "http://drobilla.net/plugins/mda/EPiano"
    let kept = try swiftlet.run("preset", "delete", plugin, "1")
    #expect(kept.status == 1 && kept.messages.contains("is not a user preset"), "\(kept.messages)")
  }

  @Test(.enabled("jalv is not installed") { FileManager.default.isExecutableFile(atPath: "/usr/bin/jalv") })
  func `jalv lists and applies a preset saved by Swiftlet`() throws {
    #expect(try save("Quiet").status == 0)
    let uri = "file://\(scratch.path)/.lv2/Simple_Amplifier_Quiet.preset.lv2/state.ttl"
    let outcome = try swiftlet.shell(
      """
      export JACK_DEFAULT_SERVER=swiftlet-preset-$$
      jackd -n $JACK_DEFAULT_SERVER -S -r -d dummy -p 256 > /dev/null 2>&1 & server=$!
      for n in $(seq 200); do timeout 5 jack_lsp > /dev/null 2>&1 && break; sleep 0.05; done
      (sleep 1; echo presets; sleep 0.3; echo "preset \(uri)"; sleep 0.5; echo controls; sleep 0.3) |
        jalv -x -n guest \(Self.amplifier) 2>&1
      kill $server; wait $server
      """, limit: 60)
    #expect(outcome.output.contains("(Quiet)") || outcome.output.contains("Quiet"), "\(outcome)")
    #expect(outcome.output.contains("gain = -7.500000"), "\(outcome)")
  }
}
