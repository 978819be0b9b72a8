// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A connection between two JACK ports, by their full names.
public struct PortConnection: Hashable, Sendable {
  /// The output port that sends sound or events, and the input port that receives them.
  public let source: String, destination: String

  /// The connection between two ports.
  package init(from source: String, to destination: String) {
    self.source = source
    self.destination = destination
  }

  /// The two ports, as in `desk:out-1 -> system:playback_1`.
  package var text: String { "\(source) -> \(destination)" }
}
