// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Plugins that cannot be used, as the command line tells of them.
@Suite struct PluginTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try Scratch()
    swiftlet = Command(environment: ["LV2_PATH": scratch.path], folder: scratch.path)
    try FileManager.default.createDirectory(
      atPath: "\(scratch.path)/odd.lv2", withIntermediateDirectories: true)
    let description = """
      @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
      @prefix doap: <http://usefulinc.com/ns/doap#> .
      <urn:test:gone> a lv2:Plugin ; lv2:binary <gone.so> ; doap:name "Gone" ; lv2:port PORTS .
      <urn:test:picky> a lv2:Plugin ; lv2:binary <gone.so> ; doap:name "Picky" ;
        lv2:requiredFeature <urn:test:telepathy> ; lv2:port PORTS .
      """
    let ports = """
      [ a lv2:AudioPort, lv2:InputPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
      [ a lv2:AudioPort, lv2:OutputPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ]
      """
    try scratch.write(description.replacing("PORTS", with: ports), to: "odd.lv2/manifest.ttl")
  }

  private func manifest(_ uri: String) throws {
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        mic: capture
        odd: { lv2: "\(uri)" }
        desk: playback
      wires: [ mic -> odd -> desk ]
      """, to: "odd.yaml")
  }

  @Test func `a plugin whose library is gone ends with 3, with its place in the manifest`() throws {
    try manifest("urn:test:gone")
    let outcome = try swiftlet.run("render", "odd.yaml", "--for", "1", "--output", "desk=out.wav")
    #expect(outcome.status == 3)
    #expect(
      outcome.messages.hasPrefix(
        "odd.yaml:4:3: error: the library of the plugin <urn:test:gone> cannot be loaded: "),
      "\(outcome.messages)")
    #expect(outcome.messages.filter { $0 == "\n" }.count == 1)
    #expect(!scratch.names.contains("out.wav"))
  }

  @Test func `a plugin that asks for what we lack is refused by the feature's name`() throws {
    try manifest("urn:test:picky")
    let outcome = try swiftlet.run("check", "odd.yaml")
    #expect(outcome.status == 1)
    #expect(outcome.messages.contains("odd.yaml:4:15: error: "), "\(outcome.messages)")
    #expect(outcome.messages.contains("urn:test:telepathy"))
  }

  @Test func `the list leaves out what cannot be used, and says why when asked`() throws {
    let outcome = try swiftlet.run("list", "--plugins")
    #expect(outcome.output == "lv2  Gone  urn:test:gone\n", "\(outcome.output)")
    #expect(
      outcome.messages == "1 plugin cannot be used here and is left out; 'swiftlet list -v' says why\n")
    #expect(try swiftlet.run("list", "-v").messages.contains("urn:test:telepathy"))
    #expect(try swiftlet.run("show", "urn:test:picky").output.contains("It cannot be used here: "))
  }

  @Test func `a mistyped URI is answered with the nearest`() throws {
    try manifest("urn:test:gome")
    #expect(try swiftlet.run("check", "odd.yaml").messages.contains("did you mean 'urn:test:gone'?"))
  }
}
