// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletFiles

/// A line of JSON from a session: the answer to a command, or what a subscription sends.
package struct ControlReply: Codable, Sendable, Equatable {
  /// The maximum length of a line, in bytes: the descriptions of many thousand values.
  package static let longestLine = 1 << 26

  /// The number of the request, if it had one.
  package var id: Int?
  /// The reason why the command was not carried out; nil if it was.
  package var error: ControlError?
  package var status: ControlStatus?
  package var addresses: [ControlAddress]?
  package var values: [ControlReading]?
  package var events: [ControlEvent]?
  /// The number of events that were lost, because the client did not read them or there were too many.
  package var lostEvents: Int?

  /// Creates an empty reply.
  package init() {}

  /// Creates a reply with an error.
  package init(_ error: ControlError, id: Int? = nil) { (self.error, self.id) = (error, id) }

  /// Parses a line; nil if it is none.
  package init?(line: some Collection<UInt8>) {
    guard let reply = try? BoundedJSON.decode(ControlReply.self, from: line, byteLimit: Self.longestLine)
    else {
      return nil
    }
    self = reply
  }

  /// The reply as a line with its newline.
  package var line: [UInt8] { Self.line(self) }

  /// Returns a value as a line of JSON with its newline.
  static func line(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let failure = #"{"error":{"kind":"failed","text":"the answer cannot be encoded"}}"#
    return ((try? encoder.encode(value)).map { [UInt8]($0) } ?? Array(failure.utf8)) + [UInt8(ascii: "\n")]
  }
}

extension ControlRequest {
  /// The request as a line with its newline.
  package var line: [UInt8] { ControlReply.line(self) }
}
