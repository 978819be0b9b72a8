// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletManifest

/// `swiftlet check`: says everything that is wrong with a manifest, and changes nothing.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Say everything that is wrong with manifests, and change nothing.",
    discussion: """
      Every error names file, line and column, what was found and what was expected. Plugins and sound files that a \
      manifest names are looked for, too.
      """)

  @Argument(
    help: "The manifests: files, names of installed ones, or - for standard input.",
    completion: .file(extensions: ["yaml"]))
  var manifests: [String]

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let catalog = ManifestCatalog.thisMachine
    var failed = 0
    for manifest in manifests {
      do {
        let text = try ManifestText(contentsOf: ManifestFinder.path(of: manifest))
        let resolved = try Hush.during { try text.check(against: catalog) }
        for warning in resolved.warnings { console.placed(warning.description) }
        console.note("\(manifest): \(Self.summary(resolved))")
      } catch {
        guard let failure = Failure(error) else { throw error }
        failure.tell(console)
        failed += 1
      }
    }
    if failed > 0 { throw Failure.silent(.badInput) }
  }

  /// `good: 5 nodes, 4 wires, 2 taps`.
  static func summary(_ manifest: ResolvedManifest) -> String {
    "good: "
      + [
        Digits.count(manifest.nodes.count, "node"), Digits.count(manifest.wires.count, "wire"),
        Digits.count(manifest.taps.count, "tap"),
      ].joined(separator: ", ")
  }
}
