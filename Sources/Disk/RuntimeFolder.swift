// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import FoundationEssentials
internal import Glibc

/// The folders in which this user's Swiftlet programs keep sockets and locks while they run.
///
/// There are several candidates, since one user's programs may be started with different environments. A program
/// creates its files in the first usable folder, and looks for other programs' files in all of them.
package enum RuntimeFolder {
  /// The first usable folder, created if it does not exist; nil if none is usable.
  package static func path(_ variables: [String: String] = ProcessInfo.processInfo.environment) -> String? {
    candidates(variables).first { isUsable($0, makes: true) }?.path
  }

  /// A folder that all of this user's programs on the machine share, whatever their environment: in `/dev/shm`, where
  /// JACK servers keep their shared memory, or else in `/tmp`. Created if it does not exist; nil if neither is usable.
  package static func shared() -> String? {
    ["/dev/shm", "/tmp"].map { Candidate(path: "\($0)/swiftlet-\(getuid())") }
      .first { isUsable($0, makes: true) }?.path
  }

  /// All usable folders that exist.
  package static func all(_ variables: [String: String] = ProcessInfo.processInfo.environment) -> [String] {
    candidates(variables).filter { isUsable($0, makes: false) }.map(\.path)
  }

  private struct Candidate {
    var path: String
    /// A parent folder that must also be this user's, and is not created.
    var base: String?
  }

  private static func candidates(_ variables: [String: String]) -> [Candidate] {
    var bases = ["/run/user/\(getuid())"]
    // The XDG specification: a path that is not absolute is ignored.
    if let own = variables["XDG_RUNTIME_DIR"].flatMap(plain), !bases.contains(own) {
      bases.insert(own, at: 0)
    }
    var found = bases.map { Candidate(path: $0 + "/swiftlet", base: $0) }
    found.append(Candidate(path: "/tmp/swiftlet-\(getuid())"))
    if let home = variables["HOME"].flatMap(plain) {
      found.append(Candidate(path: home + "/.local/state/swiftlet/run"))
    }
    return found
  }

  /// An absolute path without trailing slashes, so that all programs spell it alike; nil for any other path.
  private static func plain(_ path: String) -> String? {
    guard FilePath.isAbsolute(path) else { return nil }
    let bytes = path.utf8
    return bytes.lastIndex { $0 != UInt8(ascii: "/") }.map { String(decoding: bytes[...$0], as: UTF8.self) }
  }

  private static func isUsable(_ candidate: Candidate, makes: Bool) -> Bool {
    if let base = candidate.base, !isOwn(base, deniedBits: 0o022) { return false }
    if makes, mkdir(candidate.path, 0o700) != 0, errno == ENOENT {
      // Only the last candidate may lack parent folders.
      _ = try? OpenFolder(FilePath.folder(of: candidate.path), makes: true)
      mkdir(candidate.path, 0o700)
    }
    return isOwn(candidate.path, deniedBits: 0o077)
  }

  /// Whether a path is a folder of this user, not a link, without any of the permission bits `deniedBits`.
  private static func isOwn(_ path: String, deniedBits: mode_t) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR && facts.st_uid == getuid()
      && facts.st_mode & deniedBits == 0
  }
}
