// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

/// The reason why a command was not carried out. Nothing was changed.
package struct ControlError: Error, Codable, Sendable, Equatable, CustomStringConvertible {
  /// The kind of an error. The raw values are those of the protocol.
  package enum Kind: String, Codable, Sendable {
    /// There is no value, node or tap with this name.
    case unknownAddress = "unknown-address"
    /// The value cannot be read or does not fit the address.
    case badValue = "bad-value"
    /// The value can only be read.
    case readOnly = "read-only"
    /// The session cannot carry out the command in its state.
    case notPossible = "not-possible"
    /// The command was tried and failed, such as a take whose file cannot be made.
    case failed
    /// The line is no command.
    case malformed
    /// The line is too long.
    case tooLong = "too-long"
    /// The session has no place for another client.
    case tooManyClients = "too-many-clients"
    /// No session is running.
    case noSession = "no-session"
    /// There is no session of this name.
    case unknownSession = "unknown-session"
    /// Several sessions could be meant.
    case unclearSession = "unclear-session"
    /// The session does not answer, or the connection has ended.
    case noAnswer = "no-answer"
  }

  /// The kind of the error.
  package let kind: Kind
  /// One sentence: what failed, why, and what to do.
  package let text: String

  /// Creates an error.
  package init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }

  /// Creates an error about an unknown name, with the nearest known name.
  package init(unknown text: String, _ name: String, among known: [String]) {
    self.init(.unknownAddress, text + NearestName.hint(for: String(name.prefix(100)), among: known))
  }

  package var description: String { text }
}
