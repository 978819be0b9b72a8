// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletManifest

extension ManifestText {
  /// Checks the manifest against this machine and prints its warnings.
  ///
  /// - Throws: All its errors, as a ``ManifestError``.
  func resolve(_ console: Console) throws -> ResolvedManifest {
    let manifest = try check(against: .thisMachine)
    for warning in manifest.warnings { console.placed(Advice.text(warning)) }
    return manifest
  }
}

/// The options `--set` and isolation, for every command that works on a manifest.
struct SettingOptions: ParsableArguments {
  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp(
      "Give a parameter another value. May be repeated.", valueName: "node.parameter=value"),
    transform: expecting("node.parameter=value, as in echo.time=350ms", Setting.init))
  var settings: [Setting] = []

  @OptionGroup var isolation: IsolationOptions

  /// Checks a manifest, prints its warnings, and applies the options.
  ///
  /// - Throws: All its errors, as a ``ManifestError``, or a ``Failure`` of an option.
  func resolve(_ text: ManifestText, _ console: Console) throws -> ResolvedManifest {
    try changed(text.check(against: .thisMachine), console)
  }

  /// Prints the warnings of a checked manifest, and applies the options.
  func changed(_ manifest: ResolvedManifest, _ console: Console) throws -> ResolvedManifest {
    for warning in manifest.warnings { console.placed(Advice.text(warning)) }
    var manifest = manifest
    for setting in settings { try setting.apply(to: &manifest) }
    try isolation.apply(to: &manifest, console)
    return manifest
  }
}

/// The manifest of a command, and the options that change it.
struct ManifestOptions: ParsableArguments {
  @Argument(
    help: "The manifest: a file, the name of an installed one, or - for standard input.",
    completion: .file(extensions: ["yaml", "yml", "json"]))
  var manifest: String

  @OptionGroup var settings: SettingOptions

  /// The manifest's path.
  var path: String { ManifestFinder.path(of: manifest) }

  /// Reads and checks the manifest, and applies the options.
  func resolve(_ console: Console) throws -> ResolvedManifest {
    try settings.resolve(ManifestText(contentsOf: path), console)
  }
}
