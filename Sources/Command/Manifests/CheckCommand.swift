// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletManifest

/// `swiftlet check`: prints all errors of manifests, and changes nothing.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check manifests, and report every problem. Nothing is changed.",
    discussion: """
      Every error names file, line and column, what was found and what was expected. Plugins and sound files that a \
      manifest names must exist.

      With --budget, each manifest is prepared as 'run' does and rendered in time, with noise at its inputs, to \
      measure how much of JACK's period a cycle takes. No server is needed, and no file is made. The load of \
      other programs comes on top.
      """)

  @Argument(
    help: "The manifests: files, names of installed ones, or - for standard input.",
    completion: .file(extensions: ["yaml"]))
  var manifests: [String]

  @OptionGroup var budget: BudgetOptions

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let catalog = ManifestCatalog.thisMachineWithLibraries
    var failed = 0
    var reports: [BudgetReport] = []
    for manifest in manifests {
      do {
        let path = ManifestFinder.path(of: manifest)
        let resolved = try ManifestText(contentsOf: path).check(against: catalog)
        for warning in resolved.warnings + resolved.takesOutside(.warning, file: path) {
          console.placed(Advice.text(warning))
        }
        if resolved.nodes.contains(where: { $0.isolation != nil }), !RealtimeRights.areThere {
          console.warning(
            "\(manifest): \(RealtimeRights.advice): isolated plugins are heard one period later, which is compensated"
          )
        }
        for (index, crash) in resolved.knownCrashes {
          console.warning(
            "\(manifest): the plugin of '\(resolved.nodes[index].name)' will run in a process of its own: its audit "
              + "found a crash (\(crash))")
        }
        for note in resolved.blockLengthNotes {
          console.note(
            "\(manifest): \(note): 'run' and 'render' may sound different; the manifest's key 'block' sets the block length of 'render'"
          )
        }
        console.note("\(manifest): \(Self.summary(resolved))")
        guard let report = try budget.measurement?.measure(resolved, file: path) else { continue }
        if budget.json { reports.append(report) } else { try Results().line(report.line) }
        if let warning = report.warning { console.placed(warning.line) }
      } catch {
        guard let failure = Failure(error) else { throw error }
        failure.print(console)
        failed += 1
      }
    }
    if budget.json {
      try Results().json(.object([JSONValue.format, ("manifests", .list(reports.map(\.json)))]))
    }
    #if DEBUG
      if budget.budget {
        console.warning(
          "this program was built without optimisation: effects are far slower than they should be")
      }
    #endif
    if failed > 0 { throw Failure.silent(.badInput) }
  }

  /// Returns the summary of a manifest: `good: 5 nodes, 4 wires, 2 taps`.
  static func summary(_ manifest: ResolvedManifest) -> String {
    "good: "
      + [
        Digits.count(manifest.nodes.count, "node"), Digits.count(manifest.wires.count, "wire"),
        Digits.count(manifest.taps.count, "tap"),
      ].joined(separator: ", ")
  }
}
