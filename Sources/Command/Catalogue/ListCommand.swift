// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import Swiftlet
internal import SwiftletManifest
internal import SwiftletGraph

/// `swiftlet list`: lists effects and plugins.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the built-in effects and the installed LV2 plugins.",
    discussion: """
      The last column is its name in a manifest, after 'effect:' or 'lv2:'. 'swiftlet show' describes each.
      """)

  @Argument(help: "Show only items whose name, kind or URI contains this word.")
  var word: String?

  @Flag(help: "Show only built-in effects.")
  var effects = false

  @Flag(help: "Show only LV2 plugins.")
  var plugins = false

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let catalogue = Catalogue()
    let installed =
      effects && !plugins ? PluginList(items: [], unreadable: []) : try catalogue.plugins()
    let crashes = AuditCache().crashes(of: Set(installed.items.map(\.id)), in: catalogue.world)
    let items = installed.items.map { item in
      var item = item
      item.crash = crashes[item.id]
      return item
    }
    let everything = (plugins && !effects ? [] : catalogue.effects) + items
    for danger in installed.unreadable {
      console.warning("a bundle of plugins cannot be read and is ignored: \(danger)")
    }
    let found = everything.filter { item in word.map(item.matches) ?? true }
    if found.isEmpty, let word {
      let near = NearestName.nearest(to: String(word.prefix(200)), among: everything.map(\.name))
      let hint = near.map { "; did you mean '\($0)'?" } ?? ""
      throw Failure(.badInput, "no item has '\(word.shortened())' in its name, kind or URI\(hint)")
    }
    if found.isEmpty { console.note("no LV2 plugins are installed; 'apt install zam-plugins' installs some") }
    let results = Results()
    if json {
      try results.json(JSONValue.object([JSONValue.format, ("items", .list(found.map(\.json)))]))
      return
    }
    for line in CatalogueText.list(found, style: common.resultStyle) { try results.line(line) }
    for item in found {
      if let refusal = item.refusal { console.detail("\(item.id) cannot be used here: \(refusal)") }
    }
    for item in found {
      if let crash = item.crash { console.detail("\(item.id) has crashed in its audit: \(crash)") }
    }
    let crashed = found.count { $0.crash != nil && $0.refusal == nil }
    if crashed > 0, console.volume == .normal {
      console.note(
        "\(Digits.count(crashed, "plugin")) crashed in 'swiftlet audit', and \(crashed == 1 ? "runs" : "run") isolated; "
          + "'swiftlet list -v' prints the crashes")
    }
    let refused = found.filter { $0.refusal != nil }.count
    if refused > 0, console.volume == .normal {
      console.note(
        "\(Digits.count(refused, "plugin")) cannot be used here and \(refused == 1 ? "is" : "are") left out; "
          + "'swiftlet list -v' prints the reasons")
    }
  }
}
