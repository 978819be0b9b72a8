// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSystem
internal import FoundationEssentials
internal import Glibc

/// A folder that this program creates. It has a temporary name (``TemporaryName``) until its contents are complete.
///
/// Removed when this object is released, unless it was published. One thread at a time.
package final class NewFolder {
  /// The path that the folder will have.
  package let path: String
  private let home: OpenFolder
  private let name: String
  private var temporaryName: String?

  /// Creates the folder beside its final location. Missing parent folders are created.
  ///
  /// - Throws: ``DiskError``.
  package init(_ path: String) throws(DiskError) {
    var path = path
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
    name = FilePath.name(of: path)
    guard !name.isEmpty, name != ".", name != "..", !path.utf8.contains(0) else { throw .noName }
    self.path = path
    home = try OpenFolder(FilePath.folder(of: path), makes: true)
    let made = TemporaryName.make(for: name)
    guard mkdirat(home.descriptor, made, 0o777) == 0 else { throw .system(errno) }
    temporaryName = made
  }

  deinit { if let temporaryName { remove(temporaryName) } }

  /// The folder's current path.
  package var currentPath: String { home.path(of: temporaryName ?? name) }

  /// Gives the folder its name.
  ///
  /// - Parameter replaces: Whether an existing folder with that name is replaced and removed, in one step if the file
  ///   system supports that. Anything else is never replaced.
  /// - Throws: ``DiskError``; `system(EEXIST)` if the name is taken. The folder then keeps its temporary name.
  package func publish(replaces: Bool) throws(DiskError) {
    guard let temporary = temporaryName else { return }
    var facts = stat()
    let isThere = fstatat(home.descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0
    guard isThere else {
      try Renaming.rename(temporary, to: name, in: home, overwrites: false)
      return temporaryName = nil
    }
    guard replaces else { throw .system(EEXIST) }
    switch facts.st_mode & S_IFMT {
    case S_IFDIR: break
    case S_IFLNK: throw .link
    default: throw .system(ENOTDIR)
    }
    try exchange(temporary)
    temporaryName = nil
    try home.flush()
  }

  /// Exchanges names with the existing folder, and removes that.
  private func exchange(_ temporary: String) throws(DiskError) {
    let number = swiftlet_exchange_names(home.descriptor, temporary, name)
    if number == 0 { return remove(temporary) }
    guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(number) else { throw .system(number) }
    // Renames in two steps: for a moment no folder has the name.
    let old = TemporaryName.make(for: name)
    guard renameat(home.descriptor, name, home.descriptor, old) == 0 else { throw .system(errno) }
    guard renameat(home.descriptor, temporary, home.descriptor, name) == 0 else {
      let number = errno
      renameat(home.descriptor, old, home.descriptor, name)
      throw .system(number)
    }
    remove(old)
  }

  private func remove(_ name: String) {
    guard let root = home.currentPath else { return }
    try? FileManager.default.removeItem(atPath: root + "/" + name)
  }
}
