// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// A socket with a path in a ``RuntimeFolder``, through which this user's other programs reach this one, and a lock
/// beside it, which is held until the process ends. Only this user may open it.
///
/// The path's name is `KIND-DIGEST-PROCESS-NUMBER`. The digest is that of the name under which programs look for the
/// socket. The socket of a killed process stays, but its lock is free, so other programs remove it.
///
/// The descriptor stays open until the last reference is released, so that it is not reused while a thread uses it.
package final class NamedSocket: Sendable {
  /// The purpose of a socket: the prefix of its name.
  package enum Kind: String, Sendable {
    /// Datagrams between the sessions on a server. The digest is that of the server's name.
    case session
    /// Connections of programs that control a session. The digest is that of the session's name.
    case control

    fileprivate var type: UInt32 {
      switch self {
      case .session: SOCK_DGRAM.rawValue
      case .control: SOCK_STREAM.rawValue
      }
    }
  }

  /// The path.
  package let path: String
  /// The descriptor, which does not block.
  package let descriptor: Int32
  private let lock: LockFile
  private static let count = Atomic(0)
  /// The suffix of a socket's lock file.
  private static let lockSuffix = ".lock"
  /// The maximum number of sockets that are examined at once, since a folder may be full of them.
  private static let mostExamined = 1000

  /// Creates a socket in a folder; one for connections accepts them from now on. Nil if the system cannot create it.
  package init?(_ kind: Kind, of name: String, in folder: String) {
    let flags = SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    descriptor = socket(AF_UNIX, Int32(kind.type | flags), 0)
    path =
      "\(folder)/\(Self.prefix(of: kind, name))\(getpid())-\(Self.count.add(1, ordering: .relaxed).newValue)"
    guard descriptor >= 0 else { return nil }
    // Another program may be testing whether the lock is free.
    guard let lock = try? LockFile(path + Self.lockSuffix, retries: 100) else {
      Glibc.close(descriptor)
      return nil
    }
    self.lock = lock
    unlink(path)
    // The file gets the mode of the descriptor, so no other user can open it even for a moment.
    fchmod(descriptor, 0o600)
    guard let address = SocketAddress(path), address.use({ bind(descriptor, $0, $1) }) == 0,
      kind == .session || listen(descriptor, SOMAXCONN) == 0
    else {
      remove()
      return nil
    }
  }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

  /// Removes the path and the lock's file. The descriptor stays open.
  package func remove() {
    unlink(path)
    lock.remove()
  }

  /// Returns the start of the names of all sockets of a kind and a name.
  package static func prefix(of kind: Kind, _ name: String) -> String {
    "\(kind.rawValue)-\(digest(of: name))-"
  }

  /// Returns the paths of all sockets in a folder of a kind and a name, or of a kind and any name, in the order of
  /// their names.
  package static func paths(of kind: Kind, _ name: String? = nil, in folder: String) -> [String] {
    let prefix = name.map { Self.prefix(of: kind, $0) } ?? "\(kind.rawValue)-"
    return names(in: folder).filter { $0.hasPrefix(prefix) && !$0.hasSuffix(lockSuffix) }.sorted()
      .map { "\(folder)/\($0)" }
  }

  /// Returns the process that made a socket; nil if the path's name is not that of a socket.
  package static func process(of path: String) -> Int32? {
    let parts = FilePath.name(of: path).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 4, Int(parts[3]) != nil, let process = Int32(parts[2]), process > 0 else {
      return nil
    }
    return process
  }

  /// Removes the sockets of a kind that killed processes left in a folder, and the locks of those that had no socket
  /// yet.
  package static func removeLeft(_ kind: Kind, in folder: String) {
    let sockets = names(in: folder).filter { $0.hasPrefix("\(kind.rawValue)-") }.map { name in
      name.hasSuffix(lockSuffix) ? String(name.dropLast(lockSuffix.count)) : name
    }
    for name in Set(sockets).prefix(mostExamined) { removeIfStale("\(folder)/\(name)") }
  }

  /// Removes the socket of a process that has ended without removing it. A process that is stopped keeps its lock, and
  /// so its socket.
  package static func removeIfStale(_ path: String) {
    guard let lock = try? LockFile(path + lockSuffix) else { return }
    unlink(path)
    lock.remove()
  }

  private static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  /// Returns a hash of a name as sixteen hexadecimal digits (FNV-1a).
  package static func digest(of name: String) -> String {
    let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
