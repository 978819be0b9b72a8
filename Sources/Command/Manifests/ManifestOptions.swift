// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletManifest

extension ManifestText {
  /// The manifest, checked against this machine. Its warnings have been told.
  ///
  /// - Throws: all that is wrong with it, as a ``ManifestError``.
  func resolve(_ console: Console) throws -> ResolvedManifest {
    let manifest = try check(against: .thisMachine)
    for warning in manifest.warnings { console.placed(Advice.text(warning)) }
    return manifest
  }
}

/// What `--set` says, for every command that works on a manifest.
struct SettingOptions: ParsableArguments {
  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp(
      "Give a parameter another value; may be said often.", valueName: "node.parameter=value"),
    transform: expecting("node.parameter=value, as in echo.time=350ms", Setting.init))
  var settings: [Setting] = []

  @OptionGroup var isolation: IsolationOptions

  /// A manifest, checked and changed as asked for. Its warnings have been told.
  ///
  /// - Throws: all that is wrong with it, as a ``Failure`` or a ``ManifestError``.
  func resolve(_ text: ManifestText, _ console: Console) throws -> ResolvedManifest {
    try changed(text.check(against: .thisMachine), console)
  }

  /// A checked manifest, changed as asked for. Its warnings have been told.
  func changed(_ manifest: ResolvedManifest, _ console: Console) throws -> ResolvedManifest {
    for warning in manifest.warnings { console.placed(Advice.text(warning)) }
    var manifest = manifest
    for setting in settings { try setting.apply(to: &manifest) }
    try isolation.apply(to: &manifest, console)
    return manifest
  }
}

/// The one manifest that a command works on, and what is changed in it.
struct ManifestOptions: ParsableArguments {
  @Argument(
    help: "The manifest: a file, the name of an installed one, or - for standard input.",
    completion: .file(extensions: ["yaml", "yml", "json"]))
  var manifest: String

  @OptionGroup var settings: SettingOptions

  /// Where the manifest is.
  var path: String { ManifestFinder.path(of: manifest) }

  /// The manifest, read, checked and changed as asked for.
  func resolve(_ console: Console) throws -> ResolvedManifest {
    try settings.resolve(ManifestText(contentsOf: path), console)
  }
}
