// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import Synchronization
import Testing

@testable import SwiftletLV2

/// Errors of plugins' libraries, and which bundles are read for a plugin.
@Suite struct LibraryTests {
  private let folder: FixtureFolder
  private let through = FixtureFolder.throughPorts
  private static let code =
    "INSTANTIATE(start) { return make(rate, features); } static void run(LV2_Handle h, uint32_t n) {}"
    + " EXPORT(start, 0, run, 0)"

  init() throws { folder = try FixtureFolder() }

  /// Writes a file of a bundle, after the prefixes.
  private func write(_ text: String, to file: String) throws {
    try folder.write(FixtureFolder.prefixes + text, to: file)
  }

  @Test func `a valid library has no fault`() throws {
    let uri = try folder.add("sound", ports: through, code: Self.code)
    #expect(try folder.world.libraryFault(uri: uri) == nil)
  }

  @Test func `a missing library is reported with its path`() throws {
    let uri = try folder.add("absent", ports: through)
    #expect(
      try folder.world.libraryFault(uri: uri)
        == "its library '\(folder.path)/absent.lv2/absent.so' is missing")
  }

  @Test func `a library that does not load is reported with the loader's reason`() throws {
    let text = try folder.add("text", ports: through)
    try "no library".write(toFile: folder.path + "/text.lv2/text.so", atomically: true, encoding: .utf8)
    let fault = try #require(try folder.world.libraryFault(uri: text))
    #expect(fault.hasPrefix("its library '\(folder.path)/text.lv2/text.so' does not load: "), "\(fault)")
    #expect(fault.contains("file too short") || fault.contains("invalid ELF header"), "\(fault)")
    let unbound = try folder.add(
      "unbound", ports: through,
      code: """
        extern void swiftlet_missing();
        const LV2_Descriptor *lv2_descriptor(uint32_t i) { swiftlet_missing(); return 0; }
        """)
    #expect(
      try folder.world.libraryFault(uri: unbound)?.hasSuffix(
        "does not load: undefined symbol: swiftlet_missing") == true)
  }

  @Test func `a library without the plugin's URI is reported with both names`() throws {
    let strange = try folder.add("strange", ports: through, code: "int unrelated;")
    #expect(try folder.world.libraryFault(uri: strange)?.contains("is no LV2 library") == true)
    let other = try folder.add(
      "other", ports: through,
      code: "#undef PLUGIN\n#define PLUGIN \"urn:swiftlet:test:another\"\n" + Self.code)
    #expect(
      try folder.world.libraryFault(uri: other)
        == "its library '\(folder.path)/other.lv2/other.so' has no plugin with the URI <\(other)>")
  }

  @Test func `a file of a bundle that is not Turtle is reported with its line`() throws {
    let uri = try folder.add("mistaken", ports: through)
    try write("<\(uri)> a lv2:Plugin ; oops", to: "mistaken.lv2/mistaken.ttl")
    let line = FixtureFolder.prefixes.split(separator: "\n", omittingEmptySubsequences: false).count
    let refusal = try #require(try folder.world.info(uri: uri).refusal)
    #expect(refusal == "\(folder.path)/mistaken.lv2/mistaken.ttl is not Turtle in line \(line)")
  }

  @Test func `presets and data in other bundles are found for one plugin`() throws {
    let uri = try folder.add("wanted", ports: through)
    try folder.add("other", ports: through)
    try write(
      "<urn:p:one> a pset:Preset ; lv2:appliesTo <\(uri)> ; rdfs:label \"One\" .",
      to: "presets.lv2/manifest.ttl")
    try write("<\(uri)> rdfs:comment \"More of it\" .", to: "more.lv2/manifest.ttl")
    let info = try folder.world.info(uri: uri)
    #expect(info.presets.map(\.label) == ["One"])
    #expect(info.meaning == "More of it")
  }

  @Test func `a plugin in two bundles is the same alone and in a list`() throws {
    let uri = try folder.add("both", ports: through)
    for (bundle, name) in [("aaa", "Old"), ("zzz", "New")] {
      try write(
        """
        <\(uri)> a lv2:Plugin ; lv2:binary <both.so> ; lv2:minorVersion \(name == "New" ? 4 : 2) ;
          lv2:microVersion 0 ; doap:name "\(name)" ; lv2:port \(through) .
        <urn:swiftlet:test:\(bundle)> a lv2:Plugin ; lv2:binary <both.so> ; doap:name "\(bundle)" ; lv2:port \(through) .
        """, to: "\(bundle).lv2/manifest.ttl")
    }
    let listed = try folder.world.list().first { $0.uri == uri }?.name
    #expect(listed == "New")
    #expect(try folder.world.info(uri: uri).name == listed)
    let world = folder.world
    _ = try world.info(uri: "urn:swiftlet:test:zzz")
    #expect(try world.info(uri: uri).name == listed)
  }

  @Test func `a bundle is read once, with all bundles that name its plugins, in path order`() {
    func scan(_ plugins: [String], _ subjects: [String], isVocabulary: Bool = false) -> TurtleScan {
      var scan = TurtleScan()
      (scan.plugins, scan.subjects, scan.isVocabulary) = (plugins, Set(plugins + subjects), isVocabulary)
      return scan
    }
    let index = BundleIndex([
      ("a", scan(["1"], [])), ("b", scan([], ["x"], isVocabulary: true)), ("c", scan(["1", "2"], [])),
      ("d", scan(["3"], [])), ("e", scan([], ["2"])),
    ])
    #expect(index.takeVocabularies() == ["b"])
    #expect(index.take(naming: "2") == ["a", "c", "e"])
    #expect(index.take(naming: "1") == [])
    #expect(index.take(naming: "nothing") == [])
    #expect(index.take(naming: "3") == ["d"])
    #expect(index.plugins == ["1", "2", "3"])
  }

  @Test(arguments: [
    ("lv2:Plugin", "lv2:AudioPort", "", true), ("lv2:ReverbPlugin", "lv2:AudioPort", "", true),
    ("lv2:OscillatorPlugin", "lv2:AudioPort", "", false),
    ("lv2:InstrumentPlugin", "lv2:AudioPort", "", false),
    ("lv2:GeneratorPlugin", "lv2:AudioPort", "", false), ("lv2:Plugin", "lv2:CVPort", "", false),
    ("lv2:Plugin", "atom:AtomPort", "", false),
    ("lv2:Plugin", "lv2:AudioPort", "; lv2:portProperty lv2:connectionOptional", false),
    ("lv2:Plugin", "lv2:AudioPort", "; lv2:portProperty lv2:isSideChain", false),
  ]) func `a plugin needs input unless it is a generator or its inputs are optional`(
    _ type: String, _ kind: String, _ more: String, _ needsInput: Bool
  ) throws {
    let ports = [
      FixtureFolder.port(0, "in", "lv2:InputPort, \(kind)", more),
      FixtureFolder.port(1, "out", "lv2:OutputPort, lv2:AudioPort"),
    ].joined(separator: " , ")
    let uri = try folder.add("one", ports: ports, more: "; a \(type)")
    #expect(try folder.world.info(uri: uri).needsInput == needsInput)
  }

  @Test(.serialized, arguments: [true, false])
  func `output of a plugin that refuses to start is given as the reason`(_ isRead: Bool) throws {
    let uri = try folder.add(
      "null", ports: through,
      code:
        "INSTANTIATE(start) { return 0; } static void run(LV2_Handle h, uint32_t n) {} EXPORT(start, 0, run, 0)"
    )
    // Engines in other tests may attribute output, too, while the reader is set.
    let nodes = Mutex<[String]>([]), begun = Mutex<[String]>([]), hasReported = Mutex(false)
    let world = folder.world
    if isRead {
      PluginOutput.setReader(
        .init(
          begin: { node in
            begun.withLock { $0.append(node) }
            nodes.withLock { $0.append(node) }
          },
          end: {
            guard begun.withLock({ $0.popLast()?.contains("odd") == true }) else { return [] }
            return hasReported.withLock { hasReported in
              defer { hasReported = true }
              return hasReported ? [] : ["no licence found"]
            }
          }))
    }
    defer { PluginOutput.setReader(nil) }
    let error = #expect(throws: PluginError.self) {
      try PluginOutput.attributed(to: "odd") { () throws(PluginError) in
        try world.makeProcessor(
          uri: uri, layout: PluginLayout(sampleRate: 48_000, longestBlock: 64, channels: 1))
      }
    }
    #expect(
      error?.description
        == "the plugin <\(uri)> refused to start: "
        + (isRead
          ? "no licence found" : "its function 'instantiate' returned no instance, and gave no reason"))
    #expect(nodes.withLock { $0.contains { $0.contains("odd") } } == isRead)
    // Output of plugins whose code runs at the same time is attributed to all of them, in one attribution.
    let most = Mutex(0), inside = Atomic(0)
    let ended = DispatchSemaphore(value: 0)
    for number in 0..<2 {
      Thread {
        try? PluginOutput.attributed(to: "n\(number)") {
          inside.add(1, ordering: .relaxed)
          while inside.load(ordering: .relaxed) < 2 { usleep(100) }
          most.withLock { $0 = max($0, begun.withLock(\.count)) }
        }
        ended.signal()
      }.start()
    }
    for _ in 0..<2 { ended.wait() }
    #expect(most.withLock { $0 } == (isRead ? 1 : 0))
    let both = nodes.withLock {
      $0.contains { $0.contains("n0") && $0.contains("n1") && $0.contains("' or '") }
    }
    #expect(both == isRead)
  }
}
