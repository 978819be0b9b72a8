// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletControl

/// `swiftlet take`: starts and ends the takes of a session.
struct TakeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "take", abstract: "Start and end takes of a running session.",
    subcommands: [Start.self, End.self])

  /// `swiftlet take start`.
  struct Start: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "start", abstract: "Start takes, and print their files.",
      discussion: "Takes that start together begin at one instant. A take that is running continues.")

    @OptionGroup var options: TapOptions

    func run() throws { try options.perform { .startTake($0) } }
  }

  /// `swiftlet take end`.
  struct End: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "end", abstract: "End takes, and print their files.",
      discussion: "The session finishes the files after the command has ended, which takes a moment.")

    @OptionGroup var options: TapOptions

    func run() throws { try options.perform { .endTake($0) } }
  }
}

/// The tap whose take a command starts or ends.
struct TapOptions: ParsableArguments {
  @Argument(
    help: "The tap. Default: all taps that record.",
    completion: .custom { words, _, _ in SessionCompletion.taps(words) })
  var tap: String?

  @OptionGroup var session: SessionOptions

  /// Sends a command, and prints the files of the takes.
  func perform(_ command: (String?) -> ControlCommand) throws {
    for value in try session.perform(command(tap)).values ?? [] {
      try Results().line(StyledText(value.text))
    }
  }
}

/// `swiftlet transport`: controls the transport that the timeline of a session follows.
struct TransportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transport", abstract: "Start, stop and move the transport of a running session.",
    discussion: """
      The transport is the timeline's own ('start: paused' or 'loop'), or JACK's if the timeline follows it.
      """,
    subcommands: [Play.self, Stop.self, Seek.self])

  /// `swiftlet transport play`.
  struct Play: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "play", abstract: "Start the transport.")

    @OptionGroup var session: SessionOptions

    func run() throws { try session.perform(.transport(.play)) }
  }

  /// `swiftlet transport stop`.
  struct Stop: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "stop", abstract: "Stop the transport.")

    @OptionGroup var session: SessionOptions

    func run() throws { try session.perform(.transport(.stop)) }
  }

  /// `swiftlet transport seek`.
  struct Seek: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "seek", abstract: "Move the transport to a position.")

    @Argument(help: "The position: a time such as 1:30 or 90s, or a bar and beat, such as '5|1'.")
    var position: String

    @OptionGroup var session: SessionOptions

    func run() throws { try session.perform(.transport(.seek(.text(position)))) }
  }
}

/// `swiftlet undo`: undoes the last edit of a session.
struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo the last edit of a running session, such as a bypass.",
    discussion: "Values of parameters and levels are no edits. The last 100 edits can be undone.")

  @Flag(help: "Make the edit again that was undone last.")
  var redo = false

  @OptionGroup var session: SessionOptions

  func run() throws { try session.perform(redo ? .redo : .undo) }
}
