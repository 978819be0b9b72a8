// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// `swiftlet state`: state folders for plugins, in Swiftlet and in other hosts.
@Suite(.serialized, .timeLimit(.minutes(10))) struct StateCommandTests {
  let scratch: Scratch
  let swiftlet: Command
  static let params = "http://lv2plug.in/plugins/eg-params"
  static let sampler = "http://lv2plug.in/plugins/eg-sampler"
  static let amplifier = "http://lv2plug.in/plugins/eg-amp"

  init() throws {
    scratch = try Scratch()
    swiftlet = .atHome(in: scratch)
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/sounds", withIntermediateDirectories: true)
    try Signals.write([Signals.noise(3000, seed: 9)], to: scratch.path + "/sounds/a hit.wav")
    try VoiceFixture.song("\(scratch.path)/song.mid")
    try scratch.write(
      """
      # A drum that is made louder.
      swiftlet: 1
      nodes:
        keys: { midi-in: , connect: none }
        drum:
          # Found in the attic.
          lv2: "\(Self.sampler)"
          set: { sample: sounds/a hit.wav }
        amp:  { lv2: "\(Self.amplifier)", set: { gain: -6 dB } }  # not too loud
        desk: { playback: 1, connect: none }
      wires:
        - keys -> drum -> amp -> desk   # the way
      """, to: "drum.yaml")
  }

  private func names(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/\(folder)")) ?? []).sorted()
  }

  @Test func `the state of all plugins is saved, shown, moved and loaded`() throws {
    let saved = try swiftlet.run("state", "save", "drum.yaml", "--set", "amp.gain=-12", "-o", "kept")
    #expect(saved.status == 0, "\(saved.messages)")
    #expect(names("kept") == ["amp", "drum"] && names(".") == ["drum.yaml", "kept", "song.mid", "sounds"])
    #expect(names("kept/drum") == ["a hit.wav", "manifest.ttl", "state.ttl"])
    try FileManager.default.moveItem(atPath: scratch.path + "/kept", toPath: scratch.path + "/moved")
    try FileManager.default.removeItem(atPath: scratch.path + "/sounds")

    let shown = try swiftlet.run("state", "show", "moved")
    #expect(shown.status == 0, "\(shown.messages)")
    #expect(shown.output.contains("amp: a state of <\(Self.amplifier)>\n  gain  -12.0\n"), "\(shown.output)")
    #expect(shown.output.contains("sample  a hit.wav  path\n"), "\(shown.output)")
    let object = try JSONSerialization.jsonObject(
      with: Data(try swiftlet.run("state", "show", "moved/drum", "--json").output.utf8))
    let states = try #require((object as? [String: Any])?["states"] as? [[String: Any]])
    #expect(states[0]["plugin"] as? String == Self.sampler)

    let first = try swiftlet.run("state", "load", "moved/drum", "--into", "drum.yaml", "-o", "one.yaml")
    // The file that the manifest names is missing, which is reported.
    #expect(first.status == 1 && first.messages.contains("one.yaml:9:"), "\(first.messages)")
    let text = scratch.text("drum.yaml").replacing("    set: { sample: sounds/a hit.wav }\n", with: "")
      .replacing(", set: { gain: -6 dB }", with: "")
    try scratch.write(text, to: "drum.yaml")
    let second = try swiftlet.run("state", "load", "moved/drum", "--into", "drum.yaml", "-o", "one.yaml")
    #expect(second.status == 0, "\(second.messages)")
    let third = try swiftlet.shell("swiftlet state load moved/amp --into one.yaml > two.yaml")
    #expect(third.status == 0, "\(third.messages)")
    #expect(
      scratch.text("two.yaml")
        == text.replacing("    lv2: \"", with: "    state: moved/drum/\n    lv2: \"")
        .replacing("amp:  {", with: "amp:  { state: moved/amp/,"))

    let outcome = try swiftlet.run(
      "render", "two.yaml", "--no-record", "--input", "keys=song.mid", "-o", "out.wav")
    #expect(outcome.status == 0, "\(outcome.messages)")
    let heard = try #require(VoiceFixture.channel(0, of: 1, "\(scratch.path)/out.wav"))
    let hit = Signals.noise(3000, seed: 9), gain = Float(pow(10, -12.0 / 20))
    #expect((zip(heard[24_000..<26_999], hit).allSatisfy { abs($0 - $1 * gain) < 1e-6 }) as Bool)
  }

  @Test func `an isolated plugin has the same state as one that is not`() throws {
    #expect(try swiftlet.run("state", "save", "drum.yaml", "-o", "plain").status == 0)
    let isolated = try swiftlet.run("state", "save", "drum.yaml", "--isolate", "all", "-o", "isolated")
    #expect(isolated.status == 0, "\(isolated.messages)")
    for node in ["drum", "amp"] {
      #expect(names("isolated/\(node)") == names("plain/\(node)"))
      #expect(scratch.text("isolated/\(node)/state.ttl") == scratch.text("plain/\(node)/state.ttl"))
    }
  }

  @Test func `a state replaces only another state, and only on request`() throws {
    #expect(try swiftlet.run("state", "save", "drum.yaml", "--node", "amp", "-o", "kept/").status == 0)
    #expect(names("kept") == ["manifest.ttl", "state.ttl"])
    let before = scratch.text("kept/state.ttl")
    let again = try swiftlet.run(
      "state", "save", "drum.yaml", "--node", "amp", "--set", "amp.gain=3", "-o", "kept")
    #expect(again.status == 1)
    #expect(
      again.messages == "swiftlet: error: 'kept' is there already; choose another name, or use --overwrite\n")
    #expect(scratch.text("kept/state.ttl") == before)
    let over = try swiftlet.run(
      "state", "save", "drum.yaml", "--node", "amp", "--set", "amp.gain=3", "-o", "kept", "--overwrite")
    #expect(over.status == 0, "\(over.messages)")
    #expect(scratch.text("kept/state.ttl").contains("\"3.0\"^^xsd:float"))
    let other = try swiftlet.run(
      "state", "save", "drum.yaml", "--node", "amp", "-o", "sounds", "--overwrite")
    #expect(other.status == 1 && names("sounds") == ["a hit.wav"], "\(other.messages)")
    #expect(other.messages.contains("'sounds' holds no state of a plugin and is not replaced"))
    try scratch.write("mine", to: "kept/take.wav")
    let more = try swiftlet.run(
      "state", "save", "drum.yaml", "--node", "amp", "-o", "kept", "--overwrite")
    #expect(
      more.status == 1 && names("kept") == ["manifest.ttl", "state.ttl", "take.wav"], "\(more.messages)")
    #expect(more.messages.contains("'kept' holds more than states, such as 'take.wav', and is not replaced"))
    let unknown = try swiftlet.run("state", "save", "drum.yaml", "--node", "keys", "-o", "new")
    #expect(unknown.status == 2)
    #expect(
      unknown.messages.contains("'--node keys' names no node with an LV2 plugin; there are drum, amp"),
      "\(unknown.messages)")
    #expect(names(".").filter { $0.contains("swiftlet-") || $0 == "new" } == [])
  }

  @Test(arguments: [
    ("amp: { lv2: \"URI\" }", "amp: { state: kept/, lv2: \"URI\" }"),
    ("amp: {lv2: \"URI\", bypass: true}", "amp: { state: kept/,lv2: \"URI\", bypass: true}"),
    ("amp:\n    lv2: \"URI\"", "amp:\n    state: kept/\n    lv2: \"URI\""),
    (
      "amp:\n    state: old/ # as it was\n    lv2: \"URI\"",
      "amp:\n    state: kept/ # as it was\n    lv2: \"URI\""
    ),
    ("amp: { lv2: \"URI\", state: \"o\\\"ld\" }", "amp: { lv2: \"URI\", state: kept/ }"),
    ("\"amp\" : { lv2: 'URI', 'state': 'o''ld' }", "\"amp\" : { lv2: 'URI', 'state': kept/ }"),
  ])
  func `the key is inserted into a node of any layout`(before: String, after: String) throws {
    func manifest(_ node: String) -> String {
      """
      swiftlet: 1 # é
      nodes:
        mic: capture
        # ü { }
        \(node.replacing("URI", with: Self.amplifier)) # end
        desk: playback
      wires: [ mic -> amp -> desk ]
      """
    }
    #expect(try swiftlet.run("state", "save", "drum.yaml", "--node", "amp", "-o", "kept").status == 0)
    try scratch.write(manifest(before), to: "shape.yaml")
    let outcome = try swiftlet.run("state", "load", "kept", "--into", "shape.yaml")
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.output == manifest(after))
  }

  @Test func `a node that cannot be edited and an unsuitable state are errors with a position`() throws {
    #expect(try swiftlet.run("state", "save", "drum.yaml", "-o", "kept").status == 0)
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        mic: capture
        amp: &amp { lv2: "\(Self.amplifier)" }
        two: *amp
      """, to: "alias.yaml")
    let alias = try swiftlet.run("state", "load", "kept/amp", "--into", "alias.yaml", "--node", "two")
    #expect(alias.status == 1)
    #expect(
      alias.messages.hasPrefix("alias.yaml:4:") && alias.messages.contains("add 'state: kept/amp/' by hand"),
      "\(alias.messages)")
    let misfit = try swiftlet.run("state", "load", "kept/amp", "--into", "drum.yaml", "--node", "drum")
    #expect(misfit.status == 1)
    #expect(
      misfit.messages.contains("drum.yaml:7:") && misfit.messages.contains("it is a state of the plugin"),
      "\(misfit.messages)")
    let several = try swiftlet.run("state", "load", "kept", "--into", "drum.yaml")
    #expect(several.status == 1 && several.messages.contains("name the folder of one, such as 'kept/amp'"))
    let missing = try swiftlet.run("state", "show", "nowhere")
    #expect(
      missing.messages
        == "swiftlet: error: 'nowhere' is not there; expected a folder with the state of a plugin\n")
    try FileManager.default.removeItem(atPath: scratch.path + "/kept/drum/a hit.wav")
    let torn = try swiftlet.run("state", "show", "kept/drum")
    #expect(
      torn.status == 1 && torn.messages.contains("'kept/drum' names the file 'a hit.wav', which is not there")
    )
  }
}
