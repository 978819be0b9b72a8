// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser

/// The options of commands that run plugins.
struct CrashOptions: ParsableArguments {
  @Flag(
    help: "If a plugin crashes, end with its signal, which leaves a core dump if the system allows it.")
  var core = false

  func validate() {
    if core { CrashReport.keepCore() }
  }
}

/// The options of all commands.
struct CommonOptions: ParsableArguments {
  @Flag(name: [.short, .long], help: "Print errors only.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Print details.")
  var verbose = false

  @Option(help: ArgumentHelp("Use colours: auto, always or never.", valueName: "when"))
  var color = ColorChoice.auto

  func validate() throws {
    if quiet && verbose { throw ValidationError("--quiet and --verbose contradict each other") }
  }

  /// The console that prints messages.
  var console: Console {
    Console(stream: .error, volume: quiet ? .quiet : verbose ? .verbose : .normal, color: color)
  }

  /// The style of results.
  var resultStyle: Style { Style(.output, color) }
}
