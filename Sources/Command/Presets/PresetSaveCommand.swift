// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import Foundation
internal import Swiftlet
internal import SwiftletDisk
internal import SwiftletLV2
internal import SwiftletManifest

/// `swiftlet preset save`: saves the state of a plugin as a user's preset.
struct PresetSaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save the state of a manifest's plugin as a preset.",
    discussion: """
      The plugin is created with the state, preset, files and parameters of the manifest and --set. Its files are \
      copied into the preset.
      """)

  @OptionGroup var manifest: ManifestOptions

  @Argument(help: "The label of the preset.")
  var label: String

  @Option(help: ArgumentHelp("The node; default: the only one with a plugin.", valueName: "node"))
  var node: String?

  @Option(help: ArgumentHelp("The name of the bank that the preset is added to.", valueName: "bank"))
  var bank: String?

  @Flag(help: "Replace your preset of that label.")
  var overwrite = false

  @OptionGroup var folder: PresetFolder

  @OptionGroup var crash: CrashOptions

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if label.isEmpty || bank?.isEmpty == true { throw ValidationError("a preset and a bank need a name") }
  }

  func run() throws {
    let console = common.console
    let resolved = try manifest.resolve(console)
    let names = try StateSaveCommand.plugins(of: resolved, node)
    guard names.count == 1, let found = resolved.nodes.first(where: { $0.name == names[0] }),
      case .plugin(let info) = found.kind
    else {
      throw Failure(
        .badCommandLine, "there are several plugins: \(names.joined(separator: ", ")); select one with --node"
      )
    }
    let root = try folder.path()
    let old = UserPreset.all(of: info.id, in: root).first { $0.label == label }
    if let old, !overwrite {
      throw Failure(
        .badInput,
        "the plugin has a preset '\(label.shortened())' in '\(old.bundle)'; choose another name, or use --overwrite"
      )
    }
    let session = try PluginSession.make(resolved, file: manifest.path)
    defer { session.engine.close() }
    let path = old?.bundle ?? Self.freeBundle(for: label, of: info.name, in: root)
    let bundle = try PluginSession.written(path) { () throws(DiskError) in try NewFolder(path) }
    do throws(EngineError) {
      let title = StateTitle(label: label, bank: bank)
      if let node = session.node(found.name) {
        try session.engine.saveState(to: bundle.currentPath, title: title, of: node)
      }
    } catch {
      throw Failure(error)
    }
    try PluginSession.written(path) { () throws(DiskError) in try bundle.publish(replaces: old != nil) }
    console.note("saved '\(label)' in '\(path)'")
  }

  /// Returns the first free path of `Amp_Loud.preset.lv2`, `Amp_Loud-2.preset.lv2` …
  private static func freeBundle(for label: String, of plugin: String, in folder: String) -> String {
    let stem = String(
      "\(plugin)_\(label)".prefix(100).map {
        $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_"
      })
    func path(_ number: Int) -> String {
      "\(folder)/\(stem)\(number == 1 ? "" : "-\(number)").preset.lv2"
    }
    return path((1...).first { !FileManager.default.fileExists(atPath: path($0)) } ?? 1)
  }
}
