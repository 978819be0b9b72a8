// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// What is said of what an engine holds: its nodes, its taps, and edits of both.

extension EngineError {
  /// The node cannot be detached.
  static func mainNodeText(_ name: String) -> String {
    "'\(name)' is a node that every engine has, and cannot be detached; disconnect it instead"
  }

  /// The recorder has no tap of this name.
  static func unknownTapText(_ tap: String, _ known: [String]) -> String {
    "the recorder has no tap '\(tap)': " + list(known, orElse: "add it first")
  }

  /// Another edit was faster.
  static func conflictText(_ part: String) -> String {
    "the edit changes \(part), which another edit has changed since this one began; nothing was changed: edit again"
  }

  /// What there is to choose from, or what is said if there is nothing.
  static func list(_ known: [String], orElse nothing: String) -> String {
    known.isEmpty ? nothing : "it has " + known.joined(separator: ", ")
  }

  /// The name that was meant, perhaps.
  static func hint(_ nearest: String?) -> String { nearest.map { "; did you mean '\($0)'?" } ?? "" }
}
