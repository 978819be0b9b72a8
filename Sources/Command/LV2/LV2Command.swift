// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser

/// `swiftlet lv2`: provides the built-in effects to other hosts.
struct LV2Command: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lv2", abstract: "Give the built-in effects to other hosts, as LV2 plugins.",
    subcommands: [LV2InstallCommand.self])
}

/// `swiftlet lv2 install`: copies the LV2 bundle to a folder that hosts search.
struct LV2InstallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Copy the built-in effects' LV2 bundle to where hosts find it.",
    discussion: """
      It becomes the folder swiftlet.lv2. An earlier version of it is replaced, while hosts that run keep theirs; what \
      is not Swiftlet's is left alone.
      """)

  @Argument(help: "The folder of bundles to put it into, ~/.lv2 unless said.", completion: .directory)
  var folder: String?

  @OptionGroup var common: CommonOptions

  func run() throws {
    let bundle = try PluginBundle.find()
    try common.console.note("installed '\(bundle.install(into: folder ?? Self.usualFolder()))'")
  }

  /// Returns the folder of the user's own plugins.
  static func usualFolder() throws -> String {
    guard let home = Environment["HOME"], home.hasPrefix("/") else {
      throw Failure(.badCommandLine, "HOME is not set: name the folder to put the bundle into")
    }
    return "\(home)/.lv2"
  }
}
