// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import Testing

@testable import SwiftletLV2Export

/// Projects of other programs contain URIs and symbols of exported plugins: none may change or disappear.
struct StableNamesTests {
  static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Plugins/stable-names.txt")

  private var exports: PluginExports {
    var exports = PluginExports()
    forEachEffect(&exports)
    return exports
  }

  /// The lines of the list: a name and, for a port, the plugin's minor version that introduced it.
  private func listed() throws -> [(name: String, since: Int?)] {
    try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { line in
        let words = line.split(separator: " ")
        guard words.count == 3 else { return (String(line), nil) }
        return ("\(words[0]) \(words[1])", Int(words[2]))
      }
  }

  @Test func `every listed name is exported, and every exported name is listed`() throws {
    let listed = try listed().map(\.name), names = exports.names
    #expect(listed.filter { !names.contains($0) } == [], "these were promised to other programs for ever")
    #expect(Set(listed).count == listed.count)
    var new: [String] = []
    for plugin in exports.plugins {
      let version = plugin.description.minorVersion
      for name in names where !listed.contains(name) {
        if name.hasPrefix(plugin.uri + " ") { new.append("\(name) \(version)") }
      }
    }
    new += names.filter { !listed.contains($0) && !$0.contains(" ") }
    #expect(new == [], "write these lines into Plugins/stable-names.txt:\n\(new.joined(separator: "\n"))\n")
  }

  @Test func `a plugin's minor version is that of its newest port`() throws {
    let listed = try listed()
    for plugin in exports.plugins {
      let description = plugin.description
      let newest = listed.filter { $0.name.hasPrefix(plugin.uri + " ") }.compactMap(\.since).max()
      #expect(newest == nil || newest == description.minorVersion, "\(plugin.uri)")
      #expect(description.minorVersion >= 2 && description.minorVersion % 2 == 0)
      #expect(description.microVersion >= 0 && description.microVersion % 2 == 0)
    }
  }

  @Test func `an effect that needs a file is exported, with a name for that file`() {
    #expect(exports.plugins.contains { $0.uri == "urn:swiftlet:convolver" })
    #expect(exports.names.contains("urn:swiftlet:convolver#response"))
    var count: UInt32 = 0
    while exports.descriptor(count) != nil { count += 1 }
    #expect(Int(count) == exports.plugins.count)
  }

  @Test func `port names are valid LV2 symbols, and unique in their plugin`() {
    for plugin in exports.plugins {
      let symbols = plugin.ports.map(\.symbol)
      #expect(symbols.count == plugin.portCount)
      #expect(Set(symbols).count == symbols.count, "\(plugin.uri)")
      for symbol in symbols { #expect(symbol.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil, "\(symbol)") }
    }
    let uris = exports.plugins.flatMap { plugin in
      [plugin.uri] + (plugin.isMono ? [] : plugin.presets.map { plugin.uri(of: $0) })
    }
    #expect(Set(uris).count == uris.count)
  }
}
