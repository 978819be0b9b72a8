// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// What is said of edits, and the parts of sentences that several errors share.

extension EngineError {
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
