// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import FoundationEssentials
internal import Glibc
internal import SwiftletThreads

/// Temporary files whose program was killed: nothing holds their lock.
package enum Leftovers {
  /// The age in seconds from which a file must have its lock; a newer one may not have it yet.
  private static let age = 1.0

  /// Removes this user's temporary files that no program is writing.
  ///
  /// - Parameters:
  ///   - name: The final name of the files; nil for any.
  ///   - waits: Whether to wait up to one second for files too new to tell whether a program is writing them.
  /// - Returns: The names of the removed files and folders.
  @discardableResult
  package static func remove(in folder: OpenFolder, of name: String? = nil, waits: Bool = false) -> [String] {
    let found = names(in: folder.descriptor).filter { TemporaryName.matches($0, for: name) }.sorted()
    let removed = found.filter { remove($0, in: folder.descriptor) }
    guard waits, found.contains(where: { isNew($0, in: folder.descriptor) }) else { return removed }
    Waiting.sleep(.seconds(age))
    return removed + found.filter { remove($0, in: folder.descriptor) }
  }

  /// Whether a file exists that is so new that it may not have its lock yet.
  private static func isNew(_ name: String, in folder: Int32) -> Bool {
    var facts = stat()
    return fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && isNew(facts)
  }

  private static func isNew(_ facts: stat) -> Bool {
    let changed = Double(facts.st_ctim.tv_sec) + Double(facts.st_ctim.tv_nsec) / 1_000_000_000
    return abs(Date().timeIntervalSince1970 - changed) <= age
  }

  /// Whether a program is writing a file that will have the name `name`.
  static func isBeingWritten(_ name: String, in folder: OpenFolder) -> Bool {
    names(in: folder.descriptor).contains { candidate in
      TemporaryName.matches(candidate, for: name)
        && [candidate, candidate + "/" + name].contains { isLocked($0, in: folder.descriptor) }
    }
  }

  private static func isLocked(_ name: String, in folder: Int32) -> Bool {
    let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var facts = stat()
    return fstat(file, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && FileLock.isHeld(file)
  }

  private static func remove(_ name: String, in folder: Int32) -> Bool {
    var facts = stat()
    guard fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0, facts.st_uid == getuid(),
      !isNew(facts)
    else { return false }
    switch facts.st_mode & S_IFMT {
    case S_IFREG: return removeFile(name, in: folder)
    case S_IFDIR: return removeFolder(name, in: folder)
    default: return false
    }
  }

  private static func removeFile(_ name: String, in folder: Int32) -> Bool {
    // On NFS, an exclusive lock requires a descriptor that is open for writing.
    let file = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { FileLock.close(file) }
    return (try? FileLock.take(file)) != nil && unlinkat(folder, name, 0) == 0
  }

  private static func removeFolder(_ name: String, in folder: Int32) -> Bool {
    let inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard inner >= 0 else { return false }
    defer { close(inner) }
    guard names(in: inner).allSatisfy({ removeFile($0, in: inner) }) else { return false }
    return unlinkat(folder, name, AT_REMOVEDIR) == 0
  }

  /// The names in an open folder; empty if it cannot be read. A name that is not valid UTF-8 yields a name that does
  /// not exist.
  private static func names(in folder: Int32) -> [String] {
    ((try? FolderListing.names(in: folder)) ?? []).map { String(decoding: $0, as: UTF8.self) }
  }
}
