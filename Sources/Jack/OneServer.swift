// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// libjack keeps one server's memory for a whole process: a second server would be mistaken for the first.
///
/// So would the next server of the same name, for clients of one that has died: it is joined when all of these
/// have left.
enum OneServer {
  private struct Joined {
    var name = ""
    var clients = 0
    var isDead = false
  }
  private static let joined = Mutex(Joined())

  /// Counts a client in.
  ///
  /// - Throws: ``JackError/otherServer(open:wanted:)``, ``JackError/noServer(_:)`` while clients of a server of this
  ///   name that has died are here.
  static func join(_ name: String) throws(JackError) {
    try joined.withLock { joined throws(JackError) in
      if joined.clients > 0 {
        guard joined.name == name else { throw .otherServer(open: joined.name, wanted: name) }
        guard !joined.isDead else { throw .noServer(name) }
      }
      joined = Joined(name: name, clients: joined.clients + 1)
    }
  }

  /// Counts a client out.
  static func leave() { joined.withLock { $0.clients -= 1 } }

  /// The server has died: whoever is still counted in is a client of nothing.
  static func noteDeath(of name: String) {
    joined.withLock { joined in
      if joined.clients > 0, joined.name == name { joined.isDead = true }
    }
  }
}
