// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletGraph
internal import SwiftletManifest

/// `swiftlet show`: all there is to know of one effect or plugin.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the buses, parameters and presets of an effect or plugin.",
    discussion: """
      Parameters are given as a manifest writes them: symbol, range, unit, and the value where nobody says another.
      """)

  @Argument(help: "An effect's name, or a plugin's URI or name.")
  var name: String

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let catalogue = Catalogue()
    let info = try catalogue.info(of: name)
    let latency = catalogue.latency(of: info)
    let results = Results()
    if json {
      try results.line(JSONValue(info, latency: latency).text())
    } else {
      for line in CatalogueText.page(info, latency: latency, style: common.resultStyle) {
        try results.line(line)
      }
    }
  }
}
