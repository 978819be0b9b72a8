// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

@testable import SwiftletManifest

/// Messages of the library for every program that imports it. The tool adds its own options and commands.
@Suite struct `Messages of the library` {
  private func namesTool(_ text: String) -> Bool { text.contains("--") || text.contains("swiftlet ") }

  @Test(arguments: [
    JackError.noServer("studio").description, JackError.nameTaken("vocal").description,
    PluginError.unknownPlugin("urn:a:b", nearest: nil).description,
    PluginError.unknownPlugin("urn:a:b", nearest: "urn:a:c").description,
  ])
  func `an error names no option and no command of the tool`(text: String) {
    #expect(!namesTool(text), "\(text)")
  }

  @Test func `problems and manifest errors have the same text as their localized description`() throws {
    let problem = Problem(file: "a.yaml", position: .start, message: "found nothing")
    let other = Problem(.warning, file: "a.yaml", message: "a tab\tis escaped")
    for error in [problem, other, ManifestError([problem, other])] as [any SwiftletError] {
      #expect((error as any Error).localizedDescription == "\(error)")
    }
    let lines = ManifestError([problem, other]).localizedDescription.split(separator: "\n")
    #expect(lines == ["a.yaml:1:1: error: found nothing", "a.yaml: warning: a tab\\tis escaped"])
  }

  @Test func `a plugin that needs no input causes no warning without input`() {
    let rest = "desk: { playback: mono } }\nwires: [ a -> desk ]\n"
    func found(_ plugin: String) -> [String] {
      problems("nodes: { a: { lv2: \"http://example.org/\(plugin)\" }, \(rest)").map(\.message)
    }
    #expect(found("oscillator") == [])
    #expect(found("gate").contains("nothing is wired into 'a'; it receives silence"))
  }

  @Test func `a plugin whose library does not load is an error, and unreadable bundles are named`() {
    var catalog = TestCatalog.catalog
    catalog.libraryFault = { $0.hasSuffix("wide") ? "its library '/lib/wide.so' is missing" : nil }
    catalog.unreadableBundles = { ["/lib/odd.lv2/manifest.ttl is not Turtle in line 7"] }
    func found(_ plugin: String) -> [String] {
      problems("nodes: { a: { lv2: \"http://example.org/\(plugin)\" } }\n", against: catalog)
        .map { "\($0.severity): \($0.message)" }
    }
    #expect(
      found("wide") == [
        "error: found the plugin 'Wide', which cannot be used: its library '/lib/wide.so' is missing"
      ])
    #expect(
      found("moon").contains(
        "warning: a bundle of plugins cannot be read and is ignored: /lib/odd.lv2/manifest.ttl is not Turtle in line 7"
      ))
  }

  @Test func `the meaning of a key names no option and no command of the tool`() {
    let text = ManifestSchema.text()
    #expect(text.contains("An LV2 plugin"))
    #expect(!namesTool(text))
  }

  /// Returns the problems of a manifest with these nodes, wires and taps, warnings included.
  private func problems(_ text: String, against catalog: ManifestCatalog = TestCatalog.catalog) -> [Problem] {
    do {
      return try ManifestText("swiftlet: 1\n" + text, file: "a.yaml").check(against: catalog).warnings
    } catch {
      return error.problems
    }
  }

  @Test func `the remedy for an unknown plugin is the list of plugins`() {
    let found = problems(
      """
      nodes: { mic: capture, a: { lv2: "urn:nothing:like:it" }, desk: playback }
      wires: [ mic -> a -> desk ]
      """)
    #expect(found.map(\.remedy) == [.pluginList])
    #expect(found.allSatisfy { !namesTool($0.description) }, "\(found)")
  }

  @Test func `the remedy for a misspelt plugin is only the nearest name`() {
    let found = problems(
      """
      nodes: { mic: capture, a: { lv2: "http://example.org/gatr" }, desk: playback }
      wires: [ mic -> a -> desk ]
      """)
    #expect(found.map(\.remedy) == [nil])
    #expect(found.first?.message.contains("did you mean") == true, "\(found)")
  }

  @Test func `the remedy for a take over a played file is another takes folder`() {
    let found = problems(
      """
      nodes: { bed: { player: bed.flac }, desk: playback }
      wires: [ bed -> desk ]
      taps: { copy: { after: bed, record: { file: bed.flac, overwrite: true } } }
      """)
    #expect(found.map(\.severity) == [.warning] && found.map(\.remedy) == [.takesFolder], "\(found)")
    #expect(found.allSatisfy { !namesTool($0.description) }, "\(found)")
  }

  @Test func `the remedy for a take outside the takes folder is to allow it`() throws {
    let manifest = try ManifestText(
      """
      swiftlet: 1
      nodes: { mic: capture, desk: playback }
      wires: [ mic -> desk ]
      taps: { dry: { after: mic, record: /srv/dry.wav } }
      """, file: "a.yaml"
    ).check(against: TestCatalog.catalog)
    let found = manifest.takesOutside(file: "a.yaml")
    #expect(found.map(\.remedy) == [.takesOutside])
    #expect(found.allSatisfy { !namesTool($0.description) }, "\(found)")
  }

  @Test func `the remedy for a truncated sound file is recovery`() {
    var catalog = TestCatalog.catalog
    catalog.player = { _ in .problem("is cut short; recover it", remedy: .recovery) }
    let found = problems(
      """
      nodes: { a: { player: bed.flac }, desk: playback }
      wires: [ a -> desk ]
      """, against: catalog)
    #expect(found.map(\.remedy) == [.recovery], "\(found)")
    let clips = problems(
      """
      nodes: { desk: playback }
      wires: [ t -> desk ]
      timeline: { tracks: { t: { pieces: [ { file: bed.flac } ] } } }
      """, against: catalog)
    #expect(clips.map(\.remedy) == [.recovery], "\(clips)")
  }

  @Test func `an error in a chain has the file name 'chain'`() {
    #expect {
      _ = try Manifest(chain: "gain |")
    } throws: { ($0 as? ManifestError)?.problems.map(\.file) == ["chain"] }
  }
}
