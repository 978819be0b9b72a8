// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@Suite struct GraphTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try Scratch()
    swiftlet = Command(folder: scratch.path)
    try scratch.write(VoiceFixture.manifest, to: "voice.yaml")
  }

  @Test func `the picture names every node, wire and tap`() throws {
    let outcome = try swiftlet.run("graph", "voice.yaml", "--format", "dot")
    #expect(outcome.status == 0, "\(outcome.messages)")
    for text in [
      "<B>mic</B>", "<B>echo</B>", "<B>desk</B>", "n0 -> n1", "n1 -> n2", "dry", "{tap}-{take}.flac",
    ] {
      #expect(outcome.output.contains(text), "\(text) is missing")
    }
  }

  @Test func `an SVG replaces the existing file`() throws {
    try scratch.write("<svg>old", to: "voice.svg")
    #expect(try swiftlet.run("graph", "voice.yaml", "-o", "voice.svg").status == 0)
    #expect(scratch.text("voice.svg").contains("</svg>"))
    #expect(scratch.names == ["voice.svg", "voice.yaml"])
  }

  @Test func `the file name extension selects the format, and an unknown one is refused`() throws {
    #expect(try swiftlet.run("graph", "voice.yaml", "-o", "voice.DOT").status == 0)
    #expect(scratch.text("voice.DOT").hasPrefix("digraph"))
    let outcome = try swiftlet.run("graph", "voice.yaml", "-o", "voice.png")
    #expect(outcome.status == 2)
    #expect(outcome.messages.contains("no picture is written as .png"), "\(outcome.messages)")
    #expect(scratch.names == ["voice.DOT", "voice.yaml"])
    #expect(try swiftlet.run("graph", "voice.yaml", "--format", "plan", "-o", "./plan.txt").status == 0)
    #expect(try swiftlet.run("graph", "voice.yaml", "--format", "dot", "-o", "./plain").status == 0)
  }

  @Test func `the plan has a line for each step`() throws {
    let outcome = try swiftlet.run("graph", "voice.yaml", "--format", "plan")
    #expect(outcome.output.hasPrefix("plan: "))
    #expect(outcome.output.contains("\n  echo  "))
  }

  @Test func `without Graphviz the error names the package`() throws {
    var bare = swiftlet
    bare.environment = ["PATH": "/nonexistent"]
    let outcome = try bare.run("graph", "voice.yaml")
    #expect(outcome.status == 1)
    #expect(outcome.messages.contains("apt install graphviz"))
  }

  @Test func `a missing folder is an error`() throws {
    let outcome = try swiftlet.run("graph", "voice.yaml", "--format", "dot", "-o", "nowhere/x.dot")
    #expect(outcome.status == 1)
    #expect(
      outcome.messages
        == "swiftlet: error: 'nowhere/x.dot' cannot be written: No such file or directory\n")
  }

  @Test func `the benchmark reports each node and its share`() throws {
    let outcome = try swiftlet.run("bench", "voice.yaml", "--for", "0.1", "--json")
    #expect(outcome.status == 0, "\(outcome.messages)")
    let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    #expect(json?["format"] as? Int == 1)
    let nodes = json?["nodes"] as? [[String: Any]]
    #expect(nodes?.map { $0["name"] as? String } == ["echo"])
    let own = nodes?.first?["seconds"] as? Double ?? 0, all = json?["seconds"] as? Double ?? 0
    #expect(own > 0 && own < all)
    #expect(nodes?.first?["worstSeconds"] as? Double ?? 0 >= own)
    #expect(json?["ratio"] is NSNull, "there is no plugin to compare with")
  }

  @Test func `the benchmark compares plugins with bare calls of run`() throws {
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        mic: capture
        amp: { lv2: "http://lv2plug.in/plugins/eg-amp" }
        desk: { playback: mono }
      wires:
        - mic -> amp -> desk
      """, to: "amp.yaml")
    let outcome = try swiftlet.run("bench", "amp.yaml", "--for", "0.1")
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(
      outcome.output.contains(#/\n  amp +Simple Amplifier +[\d.]+ µs +[\d.]+ µs +[\d.]+ µs +[\d.]+\n/#),
      "\(outcome.output)")
  }
}
