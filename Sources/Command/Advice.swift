// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletManifest

/// The tool's text for errors of the library, with the command-line option or the command that helps, if there is
/// one.
///
/// The library's own texts name neither, because other programs print them, too.
enum Advice {
  /// The ending of messages about unfinished takes that can be recovered.
  private static let recovery = " with 'swiftlet recover'"
  /// The ending of messages about unknown plugins.
  private static let plugins = "; 'swiftlet list --plugins' shows what is installed"

  /// Returns the text of an engine's error.
  static func text(_ error: EngineError) -> String {
    switch error {
    case .jack(let error): text(error)
    case .plugin(let error): text(error)
    case .file(let error): text(error)
    default: error.description
    }
  }

  /// Returns the text of an error of a JACK server or client.
  static func text(_ error: JackError) -> String {
    switch error {
    case .noServer: error.description + " with --server, or use --dummy"
    case .nameTaken(let name): error.description + ", such as --name \(nextName(after: name))"
    default: error.description
    }
  }

  /// Returns the text of a plugin's error.
  static func text(_ error: PluginError) -> String {
    switch error {
    case .unknownPlugin(_, nearest: nil): error.description + plugins
    case .noPluginHost: error.description + " or with --plugin-host"
    default: error.description
    }
  }

  /// Returns the text of a file's error.
  static func text(_ error: FileError) -> String {
    error.description + (error.mayBeUnfinishedTake ? recovery : "")
  }

  /// Returns why a take ended early or is unfinished; nil if the take is complete.
  static func text(_ report: TakeReport) -> String? {
    report.failure.map { "'\(report.path)' \($0)" + (report.unfinishedSound == nil ? "" : recovery) }
  }

  /// Returns a manifest's error or warning as one line that begins with file, line and column.
  static func text(_ problem: Problem) -> String {
    switch problem.remedy {
    case .pluginList: problem.line + plugins
    case .takesFolder: problem.line + ", as in --takes recordings"
    case .takesOutside: problem.line + " with --allow-outside"
    case .recovery: problem.line + recovery
    case nil: problem.line
    }
  }

  /// Returns the next free name in a series: `vocal` becomes `vocal-2`, `vocal-2` becomes `vocal-3`.
  private static func nextName(after name: String) -> String {
    guard let dash = name.lastIndex(of: "-"), let number = Int(name[name.index(after: dash)...]),
      1..<1_000_000 ~= number
    else { return name + "-2" }
    return "\(name[..<dash])-\(number + 1)"
  }
}
