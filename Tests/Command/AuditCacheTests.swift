// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Cached results of audits, and how other commands use them.
@Suite(.timeLimit(.minutes(10))) struct AuditCacheTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try Scratch()
    swiftlet = .withPlugins(in: scratch)
  }

  @Test func `--all reuses the reports of unchanged plugins`() throws {
    try FaultyPlugin.sounding[3].plugin.build(in: scratch, swiftlet)
    try SmallPlugin(name: "good").build(in: scratch, swiftlet)
    let first = try swiftlet.run("audit", "--all", "-v")
    #expect(first.status == 0, "\(first)")
    #expect(first.output.contains("2 plugins audited: 1 has warnings, 1 has no findings"), "\(first)")
    #expect(first.messages.contains("1 of 2: <urn:test:good>"), "\(first)")
    let second = try swiftlet.run("audit", "--all", "-v")
    #expect(second.output == first.output)
    #expect(!second.messages.contains("1 of 2"), "\(second)")
    // With a changed library the plugin is audited again.
    try SmallPlugin(name: "good", run: "abort();").build(in: scratch, swiftlet)
    let third = try swiftlet.run("audit", "--all", "-v")
    #expect(third.status == 3, "\(third)")
    #expect(
      third.messages.contains("1 of 2: <urn:test:good>") && !third.messages.contains("2 of 2"), "\(third)")
  }

  @Test func `a plugin that crashed in an audit is isolated until it changes`() throws {
    let crash = try #require(FaultyPlugin.running.first { $0.plugin.name == "crash" })
    try crash.plugin.build(in: scratch, swiftlet)
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        mic:  { capture: mono, connect: none }
        bad:  { lv2: "urn:test:crash", set: { gain: 1 } }
        desk: { playback: mono, connect: none }
      wires: [ mic -> bad -> desk ]
      """, to: "m.yaml")
    let render = ["render", "m.yaml", "--for", "0.2", "--output", "o.wav", "--overwrite"]
    let before = try swiftlet.run(program: Command.path, render, limit: 60)
    #expect(before.status == 3 && before.messages.contains("crashed in run"), "\(before)")
    #expect(try swiftlet.run("audit", "crash.lv2").status == 3)
    let checked = try swiftlet.run("check", "m.yaml")
    #expect(checked.status == 0, "\(checked)")
    #expect(
      checked.messages.contains(
        "the plugin of 'bad' will run in a process of its own: its audit found a crash ("))
    let isolated = try swiftlet.run(program: Command.path, render, limit: 60)
    #expect(isolated.status == 4, "\(isolated)")
    #expect(isolated.messages.contains("--force runs it in this process"), "\(isolated)")
    let forced = try swiftlet.run(program: Command.path, render + ["--force"], limit: 60)
    #expect(forced.status == 3 && forced.messages.contains("crashed in run"), "\(forced)")
    // The list marks it, also in JSON.
    let listed = try swiftlet.run("list", "--plugins")
    #expect(listed.output.contains(/crash +\(crashes\) +urn:test:crash\n/), "\(listed)")
    #expect(listed.messages.contains("1 plugin crashed in 'swiftlet audit'"), "\(listed)")
    #expect(
      try swiftlet.run("list", "-v").messages.contains("urn:test:crash has crashed in its audit: it crashes"))
    func listedCrash() throws -> String? {
      let list = try JSONSerialization.jsonObject(with: Data(swiftlet.run("list", "--json").output.utf8))
      let items = (list as? [String: Any])?["items"] as? [[String: Any]]
      return try #require(items?.first { $0["id"] as? String == "urn:test:crash" })["crash"] as? String
    }
    #expect(try listedCrash()?.contains("signal 11") == true)
    // A plugin is identified by the contents of its files.
    _ = try swiftlet.shell("touch crash.lv2/crash.so")
    #expect(try listedCrash() != nil)
    let elsewhere = Command(
      environment: swiftlet.environment.merging(["LV2_PATH": scratch.path + "/other"]) { $1 },
      folder: scratch.path)
    _ = try swiftlet.shell("mkdir other && cp -r crash.lv2 other/crash.lv2")
    #expect(try elsewhere.run("list", "--plugins").output.contains("(crashes)"))
    try SmallPlugin(name: "crash", ports: SmallPlugin.control()).build(in: scratch, swiftlet)
    #expect(try listedCrash() == nil)
    let repaired = try swiftlet.run(program: Command.path, render, limit: 60)
    #expect(repaired.status == 0 && !repaired.messages.contains("--force"), "\(repaired)")
  }

  @Test func `check and render name a plugin whose sound depends on the block length`() throws {
    let plugin = try #require(FaultyPlugin.behaving.first { $0.check == "block-size" }).plugin
    try plugin.build(in: scratch, swiftlet)
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        mic:  { capture: mono, connect: none }
        p:    { lv2: "urn:test:length" }
        desk: { playback: mono, connect: none }
      wires: [ mic -> p -> desk ]
      """, to: "m.yaml")
    let commands = [
      ["check", "m.yaml"], ["render", "m.yaml", "--for", "0.1", "-o", "o.wav", "--overwrite"],
    ]
    let note = "according to its audit, the output of the plugin of 'p' depends on the block length"
    for isKnown in [false, true] {
      for command in commands {
        let outcome = try swiftlet.run(program: Command.path, command, limit: 60)
        #expect(outcome.status == 0)
        #expect(
          outcome.messages.split(separator: "\n").count { $0.contains(note) } == (isKnown ? 1 : 0),
          "\(outcome)")
      }
      #expect(try swiftlet.run("audit", "length.lv2", limit: 120).status == 0)
    }
  }
}
