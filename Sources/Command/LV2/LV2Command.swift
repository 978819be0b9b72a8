// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser

/// `swiftlet lv2`: provides the built-in effects to other hosts.
struct LV2Command: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lv2", abstract: "Install the built-in effects as LV2 plugins for other hosts.",
    subcommands: [LV2InstallCommand.self])
}

/// `swiftlet lv2 install`: copies the LV2 bundle to a folder that hosts search.
struct LV2InstallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Copy the built-in effects' LV2 bundle into a folder that hosts search.",
    discussion: """
      The bundle is the folder swiftlet.lv2. An earlier version of it is replaced; running hosts keep the old one. \
      Files that are not Swiftlet's are not changed.
      """)

  @Argument(help: "The folder of bundles; default: ~/.lv2.", completion: .directory)
  var folder: String?

  @OptionGroup var common: CommonOptions

  func run() throws {
    let bundle = try PluginBundle.find()
    try common.console.note("installed '\(bundle.install(into: folder ?? Self.usualFolder()))'")
  }

  /// Returns the folder of the user's own plugins.
  static func usualFolder() throws -> String {
    guard let home = Environment["HOME"], home.hasPrefix("/") else {
      throw Failure(.badCommandLine, "HOME is not set: name the folder of bundles")
    }
    return "\(home)/.lv2"
  }
}
