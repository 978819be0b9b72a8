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
    swiftlet = .withPlugins(in: scratch)
  }

  struct Document: Decodable {
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
    var format: Int, seed: String, thorough: Bool
    var plugins: [Plugin]
  }

  static func read(_ outcome: Command.Outcome) throws -> Document {
    try JSONDecoder().decode(Document.self, from: Data(outcome.output.utf8))
  }

  @Test(arguments: FaultyPlugin.all)
  func `each fault is found, and its verdict determines the exit status`(_ faulty: FaultyPlugin) throws {
    try faulty.plugin.build(in: scratch, swiftlet)
    let outcome = try swiftlet.run("audit", "\(faulty.plugin.name).lv2", "--json", limit: 120)
    let plugin = try #require(try Self.read(outcome).plugins.first)
    let found = plugin.findings.first { $0.check == faulty.check && $0.text.contains(faulty.text) }
    #expect(found?.verdict == faulty.verdict, "\(plugin.findings)")
    let hasFailed = plugin.findings.contains { $0.verdict == "fail" }
    #expect(outcome.status == (hasFailed ? 3 : 0), "\(outcome.messages)")
    #expect(plugin.verdict == "fail" || !hasFailed)
  }

  @Test func `every documented check has a plugin that it finds`() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/audit.md")
    let listed = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").compactMap { line in
      line.hasPrefix("| `") && !line.hasPrefix("| `-") ? String(line.dropFirst(3).prefix { $0 != "`" }) : nil
    }
    #expect(Set(listed) == Set(FaultyPlugin.all.map(\.check)))
  }

  @Test func `a plugin without faults does not fail, and is measured`() throws {
    let swiftlet = Command(environment: ["LV2_PATH": "/usr/lib/lv2"], folder: scratch.path)
    let outcome = try swiftlet.run("audit", "http://lv2plug.in/plugins/eg-amp", "--json")
    let plugin = try #require(try Self.read(outcome).plugins.first)
    #expect(outcome.status == 0)
    // The plugin does not smooth its gain.
    #expect(plugin.findings.map(\.check) == ["click"], "\(plugin.findings)")
    #expect(plugin.measures.first { $0.name == "latency-measured" }?.value == 0)
    #expect(plugin.measures.first { $0.name == "cost-mean" }?.value ?? 0 > 0)
  }

  @Test(arguments: FaultyPlugin.clean)
  func `a plugin without faults has no findings`(_ plugin: SmallPlugin) throws {
    try plugin.build(in: scratch, swiftlet)
    let outcome = try swiftlet.run("audit", "\(plugin.name).lv2", "--json", limit: 120)
    let findings = try #require(try Self.read(outcome).plugins.first).findings
    #expect(findings.isEmpty && outcome.status == 0, "\(findings)")
  }

  @Test func `a crash is reported with library, offset and function`() throws {
    let crash = SmallPlugin(
      name: "place", run: "boom(s->port[1]);",
      globals: "__attribute__((noinline)) void boom(float *out) { *(volatile int *)8 = 1; *out = 0; }")
    try crash.build(in: scratch, swiftlet)
    func crashes() throws -> [Document.Finding] {
      try #require(try Self.read(try swiftlet.run("audit", "place.lv2", "--json")).plugins.first).findings
        .filter { $0.check == "crash" }
    }
    let text = try #require(try crashes().first?.text)
    let place = try #require(text.firstMatch(of: /, at place\.so\+0x([0-9a-f]+) \(boom\)$/), "\(text)")
    let offset = try #require(Int(place.1, radix: 16))
    let named = try swiftlet.shell("nm place.lv2/place.so")
    let symbol = try #require(named.output.split(separator: "\n").first { $0.hasSuffix(" T boom") })
    let start = try #require(Int(symbol.prefix { $0 != " " }, radix: 16))
    #expect((start..<start + 64).contains(offset), "\(text)")
    // A crash in another library also names the caller's address; a stack overflow has an address.
    for (code, pattern) in [
      ("abort();", "called from place.so+0x"), ("memcpy((void *)8, s->port[1], 64);", "place.so+0x"),
      ("boom(s->port[1]);", "at place.so+0x"),
    ] {
      var other = crash
      other.run = code
      other.globals =
        "__attribute__((noinline)) void boom(float *o) { volatile char big[8192]; big[0] = *o; boom(o); *o = big[0]; }"
      try other.build(in: scratch, swiftlet)
      let texts = try crashes().map(\.text)
      #expect(texts.contains { $0.contains(pattern) }, "\(texts)")
    }
  }

  @Test func `a plugin that forks and prints endlessly does not delay its audit`() throws {
    let plugin = SmallPlugin(
      name: "fork", globals: "#include <signal.h>\n",
      start: """
        if (!fork()) for (;;) { char line[100]; memset(line, 'x', 99); line[99] = 10; write(2, line, 100); write(1, line, 100); usleep(200); }
        """)
    try plugin.build(in: scratch, swiftlet)
    let start = ContinuousClock.now
    let outcome = try swiftlet.run("audit", "fork.lv2", "--json", limit: 120)
    #expect(.now - start < .seconds(40))
    let findings = try #require(try Self.read(outcome).plugins.first).findings
    #expect(!findings.contains { $0.check == "hang" || $0.check == "crash" }, "\(findings)")
    #expect(try !swiftlet.shell("pgrep -f '[a]udit-host.*urn:test:fork'").output.contains { $0.isNumber })
  }

  @Test func `a plugin whose forked child continues as the host is audited once`() throws {
    try SmallPlugin(name: "twin", start: "fork();").build(in: scratch, swiftlet)
    let outcome = try swiftlet.run("audit", "twin.lv2", "--json", limit: 120)
    let plugin = try #require(try Self.read(outcome).plugins.first)
    #expect(plugin.findings.isEmpty && outcome.status == 0, "\(plugin.findings)")
    #expect(plugin.measures.count { $0.name == "cost-mean" } == 1, "\(plugin.measures)")
  }

  @Test func `endless names are truncated, and the number of findings is limited`() throws {
    var plugin = SmallPlugin(name: "huge")
    plugin.ports = (2..<300).map {
      ", [ a lv2:ControlPort, lv2:InputPort ; lv2:index \($0) ; lv2:symbol \"s\($0)\" ; lv2:name \"x\" ; "
        + "lv2:minimum 2.0 ; lv2:maximum 1.0 ; lv2:default 1.5 ]"
    }.joined()
    try plugin.build(in: scratch, swiftlet)
    let name = String(repeating: "<b>", count: 200_000)
    try scratch.write(
      plugin.manifest.replacing("name> \"huge\"", with: "name> \"\(name)\""), to: "huge.lv2/manifest.ttl")
    let outcome = try swiftlet.run("audit", "huge.lv2", "--json", "--html", "huge.html", limit: 120)
    let report = try #require(try Self.read(outcome).plugins.first)
    #expect(report.name.count <= 210 && report.findings.count { $0.check == "range" } == 64)
    #expect(report.findings.contains { $0.text.contains("kind 'range' are left out") })
    #expect(scratch.text("huge.html").utf8.count < 100_000 && !scratch.text("huge.html").contains("<b>"))
  }

  @Test func `a stack trace begins at the plugin's own function`() throws {
    try FaultyPlugin.running[0].plugin.build(in: scratch, swiftlet)
    let outcome = try swiftlet.run("audit", "urn:test:malloc", "--json")
    let finding = try #require(try Self.read(outcome).plugins.first?.findings.first)
    let frame = try #require(finding.details.first)
    #expect(frame.contains("malloc.so") || frame.contains("malloc.c"), "\(finding.details)")
    #expect(
      !finding.details.contains { $0.contains("audit-host") || $0.contains("$s") }, "\(finding.details)")
  }

  @Test func `the audit continues after a crash, and the crash is reported with its step`() throws {
    let crash = try #require(FaultyPlugin.running.first { $0.plugin.name == "crash" })
    try crash.plugin.build(in: scratch, swiftlet)
    let outcome = try swiftlet.run("audit", "crash.lv2", "--json")
    let plugin = try #require(try Self.read(outcome).plugins.first)
    let found = try #require(
      plugin.findings.first { $0.check == "crash" && $0.text.contains("'parameters'") })
    #expect(found.details.first == "during: run with 'gain' at its maximum 1.0", "\(found)")
    #expect(plugin.measures.contains { $0.name == "cost-mean" }, "\(plugin)")
  }

  @Test func `text from a plugin is escaped in the HTML report`() throws {
    var plugin = SmallPlugin(name: "page")
    plugin.statements = "; lv2:requiredFeature <urn:x:script&%22>"
    try plugin.build(in: scratch, swiftlet)
    let script = "<script>alert(1)</script>"
    try FileManager.default.moveItem(
      atPath: "\(scratch.path)/page.lv2", toPath: "\(scratch.path)/<script>")
    let manifest = plugin.manifest.replacing("name> \"page\"", with: "name> \"\(script)&\"")
    try scratch.write(manifest, to: "<script>/manifest.ttl")
    for _ in 0..<2 {
      // The second run replaces the first report.
      let outcome = try swiftlet.run("audit", "<script>", "--html", "report.html")
      #expect(outcome.status == 0, "\(outcome.messages)")
    }
    let page = scratch.text("report.html")
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;"), "\(page)")
    #expect(!page.contains("<script"), "\(page)")
    let broken = try swiftlet.run("audit", "<script>", "--html", "page.c")
    #expect(broken.status == 1 && broken.messages.contains("'page.c' is there"), "\(broken)")
  }

  @Test func `a plugin that cannot be audited is refused with a remedy`() throws {
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
