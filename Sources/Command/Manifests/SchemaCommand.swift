// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import Swiftlet
internal import SwiftletManifest

/// `swiftlet schema`: prints the JSON Schema with which editors check manifests.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print the JSON Schema of manifests, for editors.",
    discussion: """
      Save it beside your manifests as schema.json, and begin each with:

        # yaml-language-server: $schema=schema.json
      """)

  @OptionGroup var common: CommonOptions

  func run() throws {
    let text = ManifestSchema.text(effects: EffectCatalog.builtIn.infos)
    try Results().write(text.hasSuffix("\n") ? text : text + "\n")
  }
}
