// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// The messages about edits, and parts that several messages share.

extension EngineError {
  /// Returns the message for a conflict with another edit.
  static func conflictText(_ part: String) -> String {
    "the edit changes \(part), which another edit has changed since; nothing was changed; make the edit again"
  }

  /// Returns the available names as text, or `nothing` if there are none.
  static func list(_ known: [String], orElse nothing: String) -> String {
    known.isEmpty ? nothing : "it has " + known.joined(separator: ", ")
  }

  /// Returns the suggestion of a similar name, if there is one.
  static func hint(_ nearest: String?) -> String { nearest.map { "; did you mean '\($0)'?" } ?? "" }
}
