// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser

/// Whether and where takes are recorded.
struct TakeOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Where takes go.", valueName: "folder"), completion: .directory)
  var takes = "."

  @Flag(help: "Record nothing.")
  var noRecord = false
}
