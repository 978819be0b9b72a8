// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import Swiftlet
internal import SwiftletGraph
internal import SwiftletManifest

/// The command `swiftlet` and its subcommands.
struct Tool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swiftlet",
    abstract: "A JACK client that plays, processes and records what a manifest describes.",
    discussion: """
      Getting started:

        swiftlet run --chain 'gain | delay'    your voice through two effects
        swiftlet run vocal.yaml                run a manifest
        swiftlet list                          list the effects and plugins for a chain
        swiftlet set delay.time 350ms          change a session while it runs

      Exit codes:

        0    success, also if ^C ended a run
        1    the input is wrong or cannot be read, or a session cannot do this
        2    the command line is wrong
        3    the JACK server or a plugin failed, no session is running or it
             does not answer, or the shell's limits (ulimit) are too low
        4    done, but incomplete: a take lost frames or ended early, a file
             ended early while it played or was read too late, the graph needed
             more time than a period, or an output of a render was muted (NaN, or
             above +20 dBFS)
        130  a render was interrupted; or interrupted twice; or interrupted once,
             and did not end within 20 seconds
      """,
    version: Version.text,
    subcommands: [
      RunCommand.self, RenderCommand.self, CheckCommand.self, GraphCommand.self, ListCommand.self,
      ShowCommand.self,
      PsCommand.self, StatusCommand.self, GetCommand.self, SetCommand.self, BypassCommand.self,
      TakeCommand.self, TransportCommand.self, UndoCommand.self, WatchCommand.self,
      BenchCommand.self, AuditCommand.self, StateCommand.self, PresetCommand.self, LV2Command.self,
      RecoverCommand.self, SchemaCommand.self,
    ])

  /// The names of the subcommands.
  static var commandNames: [String] {
    configuration.subcommands.map { $0._commandName } + ["help"]
  }

  /// Returns an error with a suggestion if the first argument is no command; nil if it is one. The argument parser
  /// would only call it unexpected.
  static func unknownCommand(in arguments: [String]) -> Failure? {
    guard let word = arguments.first, !word.hasPrefix("-"), !commandNames.contains(word) else { return nil }
    let near = NearestName.nearest(to: String(word.prefix(50)), among: commandNames)
    let hint = near.map { "; did you mean '\($0)'?" } ?? "; 'swiftlet --help' lists the commands"
    return Failure(.badCommandLine, "there is no command '\(word.shortened())'\(hint)")
  }
}
