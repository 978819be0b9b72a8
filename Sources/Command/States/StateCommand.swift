// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser

/// `swiftlet state`: manages states of plugins in folders.
struct StateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "state", abstract: "Save, show and load the states of LV2 plugins.",
    discussion: """
      A state is a folder with a file state.ttl and all files that the plugin needs, so it can be moved and copied. \
      Other LV2 hosts read it, such as jalv -l FOLDER, and what they save is read here.

        swiftlet state save vocal.yaml --node hall -o hall.state
        swiftlet state show hall.state
        swiftlet state load hall.state --into song.yaml --node room -o song-2.yaml
      """,
    subcommands: [StateSaveCommand.self, StateShowCommand.self, StateLoadCommand.self])
}
