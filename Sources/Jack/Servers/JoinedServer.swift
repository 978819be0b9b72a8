// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// Restricts this process to one JACK server at a time. libjack keeps the memory of one server for a process, so it
/// would mistake a second server for the first.
///
/// The same applies to a new server with the name of one that has ended: it can be joined only when all clients of
/// the old one have left.
enum JoinedServer {
  private struct Joined {
    var name = ""
    var clients = 0
    var hasEnded = false
  }
  private static let joined = Mutex(Joined())

  /// Counts a client that joins a server.
  ///
  /// - Throws: ``JackError/otherServer(open:wanted:)``; ``JackError/noServer(_:)`` while this process still has
  ///   clients of an ended server of this name.
  static func join(_ name: String) throws(JackError) {
    try joined.withLock { joined throws(JackError) in
      if joined.clients > 0 {
        guard joined.name == name else { throw .otherServer(open: joined.name, wanted: name) }
        guard !joined.hasEnded else { throw .noServer(name) }
      }
      joined = Joined(name: name, clients: joined.clients + 1)
    }
  }

  /// Counts a client that leaves the server.
  static func leave() { joined.withLock { $0.clients -= 1 } }

  /// Records that the server has ended: the clients that are still counted have no server.
  static func recordEnd(of name: String) {
    joined.withLock { joined in
      if joined.clients > 0, joined.name == name { joined.hasEnded = true }
    }
  }
}
