// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// `swiftlet audit`, with a plugin for each finding.
@Suite(.timeLimit(.minutes(10))) struct AuditTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try Scratch()
    swiftlet = Command(
      environment: ["LV2_PATH": scratch.path, "XDG_CACHE_HOME": scratch.path + "/cache"], folder: scratch.path
    )
  }

  private struct Document: Decodable {
    struct Plugin: Decodable {
      var uri: String, name: String, verdict: String
      var findings: [Finding], measures: [Measure]
    }
    struct Finding: Decodable {
      var verdict: String, check: String, text: String
      var details: [String]
    }
    struct Measure: Decodable {
      var name: String, unit: String
      var value: Double
    }
    var format: Int, seed: String
    var plugins: [Plugin]
  }

  private func read(_ outcome: Command.Outcome) throws -> Document {
    try JSONDecoder().decode(Document.self, from: Data(outcome.output.utf8))
  }

  @Test(arguments: FaultyPlugin.all)
  func `each fault is found, and its gravity is the exit status`(_ faulty: FaultyPlugin) throws {
    try faulty.plugin.build(in: scratch, swiftlet)
    let outcome = try swiftlet.run("audit", "\(faulty.plugin.name).lv2", "--json", limit: 120)
    let plugin = try #require(try read(outcome).plugins.first)
    let found = plugin.findings.first { $0.check == faulty.check && $0.text.contains(faulty.text) }
    #expect(found?.verdict == faulty.verdict, "\(plugin.findings)")
    let hasFailed = plugin.findings.contains { $0.verdict == "fail" }
    #expect(outcome.status == (hasFailed ? 3 : 0), "\(outcome.messages)")
    #expect(plugin.verdict == "fail" || !hasFailed)
  }

  @Test func `every check in the documentation has a plugin that it finds`() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/audit.md")
    let listed = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").compactMap { line in
      line.hasPrefix("| `") && !line.hasPrefix("| `-") ? String(line.dropFirst(3).prefix { $0 != "`" }) : nil
    }
    #expect(Set(listed) == Set(FaultyPlugin.all.map(\.check)))
  }

  @Test func `a plugin without faults fails nothing, and its numbers are measured`() throws {
    let swiftlet = Command(environment: ["LV2_PATH": "/usr/lib/lv2"], folder: scratch.path)
    let outcome = try swiftlet.run("audit", "http://lv2plug.in/plugins/eg-amp", "--json")
    let plugin = try #require(try read(outcome).plugins.first)
    #expect(outcome.status == 0)
    // It has no smoothing.
    #expect(plugin.findings.map(\.check) == ["click"], "\(plugin.findings)")
    #expect(plugin.measures.first { $0.name == "latency-measured" }?.value == 0)
    #expect(plugin.measures.first { $0.name == "cost-mean" }?.value ?? 0 > 0)
  }

  @Test func `a stack is shown from the plugin's own function`() throws {
    try FaultyPlugin.running[0].plugin.build(in: scratch, swiftlet)
    let outcome = try swiftlet.run("audit", "urn:test:malloc", "--json")
    let finding = try #require(try read(outcome).plugins.first?.findings.first)
    let frame = try #require(finding.details.first)
    #expect(frame.contains("malloc.so") || frame.contains("malloc.c"), "\(finding.details)")
    #expect(
      !finding.details.contains { $0.contains("audit-host") || $0.contains("$s") }, "\(finding.details)")
  }

  @Test func `after a crash the steps behind it are taken, and the crash says where`() throws {
    let crash = try #require(FaultyPlugin.running.first { $0.plugin.name == "crash" })
    try crash.plugin.build(in: scratch, swiftlet)
    let outcome = try swiftlet.run("audit", "crash.lv2", "--json")
    let plugin = try #require(try read(outcome).plugins.first)
    let found = try #require(
      plugin.findings.first { $0.check == "crash" && $0.text.contains("'parameters'") })
    #expect(found.details.first == "during: run with 'gain' at its maximum 1.0", "\(found)")
    #expect(plugin.measures.contains { $0.name == "cost-mean" }, "\(plugin)")
  }

  @Test func `text from a plugin is escaped in the page`() throws {
    var plugin = SmallPlugin(name: "page")
    plugin.statements = "; lv2:requiredFeature <urn:x:script&%22>"
    try plugin.build(in: scratch, swiftlet)
    let script = "<script>alert(1)</script>"
    try FileManager.default.moveItem(
      atPath: "\(scratch.path)/page.lv2", toPath: "\(scratch.path)/<script>")
    let manifest = plugin.manifest.replacing("name> \"page\"", with: "name> \"\(script)&\"")
    try scratch.write(manifest, to: "<script>/manifest.ttl")
    for _ in 0..<2 {
      // The second time it replaces its own page.
      let outcome = try swiftlet.run("audit", "<script>", "--html", "report.html")
      #expect(outcome.status == 0, "\(outcome.messages)")
    }
    let page = scratch.text("report.html")
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;"), "\(page)")
    #expect(!page.contains("<script"), "\(page)")
    let broken = try swiftlet.run("audit", "<script>", "--html", "page.c")
    #expect(broken.status == 1 && broken.messages.contains("'page.c' is there"), "\(broken)")
  }

  @Test func `--all goes on with the reports of plugins that are the same`() throws {
    try FaultyPlugin.sounding[3].plugin.build(in: scratch, swiftlet)
    try SmallPlugin(name: "good").build(in: scratch, swiftlet)
    let first = try swiftlet.run("audit", "--all", "-v")
    #expect(first.status == 0, "\(first)")
    #expect(first.output.contains("2 plugins audited: 1 has warnings, 1 has no findings"), "\(first)")
    #expect(first.messages.contains("1 of 2: <urn:test:good>"), "\(first)")
    let second = try swiftlet.run("audit", "--all", "-v")
    #expect(second.output == first.output)
    #expect(!second.messages.contains("1 of 2"), "\(second)")
    // A changed library counts as another plugin.
    try SmallPlugin(name: "good", run: "abort();").build(in: scratch, swiftlet)
    let third = try swiftlet.run("audit", "--all", "-v")
    #expect(third.status == 3, "\(third)")
    #expect(
      third.messages.contains("1 of 2: <urn:test:good>") && !third.messages.contains("2 of 2"), "\(third)")
  }

  @Test func `a plugin that has crashed in an audit is isolated, until it is another`() throws {
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
      checked.messages.contains("the plugin of 'bad' will run in a process of its own, since the audit says"))
    let isolated = try swiftlet.run(program: Command.path, render, limit: 60)
    #expect(isolated.status == 4, "\(isolated)")
    #expect(isolated.messages.contains("--force lets it run in this one"), "\(isolated)")
    let forced = try swiftlet.run(program: Command.path, render + ["--force"], limit: 60)
    #expect(forced.status == 3 && forced.messages.contains("crashed in run"), "\(forced)")
    try SmallPlugin(name: "crash", ports: SmallPlugin.control()).build(in: scratch, swiftlet)
    let mended = try swiftlet.run(program: Command.path, render, limit: 60)
    #expect(mended.status == 0 && !mended.messages.contains("--force"), "\(mended)")
  }

  @Test func `what cannot be audited is refused with what to do`() throws {
    let unknown = try swiftlet.run("audit", "urn:test:nowhere")
    #expect(unknown.status == 1 && unknown.messages.contains("no LV2 plugin is called 'urn:test:nowhere'"))
    #expect(try swiftlet.run("audit").status == 2)
    #expect(try swiftlet.run("audit", "--all", "x").status == 2)
    try SmallPlugin(name: "good").build(in: scratch, swiftlet)
    let lost = Command(
      environment: swiftlet.environment.merging(["SWIFTLET_AUDIT_HOST": "/nowhere/host"]) { $1 },
      folder: scratch.path)
    let outcome = try lost.run("audit", "good.lv2")
    #expect(outcome.status == 1 && outcome.messages.contains("SWIFTLET_AUDIT_HOST"), "\(outcome)")
    try scratch.write("this is no Turtle", to: "good.lv2/manifest.ttl")
    let broken = try swiftlet.run("audit", "good.lv2")
    #expect(
      broken.status == 1 && broken.messages.contains("its manifest.ttl is not Turtle in line 1"), "\(broken)")
  }
}
