// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletGraph
internal import SwiftletLV2
internal import SwiftletManifest

/// `swiftlet preset list`: lists the presets of a plugin.
struct PresetListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the presets of a plugin: number, label, bank, URI.")

  @Argument(help: "The URI of the plugin.")
  var plugin: String

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var folder: PresetFolder

  @OptionGroup var common: CommonOptions

  func run() throws {
    let presets = try PluginWorld.shared.info(uri: plugin).presets
    let own = Set(((try? folder.path()).map { UserPreset.all(of: plugin, in: $0) } ?? []).map(\.uri))
    if json {
      let list = presets.map { preset in
        JSONValue.object([
          ("uri", .string(preset.id)), ("label", .string(preset.label)), ("bank", .optional(preset.bank)),
          ("isOwn", .toggle(own.contains(preset.id))),
        ])
      }
      return try Results().json(.object([JSONValue.format, ("presets", .list(list))]))
    }
    if presets.isEmpty { common.console.note("the plugin <\(plugin)> has no presets") }
    var table = Table()
    for (number, preset) in presets.enumerated() {
      table.add(
        "\(number + 1)", preset.label.shortened(), preset.bank ?? "", own.contains(preset.id) ? "yours" : "",
        preset.id)
    }
    for line in table.lines { try Results().line(line) }
  }
}

/// `swiftlet preset rename`: changes the label of a user's preset.
struct PresetRenameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename a user preset.",
    discussion: "Its URI stays, so manifests and sessions of other hosts still find it by its URI.")

  @Argument(help: "The URI of the plugin.")
  var plugin: String

  @Argument(help: "The preset: its label, URI, number, or bank and number.")
  var preset: String

  @Argument(help: "The new label.")
  var label: String

  @OptionGroup var folder: PresetFolder

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if label.isEmpty { throw ValidationError("a preset needs a name") }
  }

  func run() throws {
    let found = try folder.find(preset, of: plugin)
    if try UserPreset.all(of: plugin, in: folder.path()).contains(where: { $0.label == label }) {
      throw Failure(.badInput, "the plugin has a preset '\(label.shortened())'; choose another name")
    }
    do throws(UserPreset.Refusal) { try found.relabel(as: label) } catch {
      throw Failure(.badInput, error.description)
    }
    common.console.note("'\(found.label)' is called '\(label)' now")
  }
}

/// `swiftlet preset delete`: removes a user's preset.
struct PresetDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a user preset, with its files.",
    discussion: "A preset that is part of a plugin, or shares its bundle with others, is not changed.")

  @Argument(help: "The URI of the plugin.")
  var plugin: String

  @Argument(help: "The preset: its label, URI, number, or bank and number.")
  var preset: String

  @OptionGroup var folder: PresetFolder

  @OptionGroup var common: CommonOptions

  func run() throws {
    let found = try folder.find(preset, of: plugin)
    do throws(UserPreset.Refusal) { try found.delete() } catch {
      throw Failure(.badInput, error.description)
    }
    common.console.note("removed '\(found.label)' in '\(found.bundle)'")
  }
}
