// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletGraph
internal import SwiftletLV2
internal import SwiftletManifest

/// `swiftlet preset`: manages presets of LV2 plugins, which other LV2 hosts find, too.
struct PresetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preset", abstract: "Save, list, rename and delete presets of LV2 plugins.",
    discussion: """
      A preset that is saved is a bundle in ~/.lv2, which other LV2 hosts find, too. A preset is named by its label, \
      its URI, its number in the list, or its bank and number, as in Pads/2; a manifest names it in the same way.

        swiftlet preset save vocal.yaml --node hall 'Big hall' --bank Mine
        swiftlet preset list http://gareus.org/oss/lv2/zeroconvolv#Mono
        swiftlet preset rename URI 'Big hall' 'Bigger hall'
        swiftlet preset delete URI 'Bigger hall'
      """,
    subcommands: [
      PresetListCommand.self, PresetSaveCommand.self, PresetRenameCommand.self, PresetDeleteCommand.self,
    ])
}

/// The option for the folder of presets.
struct PresetFolder: ParsableArguments {
  @Option(
    name: .customLong("folder"),
    help: ArgumentHelp("The folder of bundles; default: ~/.lv2.", valueName: "folder"), completion: .directory
  )
  private var given: String?

  /// Returns the folder's path.
  func path() throws -> String { try given ?? LV2InstallCommand.usualFolder() }

  /// Returns the user's preset of a plugin with this name.
  func find(_ name: String, of plugin: String) throws -> UserPreset {
    let folder = try path(), own = UserPreset.all(of: plugin, in: folder)
    let known = try PluginWorld.shared.info(uri: plugin).presets
    let found = ProcessorInfo.Preset.find(name, among: known)
    if let preset = own.first(where: { $0.uri == found?.id ?? name || (found == nil && $0.label == name) }) {
      return preset
    }
    if found != nil {
      throw Failure(
        .badInput,
        "'\(name.shortened())' is not a user preset in a bundle of its own in '\(folder)', and is not changed"
      )
    }
    throw Failure(PluginError.unknownPreset(name, plugin: plugin, known: known.map(\.label)))
      ?? .silent(.badInput)
  }
}
