// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletManifest

/// The library's errors as the tool prints them: each ends with the option or the command that helps, if there is one.
///
/// The library names neither, since other programs print its errors, too.
enum Advice {
  /// How unfinished takes are recovered.
  private static let recovery = " with 'swiftlet recover'"
  /// Where the URIs of plugins are found.
  private static let plugins = "; 'swiftlet list --plugins' shows what is installed"

  /// An engine's error.
  static func text(_ error: EngineError) -> String {
    switch error {
    case .jack(let error): text(error)
    case .plugin(let error): text(error)
    case .file(let error): text(error)
    default: error.description
    }
  }

  /// An error of a JACK server or client.
  static func text(_ error: JackError) -> String {
    switch error {
    case .noServer: error.description + " with --server, or use --dummy"
    case .nameTaken(let name): error.description + ", such as --name \(nextName(after: name))"
    default: error.description
    }
  }

  /// A plugin's error.
  static func text(_ error: PluginError) -> String {
    switch error {
    case .unknownPlugin(_, nearest: nil): error.description + plugins
    default: error.description
    }
  }

  /// A file's error.
  static func text(_ error: FileError) -> String {
    error.description + (error.mayBeUnfinishedTake ? recovery : "")
  }

  /// Why a take ended early or is not finished; nil if all went well.
  static func text(_ report: TakeReport) -> String? {
    report.failure.map { "'\(report.path)' \($0)" + (report.unfinishedSound == nil ? "" : recovery) }
  }

  /// What there is to say about a manifest, in one line that begins with the place.
  static func text(_ problem: Problem) -> String {
    switch problem.remedy {
    case .pluginList: problem.line + plugins
    case .takesFolder: problem.line + ", as in --takes recordings"
    case .takesOutside: problem.line + " with --allow-outside"
    case .recovery: problem.line + recovery
    case nil: problem.line
    }
  }

  /// `vocal` becomes `vocal-2`, `vocal-2` becomes `vocal-3`.
  private static func nextName(after name: String) -> String {
    guard let dash = name.lastIndex(of: "-"), let number = Int(name[name.index(after: dash)...]),
      1..<1_000_000 ~= number
    else { return name + "-2" }
    return "\(name[..<dash])-\(number + 1)"
  }
}
