// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
public import Swiftlet
internal import SwiftletGraph

/// An error or warning about a manifest: its position, what was found, and what was expected.
///
/// It has the format of compiler messages, so that editors can jump to the position: `vocal.yaml:14:22: error: …`.
public struct Problem: SwiftletError, Equatable {
  /// The severity of a problem.
  public enum Severity: String, Sendable {
    /// The manifest cannot be used.
    case error
    /// The manifest can be used, but may not do what was intended.
    case warning
  }

  /// A remedy outside the manifest.
  public enum Remedy: Sendable, Equatable {
    /// To list the installed plugins.
    case pluginList
    /// To choose another takes folder: ``Session/Options/takesFolder``.
    case takesFolder
    /// To allow takes outside the takes folder: ``Session/Options/allowsTakesOutside``.
    case takesOutside
    /// To recover the file if it is an unfinished take: `TakeRecovery`.
    case recovery
  }

  /// The severity.
  public var severity: Severity
  /// The file's name as the user gave it.
  public var file: String
  /// The position in the file; nil for the whole file.
  public var position: TextPosition?
  /// The message in one line: what is wrong and what was expected. It may quote invisible or control characters of
  /// the file; ``description`` escapes them.
  public var message: String
  /// A remedy outside the manifest; nil if there is none. ``message`` describes it in general words; a program can
  /// append its own instructions.
  public var remedy: Remedy?

  /// Creates an error or warning about a file.
  public init(
    _ severity: Severity = .error, file: String, position: TextPosition? = nil, message: String,
    remedy: Remedy? = nil
  ) {
    self.severity = severity
    self.file = file
    self.position = position
    self.message = message
    self.remedy = remedy
  }

  /// The problem in one line, with invisible characters escaped.
  public var description: String { PrintableText.escaped(line) }

  /// The problem in one line, without escapes.
  package var line: String {
    let location = position.map { ":\($0.line):\($0.column)" } ?? ""
    return "\(file)\(location): \(severity.rawValue): \(message)"
  }
}

/// The error of an invalid manifest, with all its problems in the order of the text.
public struct ManifestError: SwiftletError, Equatable {
  /// The errors and warnings.
  public var problems: [Problem]

  /// Creates an error from problems.
  public init(_ problems: [Problem]) { self.problems = problems }

  /// Creates an error from one problem.
  init(_ problem: Problem) { problems = [problem] }

  /// The problems, one a line.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Collects the errors and warnings about a file.
struct Problems {
  let file: String
  private(set) var list: [Problem] = []
  /// The number of errors. Warnings do not count.
  private(set) var errorCount = 0
  /// The number of unknown names for which suggestions are still searched.
  private var hintsLeft = 100

  init(file: String) { self.file = file }

  var hasErrors: Bool { errorCount > 0 }

  /// The problems in the order of the text, those of the whole file first, without duplicates.
  ///
  /// A node in the middle of a chain is an end of two wires, so its error occurs twice.
  var sorted: [Problem] {
    let inOrder = list.enumerated().sorted { one, other in
      let here = one.element.position ?? .start, there = other.element.position ?? .start
      return (here.line, here.column, one.offset) < (there.line, there.column, other.offset)
    }.map(\.element)
    return inOrder.indices.filter { $0 == 0 || inOrder[$0] != inOrder[$0 - 1] }.map { inOrder[$0] }
  }

  mutating func error(_ position: TextPosition, _ message: String, remedy: Problem.Remedy? = nil) {
    errorCount += 1
    list.append(Problem(.error, file: file, position: position, message: message, remedy: remedy))
  }

  mutating func warning(_ position: TextPosition, _ message: String, remedy: Problem.Remedy? = nil) {
    list.append(Problem(.warning, file: file, position: position, message: message, remedy: remedy))
  }

  /// Reports an unknown name, with the nearest known name as a suggestion.
  mutating func unknown(_ position: TextPosition, _ message: String, _ name: String, among known: [String]) {
    hintsLeft -= 1
    error(position, message + (hintsLeft >= 0 ? NearestName.hint(for: name, among: known) : ""))
  }
}
