// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import Testing

@testable import SwiftletLV2

/// Bundles with which lilv would end the process.
@Suite struct TurtleScanTests {
  private let folder: FixtureFolder
  private static let prefixes = """
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
    @prefix atom: <http://lv2plug.in/ns/ext/atom#> .
    @prefix state: <http://lv2plug.in/ns/ext/state#> .
    @prefix pset: <http://lv2plug.in/ns/ext/presets#> .

    """
  private static let port =
    "lv2:port [ a lv2:InputPort, lv2:ControlPort ; lv2:index 0 ; lv2:symbol \"in\" ; lv2:name \"In\" ]"

  init() throws { folder = try FixtureFolder() }

  /// Writes a file of a bundle, after the prefixes.
  private func write(_ text: String, to file: String) throws {
    try folder.write(Self.prefixes + text, to: file)
  }

  /// Returns nested brackets.
  private static func nested(_ depth: Int) -> String {
    "<urn:deep> " + String(repeating: "[ a ", count: depth) + "1 " + String(repeating: "]", count: depth)
  }

  @Test(
    arguments: [
      ("lv2:port [ a lv2:InputPort, lv2:Plugin ; lv2:index 0 ]", "describes a plugin without a URI"),
      (
        "lv2:port [ a lv2:InputPort, <http://lv2plug.in/ns/lv2core#Plugin> ]",
        "describes a plugin without a URI"
      ),
      (nested(20_000), "nested more than 100 deep"),
      ("<urn:deep> " + String(repeating: "( ", count: 20_000), "nested more than 100 deep"),
      ("<urn:a> 1 .\n\n <urn:b> oops", "is not Turtle in line 9"),
      ("<urn:a> _:b . _:b rdf:value ( _:b )", "form a cycle"),
      ("<urn:a> _:b . _:b rdf:rest _:c . _:c rdf:rest _:b", "form a cycle"),
    ]) func `a bundle that would end the process is skipped, and its plugin states the reason`(
      statement: String, reason: String
    )
    throws
  {
    try write("<urn:bad> a lv2:Plugin ; lv2:binary <a.so> ; \(statement) .", to: "bad.lv2/manifest.ttl")
    let good = try folder.add("good", ports: FixtureFolder.throughPorts)
    let list = try folder.world.list()
    #expect(Set(list.map(\.uri)) == ["urn:bad", good])
    #expect(list.first { $0.uri == good }?.refusal == nil)
    #expect(list.first { $0.uri == "urn:bad" }?.refusal?.contains(reason) == true)
    #expect(try folder.world.unreadableBundles().count == 1)
    #expect(try folder.world.info(uri: "urn:bad").refusal?.contains("bad.lv2/manifest.ttl") == true)
  }

  @Test func `a valid bundle with nested nodes is usable`() throws {
    try write(
      "<urn:good> a lv2:Plugin ; lv2:binary <a.so> ; \(Self.port) ; \(Self.nested(90)) ; <urn:list> ( "
        + String(repeating: "[ a 1 ] ", count: 500) + ") .", to: "good.lv2/manifest.ttl")
    #expect(try folder.world.unreadableBundles() == [])
    #expect(try folder.world.list().map(\.uri) == ["urn:good"])
  }

  @Test func `a plugin is refused because of a file that its manifest refers to`() throws {
    try write(
      "<urn:bad> a lv2:Plugin ; lv2:binary <a.so> ; \(Self.port) ; rdfs:seeAlso <more.ttl> .",
      to: "bad.lv2/manifest.ttl")
    try write("<urn:bad> \(Self.nested(20_000)) .", to: "bad.lv2/more.ttl")
    let refusal = try folder.world.list().first?.refusal
    #expect(refusal?.contains("bad.lv2/more.ttl has brackets") == true)
  }

  @Test func `named pipes in place of files are not waited for`() throws {
    try write(
      "<urn:bad> a lv2:Plugin ; lv2:binary <a.so> ; \(Self.port) ; rdfs:seeAlso <more.ttl> .",
      to: "bad.lv2/manifest.ttl")
    #expect(mkfifo("\(folder.path)/bad.lv2/more.ttl", 0o600) == 0)
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/pipe.lv2", withIntermediateDirectories: true)
    #expect(mkfifo("\(folder.path)/pipe.lv2/manifest.ttl", 0o600) == 0)
    #expect(try folder.world.list().first?.refusal?.contains("is no regular file") == true)
    #expect(try folder.world.unreadableBundles().count == 1)
  }

  @Test func `a preset that would end the process is skipped, and the plugin is usable`() throws {
    let uri = try folder.add("good", ports: FixtureFolder.throughPorts)
    try write(
      "<urn:p:good> a pset:Preset ; lv2:appliesTo <\(uri)> ; rdfs:label \"Good\" ; rdfs:seeAlso <good.ttl> .",
      to: "presets.lv2/manifest.ttl")
    try write("<urn:p:good> rdfs:label \"Good\" .", to: "presets.lv2/good.ttl")
    try write(
      "<urn:p:bad> a pset:Preset ; lv2:appliesTo <\(uri)> ; rdfs:label \"Bad\" ; rdfs:seeAlso <bad.ttl> .",
      to: "more.lv2/manifest.ttl")
    try write(
      "<urn:p:bad> state:state [ <urn:list> _:b ] . _:b a atom:Tuple ; rdf:value ( _:b ) .",
      to: "more.lv2/bad.ttl")
    let info = try folder.world.info(uri: uri)
    #expect(info.refusal == nil)
    #expect(info.presets.map(\.label) == ["Good"])
  }
}
