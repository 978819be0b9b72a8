// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
public import Swiftlet
internal import SwiftletGraph

/// Something to say about a manifest: what was found where, and what was expected.
///
/// It prints as compilers do, so that editors can jump there: `vocal.yaml:14:22: error: …`.
public struct Problem: SwiftletError, Equatable {
  /// How bad it is.
  public enum Severity: String, Sendable {
    /// The manifest cannot be used.
    case error
    /// The manifest can be used, but may not do what was meant.
    case warning
  }

  /// What helps against a problem beyond a change of the manifest.
  public enum Remedy: Sendable, Equatable {
    /// A look at the installed plugins.
    case pluginList
    /// Another takes folder: ``Session/Options/takesFolder``.
    case takesFolder
    /// Takes that may leave the takes folder: ``Session/Options/allowsTakesOutside``.
    case takesOutside
    /// The recovery of the file, if it is a take that was left unfinished: `TakeRecovery`.
    case recovery
  }

  /// How bad it is.
  public var severity: Severity
  /// The file's name as the user gave it.
  public var file: String
  /// Where in the file; nil where the file as a whole is meant.
  public var place: Place?
  /// What is wrong and what was expected, in one line. It may quote characters of the file that move a cursor or do
  /// not show; ``description`` has them escaped.
  public var message: String
  /// What helps beyond a change of the manifest, if anything. ``message`` ends by naming it in general words; a program
  /// can add how it is done there.
  public var remedy: Remedy?

  /// Something to say about `file`.
  public init(
    _ severity: Severity = .error, file: String, place: Place? = nil, message: String, remedy: Remedy? = nil
  ) {
    self.severity = severity
    self.file = file
    self.place = place
    self.message = message
    self.remedy = remedy
  }

  /// One line, with every character that would not show as itself escaped.
  public var description: String { PrintableText.escaped(line) }

  /// One line as compilers write it, with what it quotes as it is.
  package var line: String {
    let position = place.map { ":\($0.line):\($0.column)" } ?? ""
    return "\(file)\(position): \(severity.rawValue): \(message)"
  }
}

/// Why a manifest cannot be used: everything that is wrong with it, in the order of its text.
public struct ManifestError: SwiftletError, Equatable {
  /// What is wrong, and what is doubtful besides.
  public var problems: [Problem]

  /// An error of these problems.
  public init(_ problems: [Problem]) { self.problems = problems }

  /// An error of one problem.
  init(_ problem: Problem) { problems = [problem] }

  /// One line a problem.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Collects what there is to say about one file while it is read.
struct Problems {
  let file: String
  private(set) var list: [Problem] = []
  /// How many of them are errors: what was warned of counts as it stands.
  private(set) var errorCount = 0
  /// How many more mistyped names are worth the search for a near one.
  private var hintsLeft = 100

  init(file: String) { self.file = file }

  var hasErrors: Bool { errorCount > 0 }

  /// The list in the order of the text; what concerns the whole file comes first.
  ///
  /// A node in the middle of a chain is an end of two wires: what is wrong with it is told once.
  var sorted: [Problem] {
    let inOrder = list.enumerated().sorted { one, other in
      let here = one.element.place ?? .start, there = other.element.place ?? .start
      return (here.line, here.column, one.offset) < (there.line, there.column, other.offset)
    }.map(\.element)
    return inOrder.indices.filter { $0 == 0 || inOrder[$0] != inOrder[$0 - 1] }.map { inOrder[$0] }
  }

  mutating func error(_ place: Place, _ message: String, remedy: Problem.Remedy? = nil) {
    errorCount += 1
    list.append(Problem(.error, file: file, place: place, message: message, remedy: remedy))
  }

  mutating func warning(_ place: Place, _ message: String, remedy: Problem.Remedy? = nil) {
    list.append(Problem(.warning, file: file, place: place, message: message, remedy: remedy))
  }

  /// Says that a name is not known, and which known one is nearest.
  mutating func unknown(_ place: Place, _ message: String, _ name: String, among known: [String]) {
    hintsLeft -= 1
    error(place, message + (hintsLeft >= 0 ? NearestName.hint(for: name, among: known) : ""))
  }
}
