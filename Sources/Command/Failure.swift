// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletLV2
internal import SwiftletManifest

/// An error that ends a command: the messages to print, and the exit status.
struct Failure: Error, Equatable {
  /// The exit status.
  let status: ExitStatus
  /// The messages, one a line. Quoted text is not escaped yet; the console does that. Lines that begin with a
  /// position in a file are printed without a prefix.
  let lines: [String]
  /// Whether each line begins with its file's name already.
  var hasPositions = false

  /// Creates a failure with one message.
  init(_ status: ExitStatus, _ line: String) {
    self.status = status
    lines = [line]
  }

  /// Returns a failure without a message, for use after the message has been printed.
  static func silent(_ status: ExitStatus) -> Failure { Failure(status: status, lines: []) }

  private init(status: ExitStatus, lines: [String], hasPositions: Bool = false) {
    self.status = status
    self.lines = lines
    self.hasPositions = hasPositions
  }

  /// Converts an error of another module; nil for an error of an unknown type, such as the argument parser's.
  init?(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as ManifestError:
      self.init(status: .badInput, lines: error.problems.map { Advice.text($0) }, hasPositions: true)
    case let problem as Problem:
      self.init(status: .badInput, lines: [Advice.text(problem)], hasPositions: true)
    case let error as FileError: self.init(.badInput, Advice.text(error))
    case let error as PluginError:
      self.init(error.isAboutInput ? .badInput : .failedHost, Advice.text(error))
    case let error as GraphError: self.init(.badInput, "\(error)")
    case let error as EngineError: self.init(error)
    case let error as ExportError: self.init(error)
    case let error as TimeError: self.init(.badCommandLine, "\(error)")
    default: return nil
    }
  }

  /// Converts an engine's error.
  init(_ error: EngineError) { self.init(Self.status(of: error), Advice.text(error)) }

  /// Converts an export's error. The messages name the options of `render`.
  init(_ error: ExportError) {
    switch error {
    case .engine(let error): self.init(error)
    case .file(let error):
      let isReplaceable = error.kind == .exists && !error.mayBeUnfinishedTake
      self.init(.badInput, Advice.text(error) + (isReplaceable ? ", or use --overwrite" : ""))
    case .endless:
      self.init(
        .badCommandLine, "the render has no length: give an --input, or a duration, as in --for 60")
    case .empty:
      self.init(
        .badCommandLine,
        "the render has a length of zero: give a duration, as in --for 60, or a --tail")
    case .inUse, .protected, .inputChannels: self.init(.badInput, "\(error)")
    default: self.init(.badCommandLine, "\(error)")
    }
  }

  /// Converts an error of creating a session. The message begins with the position in the manifest of the node that
  /// caused it, if there is one.
  init(_ error: EngineError, in manifest: ResolvedManifest, file: String) {
    let position = manifest.nodes.first { $0.isCause(of: error) }?.position
    guard let position else {
      self.init(error)
      return
    }
    let problem = Problem(file: file, position: position, message: Advice.text(error))
    self.init(status: Self.status(of: error), lines: [problem.line], hasPositions: true)
  }

  /// Returns the exit status for an engine's error: wrong input, or a failed server or plugin.
  private static func status(of error: EngineError) -> ExitStatus {
    switch error {
    case .jack(.badServer): .badCommandLine
    case .jack, .serverLost: .failedHost
    case .plugin(let error): error.isAboutInput ? .badInput : .failedHost
    default: .badInput
    }
  }

  /// Converts an error of the argument parser.
  init(usage message: String, arguments: [String]) {
    let command = arguments.first.flatMap { word in Tool.commandNames.first { $0 == word } }
    let help = command.map { "swiftlet \($0) --help" } ?? "swiftlet --help"
    var text = message.replacing("\n", with: " ").replacing(". Did you mean", with: "; did you mean")
    if let first = text.first, first.isUppercase { text = first.lowercased() + text.dropFirst() }
    while text.hasSuffix(".") || text.hasSuffix(" ") { text.removeLast() }
    self.init(.badCommandLine, "\(text) (see '\(help)')")
  }

  /// Writes at most 100 lines to standard error, then the number of the remaining lines.
  func print(_ console: Console) {
    for line in lines.prefix(100) {
      if hasPositions { console.placed(line) } else { console.error(line) }
    }
    if lines.count > 100 { console.error("and \(lines.count - 100) more of this kind") }
  }
}

extension PluginError {
  /// Whether the error is in the user's input rather than in a plugin.
  fileprivate var isAboutInput: Bool {
    switch self {
    case .unknownPlugin, .unknownPreset, .unknownParameter, .state: true
    default: false
    }
  }
}

extension ResolvedManifest.Node {
  /// Whether an error is about this node: its plugin, effect, file, preset or bands.
  fileprivate func isCause(of error: EngineError) -> Bool {
    switch (error, kind) {
    case (.plugin(let error), .plugin(let info)): error.description.contains("<\(info.id)>")
    case (.effect(let name, _), .effect(let info)): name == info.id
    case (.file(let error), .player(let path, _)): error.path == path
    case (.unknownPreset(let node, _, _), _), (.bands(let node, _, _), _): node == name
    default: false
    }
  }
}
