// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// The options of `swiftlet audit`, the settings that it tests, and its program.
@Suite(.timeLimit(.minutes(10))) struct AuditOptionTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try Scratch()
    swiftlet = .withPlugins(in: scratch)
  }

  /// A plugin that outputs NaN only if two parameters are at their maximum, and one at its minimum.
  private static let corner = SmallPlugin(
    name: "corner",
    run: FaultyPlugin.copy
      + "if (*s->port[2] >= 1 && *s->port[3] >= 1 && *s->port[4] <= 0) s->port[1][0] = NAN;",
    ports: ["p", "q", "r"].enumerated().map { index, name in
      SmallPlugin.control(name).replacing("index 2", with: "index \(index + 2)")
    }.joined())

  /// SplitMix64, as published by Steele, Lea and Flood: the random numbers of an audit.
  private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  /// The numbers of the corners with NaN.
  private func corners(seed: UInt64, count: Int) -> [Int] {
    var random = SplitMix64(state: seed)
    return (1...count).filter { _ in
      let ends = (0..<3).map { _ in [0, 1].randomElement(using: &random) }
      return ends == [1, 1, 0]
    }
  }

  private func audit(_ arguments: String...) throws -> AuditTests.Document {
    try AuditTests.read(
      swiftlet.run(program: Command.path, ["audit"] + arguments + ["--json"], limit: 150))
  }

  @Test(arguments: [nil, 7, 18_446_744_073_709_551_615] as [UInt64?])
  func `the random corners follow from the printed seed`(_ seed: UInt64?) throws {
    try Self.corner.build(in: scratch, swiftlet)
    let options = seed.map { ["--seed", "\($0)"] } ?? []
    let bad = corners(seed: seed ?? 1, count: 64)
    try #require(!bad.isEmpty)
    for _ in 0..<2 {
      let outcome = try swiftlet.run(
        program: Command.path, ["audit", "corner.lv2", "--json", "--html", "page.html"] + options, limit: 60)
      let document = try AuditTests.read(outcome)
      #expect(document.seed == "\(seed ?? 1)")
      #expect(scratch.text("page.html").contains("seed \(seed ?? 1)."))
      let findings = try #require(document.plugins.first).findings
      #expect(findings.map(\.check) == ["not-finite"])
      let expected =
        "in \(bad.count) of 64 random corners of its parameters its output 'out' is not finite (NaN or infinite)"
      #expect(findings.first?.text == expected)
      #expect(findings.first?.details == bad.prefix(8).map { "corner \($0): p=1.0 q=1.0 r=0.0" })
    }
  }

  @Test func `--thorough tests eight times as many corners`() throws {
    try Self.corner.build(in: scratch, swiftlet)
    let document = try audit("corner.lv2", "--thorough")
    let bad = corners(seed: 1, count: 512)
    #expect(document.thorough)
    let texts = try #require(document.plugins.first).findings.map(\.text)
    #expect(texts.contains { $0.hasPrefix("in \(bad.count) of 512 random corners") }, "\(texts)")
  }

  @Test func `a fault at 192 kHz alone is found, with its rate`() throws {
    try SmallPlugin(
      name: "fast", run: FaultyPlugin.copy + "if (s->frames) s->port[1][0] = NAN;",
      start: "s->frames = rate > 180000;"
    ).build(in: scratch, swiftlet)
    let findings = try #require(audit("fast.lv2").plugins.first).findings
    #expect(
      findings.map(\.check) == ["not-finite"] && findings.first?.details == ["at 192000 Hz"], "\(findings)")
  }

  @Test func `--fresh ignores earlier reports`() throws {
    try SmallPlugin(name: "good").build(in: scratch, swiftlet)
    try SmallPlugin(name: "other").build(in: scratch, swiftlet)
    func audited(_ options: String...) throws -> Int {
      let outcome = try swiftlet.run(program: Command.path, ["audit", "--all", "-v"] + options, limit: 60)
      #expect(outcome.status == 0, "\(outcome)")
      return outcome.messages.split(separator: "\n").count { $0.contains(" of 2: <urn:test:") }
    }
    #expect(try audited() == 2)
    #expect(try audited() == 0)
    #expect(try audited("--fresh") == 2)
    #expect(try audited() == 0)
    // A report is for one seed and one thoroughness.
    #expect(try audited("--seed", "5") == 2)
    #expect(try swiftlet.run("audit", "good.lv2", "--fresh").status == 2)
  }

  @Test func `another version of the host does not use the reports of this one`() throws {
    try FaultyPlugin.sounding[3].plugin.build(in: scratch, swiftlet)
    try SmallPlugin(name: "good").build(in: scratch, swiftlet)
    // A copy of the program with another digit in its version.
    let made = try swiftlet.shell(
      """
      version=$(swiftlet --version | sed -n 's/^swiftlet //p')
      pattern=$(echo $version | sed 's/\\./\\\\./g')
      LC_ALL=C sed "s/$pattern/${version%?}7/g" "$(command -v swiftlet)" > other && chmod +x other
      echo "$version ${version%?}7"; ./other --version | sed -n 's/^swiftlet //p'
      """)
    let versions = made.output.split { $0.isWhitespace }.map(String.init)
    try #require(versions.count == 3 && versions[0] != versions[1] && versions[1] == versions[2], "\(made)")
    var other = swiftlet
    other.environment["SWIFTLET_AUDIT_HOST"] =
      (Command.path as NSString).deletingLastPathComponent + "/swiftlet-audit-host"
    func audits(_ program: String) throws -> Bool {
      let outcome = try other.run(program: program, ["audit", "--all", "-v"], limit: 60)
      #expect(outcome.status == 0, "\(outcome)")
      return outcome.messages.contains("1 of 2: <urn:test:")
    }
    #expect(try audits(Command.path))
    #expect(try !audits(Command.path))
    #expect(try audits(scratch.path + "/other"))
    #expect(try !audits(scratch.path + "/other"))
    #expect(try !audits(Command.path))
  }

  @Test func `without a display, Qt is offscreen in the program that audits`() throws {
    try SmallPlugin(
      name: "qt", start: "fprintf(stderr, \"platform %s\\n\", getenv(\"QT_QPA_PLATFORM\") ?: \"none\");"
    ).build(in: scratch, swiftlet)
    let order = """
      {"uri": "urn:test:qt", "path": "\(scratch.path)", "steps": ["load"], "seed": 1, "isThorough": false, "cpuTime": 5}
      """
    for (setting, platform) in [("", "offscreen"), ("DISPLAY=:77", "none")] {
      let outcome = try swiftlet.shell("env \(setting) swiftlet-audit-host '\(order)'")
      #expect(outcome.status == 0 && outcome.messages.contains("platform \(platform)\n"), "\(outcome)")
    }
  }
}
