// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Messages about plugins that cannot be used.
@Suite struct PluginTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try Scratch()
    swiftlet = .withPlugins(in: scratch)
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

  @Test func `a plugin without its library ends with status 3 and its position in the manifest`() throws {
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

  @Test func `a plugin that requires an unsupported feature is refused with its name`() throws {
    try manifest("urn:test:picky")
    let outcome = try swiftlet.run("check", "odd.yaml")
    #expect(outcome.status == 1)
    #expect(outcome.messages.contains("odd.yaml:4:15: error: "), "\(outcome.messages)")
    #expect(outcome.messages.contains("urn:test:telepathy"))
  }

  @Test func `the list omits unusable plugins, and gives reasons with -v`() throws {
    let outcome = try swiftlet.run("list", "--plugins")
    #expect(outcome.status == 0 && outcome.output == "", "\(outcome)")
    #expect(
      outcome.messages
        == "2 plugins cannot be used here and are left out; 'swiftlet list -v' prints the reasons\n")
    let reasons = try swiftlet.run("list", "-v").messages
    #expect(reasons.contains("urn:test:telepathy"))
    #expect(
      reasons.contains(
        "urn:test:gone cannot be used here: its library '\(scratch.path)/odd.lv2/gone.so' is missing\n"),
      "\(reasons)")
    #expect(try swiftlet.run("show", "urn:test:picky").output.contains("It cannot be used here: "))
    #expect(
      try swiftlet.run("show", "urn:test:gone").output.contains("It cannot be used here: its library '"))
  }

  /// Compiles the plugins' library with the URI `uri`.
  private func compile(_ uri: String, atLoad code: String = "") throws {
    try scratch.write(
      """
      #include <lv2/core/lv2.h>
      #include <stdlib.h>
      static LV2_Handle start(const LV2_Descriptor *d, double r, const char *b, const LV2_Feature *const *f) { return 0; }
      static void connect(LV2_Handle h, uint32_t i, void *p) {}
      static void run(LV2_Handle h, uint32_t n) {}
      static void cleanup(LV2_Handle h) {}
      static const LV2_Descriptor one = {"\(uri)", start, connect, 0, run, 0, cleanup, 0};
      const LV2_Descriptor *lv2_descriptor(uint32_t i) { return i ? 0 : &one; }
      __attribute__((constructor)) static void load() { \(code) }
      """, to: "gone.c")
    let built = try swiftlet.shell("cc -shared -fPIC -w -o odd.lv2/gone.so gone.c")
    try #require(built.status == 0, "\(built.messages)")
  }

  @Test func `check names a library that is missing, does not load, or lacks the plugin`() throws {
    try manifest("urn:test:gone")
    let location = "odd.yaml:4:15: error: found the plugin 'Gone', which cannot be used: its library "
    let path = "'\(scratch.path)/odd.lv2/gone.so'"
    func check(_ reason: String) throws {
      let outcome = try swiftlet.run("check", "odd.yaml")
      #expect(outcome.status == 1 && outcome.messages.hasPrefix(location + path + reason), "\(outcome)")
    }
    try check(" is missing\n")
    try scratch.write("no library", to: "odd.lv2/gone.so")
    try check(" does not load: ")
    try compile("urn:test:another")
    try check(" has no plugin with the URI <urn:test:gone>\n")
    try compile("urn:test:gone")
    #expect(try swiftlet.run("check", "odd.yaml").status == 0)
  }

  @Test func `a library that ends the process on loading is omitted from the list`() throws {
    try compile("urn:test:gone", atLoad: "abort();")
    let outcome = try swiftlet.run("list", "--plugins", "-v")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      outcome.messages.contains(
        "urn:test:gone cannot be used here: its library '\(scratch.path)/odd.lv2/gone.so' crashed or did not answer"
      ),
      "\(outcome)")
  }

  @Test func `an invalid bundle manifest is named for an unknown plugin and in the list`() throws {
    try manifest("urn:test:lost")
    try FileManager.default.createDirectory(
      atPath: "\(scratch.path)/lost.lv2", withIntermediateDirectories: true)
    let turtle = "@prefix lv2: <http://lv2plug.in/ns/lv2core#> .\n<urn:test:lo st> a lv2:Plugin .\n"
    try scratch.write(turtle, to: "lost.lv2/manifest.ttl")
    let reason =
      "a bundle of plugins cannot be read and is ignored: \(scratch.path)/lost.lv2/manifest.ttl is not Turtle in line 2"
    #expect(try swiftlet.run("list").messages.contains("swiftlet: warning: \(reason)\n"))
    // The second time from the cache.
    #expect(try swiftlet.run("list").messages.contains("swiftlet: warning: \(reason)\n"))
    #expect(try swiftlet.run("show", "urn:test:lost").messages.contains(reason))
    for command in [["check", "odd.yaml"], ["run", "odd.yaml", "--dummy", "--for", "1"]] {
      let outcome = try swiftlet.run(program: Command.path, command, limit: 60)
      #expect(
        outcome.status == 1 && outcome.messages.contains("odd.yaml:4:15: warning: \(reason)\n"), "\(outcome)")
    }
  }

  private var cacheNumber: UInt64? {
    let facts = try? FileManager.default.attributesOfItem(
      atPath: "\(scratch.path)/cache/swiftlet/plugins.list")
    return facts?[.systemFileNumber] as? UInt64
  }

  @Test func `the list is cached until a file changes`() throws {
    try compile("urn:test:gone")
    // Recently changed files are not cached.
    _ = try swiftlet.run("list", "--plugins")
    #expect(cacheNumber == nil)
    usleep(2_200_000)
    func list() throws -> String { try swiftlet.run("list", "--plugins", "--json").output }
    let first = try list(), number = try #require(cacheNumber)
    #expect(first.contains("\"Gone\""))
    #expect(try list() == first && cacheNumber == number)
    // Changes of a plugin's description, its library, and the cache file.
    let manifest = scratch.text("odd.lv2/manifest.ttl")
    try scratch.write(manifest.replacing("\"Gone\"", with: "\"Here\""), to: "odd.lv2/manifest.ttl")
    #expect(try list().contains("\"Here\""))
    try FileManager.default.removeItem(atPath: "\(scratch.path)/odd.lv2/gone.so")
    #expect(try list().contains("gone.so' is missing"))
    let known = try list(), whole = try #require(scratch.bytes("cache/swiftlet/plugins.list"))
    for damaged in [whole.prefix(whole.count / 2), Data(), Data(whole.map { $0 == 72 ? 74 : $0 })] {
      try damaged.write(to: URL(filePath: "\(scratch.path)/cache/swiftlet/plugins.list"))
      #expect(try list() == known)
    }
    // The list works without a cache folder.
    try FileManager.default.removeItem(atPath: "\(scratch.path)/cache")
    try scratch.write("", to: "cache")
    #expect(try list() == known)
  }

  @Test func `a misspelt URI is answered with the nearest one`() throws {
    try manifest("urn:test:gome")
    #expect(try swiftlet.run("check", "odd.yaml").messages.contains("did you mean 'urn:test:gone'?"))
  }
}
