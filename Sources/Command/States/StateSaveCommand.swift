// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import Foundation
internal import Swiftlet
internal import SwiftletDisk
internal import SwiftletManifest

/// `swiftlet state save`: creates the plugins of a manifest and saves their states.
struct StateSaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save the state of a manifest's plugins in a folder.",
    discussion: """
      The plugins are created with the state, preset, files and parameters of the manifest and --set; nothing is \
      played. With --node the folder is the state of that plugin; without, it contains a folder for each plugin, named \
      after its node. The folder gets its name when it is complete.
      """)

  @OptionGroup var manifest: ManifestOptions

  @Option(help: ArgumentHelp("The node whose plugin is saved; default: all plugins.", valueName: "node"))
  var node: String?

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The output folder.", valueName: "folder"),
    completion: .directory)
  var output: String

  @Flag(help: "Replace an existing folder of states.")
  var overwrite = false

  @OptionGroup var crash: CrashOptions

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let resolved = try manifest.resolve(console)
    let names = try Self.plugins(of: resolved, node)
    try requireFree()
    let session = try PluginSession.make(resolved, file: manifest.path)
    defer { session.engine.close() }
    let folder = try PluginSession.written(output) { () throws(DiskError) in try NewFolder(output) }
    for name in names {
      let path = node == nil ? folder.currentPath + "/" + name : folder.currentPath
      guard let node = session.node(name) else { continue }
      do throws(EngineError) { try session.engine.saveState(to: path, title: nil, of: node) } catch {
        throw Failure(error)
      }
    }
    try PluginSession.written(output) { () throws(DiskError) in try folder.publish(replaces: overwrite) }
    console.note("saved \(names.joined(separator: ", ")) in '\(output)'")
  }

  /// Returns the names of the nodes whose plugins are saved.
  static func plugins(of manifest: ResolvedManifest, _ node: String?) throws -> [String] {
    let plugins = manifest.nodes.filter { if case .plugin = $0.kind { true } else { false } }.map(\.name)
    guard let node else {
      guard !plugins.isEmpty else { throw Failure(.badInput, "the manifest has no node with an LV2 plugin") }
      return plugins
    }
    guard plugins.contains(node) else {
      let known = plugins.isEmpty ? "there is none" : "there are " + plugins.joined(separator: ", ")
      throw Failure(
        .badCommandLine, "'--node \(node.shortened())' names no node with an LV2 plugin; \(known)")
    }
    return [node]
  }

  /// Throws if the output folder exists and must not be replaced.
  private func requireFree() throws {
    guard FileManager.default.fileExists(atPath: output) else { return }
    guard overwrite else {
      throw Failure(.badInput, "'\(output)' is there already; choose another name, or use --overwrite")
    }
    if let reason = StateFolder.reasonNotToReplace(output) {
      throw Failure(.badInput, "'\(output)' \(reason) and is not replaced; choose another name")
    }
  }
}
