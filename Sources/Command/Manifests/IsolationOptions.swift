// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletGraph
internal import SwiftletLV2
internal import SwiftletManifest

/// The options for plugins that run in other processes, or are tried in one first.
struct IsolationOptions: ParsableArguments {
  @Option(
    name: .customLong("isolate"), parsing: .singleValue,
    help: ArgumentHelp(
      "Run the plugin of a node in another process, so that a crash affects nothing else. May be repeated.",
      valueName: "node|all"))
  var isolated: [String] = []

  @Flag(
    name: .customLong("probe"),
    help: """
      Test each plugin in another process first. A plugin that fails while it plays is isolated; a plugin that cannot \
      be instantiated is an error.
      """
  )
  var probes = false

  @Flag(
    help: "Run plugins that crashed in 'swiftlet audit' in this process. Default: they are isolated.")
  var force = false

  @Option(
    name: .customLong("plugin-host"),
    help: ArgumentHelp(
      "The program that runs isolated plugins; default: $SWIFTLET_PLUGIN_HOST, otherwise swiftlet-plugin-host beside this tool.",
      valueName: "path"),
    completion: .file())
  var pluginHost: String?

  /// Isolates the plugins that are named, that have crashed in an audit, and that fail when they are tried.
  ///
  /// - Throws: A ``Failure`` if a name is not that of a node with a plugin, or if a plugin cannot be created.
  func apply(to manifest: inout ResolvedManifest, _ console: Console) throws {
    if let pluginHost { PluginHostProgram.choose(pluginHost) }
    for name in isolated { try isolate(name, in: &manifest) }
    if !force { isolateCrashers(in: &manifest, console) }
    guard probes else { return }
    for index in manifest.nodes.indices where manifest.nodes[index].isolation == nil {
      guard case .plugin(let info) = manifest.nodes[index].kind else { continue }
      let name = manifest.nodes[index].name
      let layout = PluginLayout(sampleRate: 48_000, longestBlock: 1024, period: 1024, isOffline: true)
      do throws(PluginError) {
        let values = manifest.nodes[index].values.map { (number: $0.parameter, value: Float($0.value)) }
        let reason = try PluginWorld.shared.probe(uri: info.id, layout: layout, values: values)
        guard let reason else { continue }
        console.warning(
          "the plugin of '\(name)' failed its test in another process, and is isolated: \(reason)")
        manifest.nodes[index].isolation = PluginIsolation()
        manifest.nodes[index].isAlone = true
      } catch {
        throw Failure(.failedHost, "the plugin of '\(name)' cannot be instantiated: \(error)")
      }
    }
  }

  /// Isolates the plugins that have crashed in an audit.
  private func isolateCrashers(in manifest: inout ResolvedManifest, _ console: Console) {
    for (index, crash) in manifest.knownCrashes {
      console.warning(
        "the plugin of '\(manifest.nodes[index].name)' runs in a process of its own: its audit found a crash "
          + "(\(crash)); --force runs it in this process")
      manifest.nodes[index].isolation = PluginIsolation()
      manifest.nodes[index].isAlone = true
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
    for index in named where manifest.nodes[index].isolation == nil {
      manifest.nodes[index].isolation = PluginIsolation()
    }
  }
}

extension ResolvedManifest {
  /// The nodes with a plugin that has crashed in an audit and is not isolated: their indices, and the audit's
  /// description of the crash.
  var knownCrashes: [(index: Int, crash: String)] {
    let cache = AuditCache()
    return nodes.indices.compactMap { index in
      guard case .plugin(let info) = nodes[index].kind, nodes[index].isolation == nil else { return nil }
      return cache.known(of: info.id, in: .shared).crash.map { (index, $0) }
    }
  }

  /// A note for each node whose plugin depends on the block length, according to its audit.
  var blockLengthNotes: [String] {
    let cache = AuditCache()
    return nodes.compactMap { node in
      guard case .plugin(let info) = node.kind,
        cache.known(of: info.id, in: .shared).blockLength != nil
      else { return nil }
      return "according to its audit, the output of the plugin of '\(node.name)' depends on the block length"
    }
  }
}

extension ResolvedManifest.Kind {
  fileprivate var isPlugin: Bool { if case .plugin = self { true } else { false } }
}
