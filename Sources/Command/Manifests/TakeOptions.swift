// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletFiles
internal import SwiftletManifest

/// The options for recording takes.
struct TakeOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The takes folder.", valueName: "folder"), completion: .directory)
  var takes = "."

  @Flag(help: "Let the manifest record outside that folder, too.")
  var allowOutside = false

  @Flag(help: "Record nothing.")
  var noRecord = false

  /// Prints a warning about the takes that an earlier run left unfinished in the folders that this run records into.
  /// It searches no other folder, since the takes folder may be a home folder.
  func noteUnfinished(_ manifest: ResolvedManifest, _ console: Console) {
    guard !noRecord, manifest.taps.contains(where: { $0.recording != nil }) else { return }
    let left = manifest.folders(ofTakesIn: takes).sorted { $0.key < $1.key }
      .flatMap { TakeRecovery.unfinishedTakes(in: $0.key, levels: $0.value) }
    guard !left.isEmpty else { return }
    let names = left.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
    console.warning(
      "\(Digits.count(left.count, "take")) here \(left.count == 1 ? "was" : "were") left unfinished (\(names)"
        + "\(left.count > 3 ? ", …" : "")); finish \(left.count == 1 ? "it" : "them") with:"
        + " swiftlet recover \(takes)")
  }

  /// Rejects a manifest that records outside the takes folder, unless `--allow-outside` or `--no-record` is set.
  ///
  /// - Throws: A `ManifestError` with the position of each such tap.
  func requireTakesInside(_ manifest: ResolvedManifest, file: String) throws {
    let problems = noRecord || allowOutside ? [] : manifest.takesOutside(file: file)
    if !problems.isEmpty { throw ManifestError(problems) }
  }
}
