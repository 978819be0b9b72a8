// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSystem
internal import Glibc

/// Renames files within a folder.
package enum Renaming {
  /// The methods for taking a free name, in the order in which they are tried. A file system may lack any except the
  /// last.
  enum Attempt: CaseIterable {
    /// A rename that the kernel refuses if the name is taken.
    case exclusiveRename
    /// A second hard link, after which the first name is removed.
    case link
    /// An empty file that claims the name and is then replaced.
    case claim
  }

  /// Flushes a file in a folder to the disk.
  ///
  /// - Throws: ``DiskError``.
  package static func flush(_ name: String, in folder: OpenFolder) throws(DiskError) {
    let file = openat(folder.descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw errno == ELOOP ? .link : .system(errno) }
    defer { close(file) }
    guard fsync(file) == 0 || errno == EINVAL else { throw .system(errno) }
  }

  /// Renames a file in a folder and flushes the new name to the disk.
  ///
  /// - Parameter overwrites: Whether an existing regular file with the name is replaced; anything else is never
  ///   replaced.
  /// - Throws: ``DiskError``.
  package static func rename(
    _ old: String, to new: String, in folder: OpenFolder, overwrites: Bool
  ) throws(DiskError) {
    try rename(old, to: new, in: folder.descriptor, overwrites: overwrites)
    try folder.flush()
  }

  /// Renames a file.
  ///
  /// - Parameter overwrites: Whether an existing regular file with the name is replaced; anything else is never
  ///   replaced.
  /// - Throws: ``DiskError``.
  static func rename(
    _ old: String, to new: String, in folder: Int32, overwrites: Bool,
    trying attempts: [Attempt] = Attempt.allCases
  ) throws(DiskError) {
    guard overwrites else { return try take(new, for: old, in: folder, attempts) }
    var facts = stat()
    if fstatat(folder, new, &facts, AT_SYMLINK_NOFOLLOW) == 0 {
      switch facts.st_mode & S_IFMT {
      case S_IFREG: break
      case S_IFLNK: throw .link
      case S_IFDIR: throw .system(EISDIR)
      default: throw .special
      }
    }
    guard renameat(folder, old, folder, new) == 0 else { throw .system(errno) }
  }

  private static func take(
    _ new: String, for old: String, in folder: Int32, _ attempts: [Attempt]
  ) throws(DiskError) {
    var number = ENOTSUP
    for attempt in attempts {
      switch attempt {
      case .exclusiveRename: number = swiftlet_rename_to_free_name(folder, old, folder, new)
      case .link:
        number = linkat(folder, old, folder, new, 0) == 0 ? 0 : errno
        if number == 0 { unlinkat(folder, old, 0) }
      case .claim: number = claim(new, for: old, in: folder)
      }
      guard isMissing(number) else { break }
    }
    if number != 0 { throw .system(number) }
  }

  private static func claim(_ new: String, for old: String, in folder: Int32) -> Int32 {
    let claimed = openat(folder, new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard claimed >= 0 else { return errno }
    defer { close(claimed) }
    guard renameat(folder, old, folder, new) != 0 else { return 0 }
    let number = errno
    unlinkat(folder, new, 0)
    return number
  }

  /// Whether an error means that the file system lacks a method, as NFS, FUSE or a camera's memory card may.
  private static func isMissing(_ number: Int32) -> Bool {
    [EINVAL, ENOSYS, EOPNOTSUPP, EPERM, EMLINK].contains(number)
  }
}
