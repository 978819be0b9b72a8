// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSystem
internal import FoundationEssentials
internal import Glibc

/// A folder that this program makes. It has a temporary name (``TemporaryName``) until all that belongs in it is there.
///
/// Removed with this object unless it was published. One thread at a time.
package final class NewFolder {
  /// Where people will look for the folder.
  package let path: String
  private let home: OpenFolder
  private let name: String
  private var temporaryName: String?

  /// Makes the folder beside where it will be. Missing folders on the way are made.
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

  /// Where the folder is now.
  package var currentPath: String { home.path(of: temporaryName ?? name) }

  /// Gives the folder its name.
  ///
  /// - Parameter replaces: whether a folder that has the name is replaced, in one step where the file system can do that,
  ///   and removed. Anything else never is.
  /// - Throws: ``DiskError``; `system(EEXIST)` where the name is taken. The folder then stays as it is.
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

  /// Takes the place of the folder that has the name, and removes that.
  private func exchange(_ temporary: String) throws(DiskError) {
    let number = swiftlet_exchange_names(home.descriptor, temporary, name)
    if number == 0 { return remove(temporary) }
    guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(number) else { throw .system(number) }
    // In two steps: for a moment nothing has the name.
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
