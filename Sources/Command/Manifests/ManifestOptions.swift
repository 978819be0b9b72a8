// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletGraph
internal import SwiftletLV2
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

  @Option(
    name: .customLong("isolate"), parsing: .singleValue,
    help: ArgumentHelp(
      "Run the plugin of a node in a process of its own, so that a crash is its own; may be said often.",
      valueName: "node|all"))
  var isolated: [String] = []

  @Flag(
    help: "Let plugins run in this process that have crashed in 'swiftlet audit'; else they are isolated.")
  var force = false

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
    for name in isolated { try isolate(name, in: &manifest) }
    if !force { isolateCrashers(in: &manifest, console) }
    return manifest
  }

  /// Isolates the plugins that have crashed in an audit.
  private func isolateCrashers(in manifest: inout ResolvedManifest, _ console: Console) {
    for (place, crash) in manifest.knownCrashes {
      console.warning(
        "the plugin of '\(manifest.nodes[place].name)' runs in a process of its own, since the audit says: \(crash); "
          + "--force lets it run in this one")
      manifest.nodes[place].isolation = PluginIsolation()
    }
  }

  private func isolate(_ name: String, in manifest: inout ResolvedManifest) throws {
    let plugins = manifest.nodes.indices.filter { manifest.nodes[$0].kind.isPlugin }
    let named = plugins.filter { name == "all" || manifest.nodes[$0].name == name }
    guard !named.isEmpty || name == "all" else {
      let known = plugins.map { manifest.nodes[$0].name }
      throw Failure(
        .badCommandLine,
        "'--isolate \(name)' names no node with an LV2 plugin; "
          + (known.isEmpty ? "there is none" : "there are " + known.joined(separator: ", ")))
    }
    for place in named where manifest.nodes[place].isolation == nil {
      manifest.nodes[place].isolation = PluginIsolation()
    }
  }
}

extension ResolvedManifest {
  /// The nodes that run a plugin in this process that has crashed in an audit, by their places, and what the audit says.
  var knownCrashes: [(place: Int, crash: String)] {
    let cache = AuditCache()
    return nodes.indices.compactMap { place in
      guard case .plugin(let info) = nodes[place].kind, nodes[place].isolation == nil else { return nil }
      return cache.crash(of: info.id, in: .shared).map { (place, $0) }
    }
  }
}

extension ResolvedManifest.Kind {
  fileprivate var isPlugin: Bool { if case .plugin = self { true } else { false } }
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
