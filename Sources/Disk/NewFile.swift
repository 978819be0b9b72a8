// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// A file that this program creates. A lint rule allows no other way to create one.
///
/// The file is created in its open folder, never through a symbolic link, and never over an existing file. While this
/// object exists it holds a lock on the file (`flock`), which tells other programs and threads that the file is being
/// written. The file is written under a temporary name (``TemporaryName``) and gets its own when it is complete,
/// unless it is ``Naming/named``. One thread at a time.
package final class NewFile {
  /// When a file gets its name.
  package enum Naming: Equatable, Sendable {
    /// The file has its name from the start, and can be read while it grows.
    case named
    /// The file has a temporary name until ``publish(durably:)``.
    case whole(overwrites: Bool)
    /// As `whole`, in a private folder: for a program that is given a path and opens the file again.
    case wholeByProgram(overwrites: Bool)
    /// The file keeps a temporary name, and is removed when this object is released.
    case scratch

    /// The naming for a file that a program opens again by its path.
    package var byProgram: Naming {
      switch self {
      case .named, .scratch: .wholeByProgram(overwrites: false)
      case .whole(let overwrites), .wholeByProgram(let overwrites): .wholeByProgram(overwrites: overwrites)
      }
    }
  }

  /// The path that the file will have.
  package let path: String
  /// The open file, for reading and writing. Closed when this object is released.
  package let descriptor: Int32
  /// The folder that contains the file; nil for a device.
  package private(set) var folder: OpenFolder?
  /// The file's current name in ``folder``, prefixed by the name of its private folder if it has one.
  package private(set) var currentName: String
  private var name: String
  private let naming: Naming
  private let privateFolder: String?
  /// Whether the file has replaced another, which cannot be restored.
  private var hasReplaced = false
  /// The file's row in ``UnfinishedFiles``; nil if a crash keeps the file.
  private var row: Int?

  /// Creates a file for reading and writing.
  ///
  /// - Parameters:
  ///   - path: The path that the file will have. Its folder must exist, unless `folder` is given.
  ///   - folder: The open folder of the file.
  ///   - permissions: As in `open(2)`, before the process's umask.
  /// - Throws: ``DiskError``; `busy` if a file for the same name is being written.
  package init(
    _ path: String, in folder: OpenFolder? = nil, _ naming: Naming, permissions: UInt32 = 0o666
  ) throws(DiskError) {
    name = FilePath.name(of: path)
    guard !name.isEmpty, !FilePath.hasSlash(name), !path.utf8.contains(0) else { throw .noName }
    guard name != ".", name != ".." else { throw .system(EISDIR) }
    (self.path, self.naming) = (path, naming)
    // Only a path that a user typed may lead to a device: a device in a folder that is already open may be planted.
    if let device = try Self.device(path, naming, isAllowed: naming != .named || folder == nil) {
      (descriptor, self.folder, currentName, privateFolder) = (device, nil, name, nil)
      return
    }
    let home: OpenFolder
    if let folder { home = folder } else { home = try OpenFolder(FilePath.folder(of: path)) }
    self.folder = home
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    if naming != .named {
      Leftovers.remove(in: home, of: name)
      guard naming == .scratch || !Leftovers.isBeingWritten(name, in: home) else { throw .busy }
    }
    switch naming {
    case .named:
      (currentName, privateFolder) = (name, nil)
    case .whole, .scratch:
      (currentName, privateFolder) = (TemporaryName.make(for: name), nil)
    case .wholeByProgram:
      let made = TemporaryName.make(for: name)
      guard mkdirat(home.descriptor, made, 0o700) == 0 else { throw .system(errno) }
      (currentName, privateFolder) = (made + "/" + name, made)
    }
    descriptor = openat(home.descriptor, currentName, flags, permissions)
    guard descriptor >= 0 else {
      let number = errno
      if let privateFolder { unlinkat(home.descriptor, privateFolder, AT_REMOVEDIR) }
      throw .system(number)
    }
    // A file system without locks must not prevent recording.
    try? FileLock.take(descriptor, retries: 1000)
  }

  deinit {
    if naming == .scratch { discard() }
    if let row { UnfinishedFiles.unlist(row) }
    FileLock.close(descriptor)
  }

  /// Makes a crash of the program remove the file while it has its temporary name. For files that can be created
  /// again, such as exports, but not takes.
  package func removeOnCrash() {
    guard row == nil, isTemporary, let folder else { return }
    row = UnfinishedFiles.add(currentName, privateFolder, in: folder.descriptor)
  }

  /// The file's current path.
  package var currentPath: String { folder?.path(of: currentName) ?? path }

  /// Whether the file still has its temporary name.
  package var isTemporary: Bool { folder != nil && currentName != name }

  /// Gives a complete file its name. Does nothing if the file has its name already, or is a device.
  ///
  /// - Parameter durably: Whether the file and its name are flushed to the disk before this returns.
  /// - Throws: ``DiskError``; `system(EEXIST)` if the name was taken in the meantime. The file is then unchanged.
  package func publish(durably: Bool = true) throws(DiskError) {
    guard let folder, naming != .scratch else { return }
    if durably, fsync(descriptor) != 0, errno != EINVAL { throw .system(errno) }
    if currentName != name {
      let overwrites = naming == .whole(overwrites: true) || naming == .wholeByProgram(overwrites: true)
      let wasThere = faccessat(folder.descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0
      try Renaming.rename(currentName, to: name, in: folder.descriptor, overwrites: overwrites)
      if let privateFolder { unlinkat(folder.descriptor, privateFolder, AT_REMOVEDIR) }
      (currentName, hasReplaced) = (name, wasThere)
    }
    if durably { try folder.flush() }
  }

  /// Removes the file under its current name, unless it has replaced another. Does nothing for a device.
  package func discard() {
    guard let folder, !hasReplaced, isIn(folder) else { return }
    unlinkat(folder.descriptor, currentName, 0)
    if let privateFolder { unlinkat(folder.descriptor, privateFolder, AT_REMOVEDIR) }
  }

  /// Gives the file a further name, which must be free, and uses that from now on. For a file that has lost its name.
  ///
  /// - Throws: ``DiskError/system(_:)``; `ENOENT` if the file no longer has any name and must be copied.
  package func link(as name: String, in folder: OpenFolder) throws(DiskError) {
    let own = "/proc/self/fd/\(descriptor)"
    guard linkat(AT_FDCWD, own, folder.descriptor, name, AT_SYMLINK_FOLLOW) == 0 else { throw .system(errno) }
    (self.folder, self.name, currentName) = (folder, name, name)
  }

  /// Continues in another file with the same bytes: at the same position and with the same descriptor number.
  ///
  /// - Throws: ``DiskError/system(_:)``.
  package func replace(by copy: NewFile) throws(DiskError) {
    let position = lseek(descriptor, 0, SEEK_CUR)
    guard position >= 0, lseek(copy.descriptor, position, SEEK_SET) >= 0,
      dup2(copy.descriptor, descriptor) >= 0
    else { throw .system(errno) }
    (folder, name, currentName) = (copy.folder, copy.name, copy.currentName)
    // dup2 clears close-on-exec.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Whether the current name leads to this file: false if it was removed, renamed or replaced.
  package var isInPlace: Bool { folder.map(isIn) ?? true }

  private func isIn(_ folder: OpenFolder) -> Bool {
    var own = stat(), there = stat()
    return fstat(descriptor, &own) == 0
      && fstatat(folder.descriptor, currentName, &there, AT_SYMLINK_NOFOLLOW) == 0
      && own.st_ino == there.st_ino && own.st_dev == there.st_dev
  }

  /// Opens an existing character device, such as `/dev/null`; nil if a file must be created. Throws at once if the
  /// existing file would make publishing fail.
  ///
  /// - Parameter isAllowed: Whether the file may be a device.
  private static func device(_ path: String, _ naming: Naming, isAllowed: Bool) throws(DiskError) -> Int32? {
    var facts = stat(), own = stat()
    guard naming != .scratch, lstat(path, &own) == 0 else { return nil }
    let isLink = own.st_mode & S_IFMT == S_IFLNK, isThere = stat(path, &facts) == 0
    switch facts.st_mode & S_IFMT {
    case S_IFREG where isThere:
      switch naming {
      case .whole(overwrites: true), .wholeByProgram(overwrites: true):
        if isLink { throw .link }
        return nil
      default: throw .system(EEXIST)
      }
    case S_IFDIR where isThere: throw .system(EISDIR)
    case S_IFIFO where isThere: throw .pipe
    // A symbolic link to a device in any other location was not made by the system.
    case S_IFCHR where isAllowed && isThere && (!isLink || isStandardStream(path)):
      let found = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
      let writable = found >= 0 ? found : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
      guard writable >= 0 else { throw .system(errno) }
      _ = fcntl(writable, F_SETFL, fcntl(writable, F_GETFL) & ~O_NONBLOCK)
      return writable
    case S_IFIFO: throw .pipe
    default: throw isLink ? .link : .special
    }
  }

  /// Whether a path is a link that the system provides to an open file of a process.
  private static func isStandardStream(_ path: String) -> Bool {
    ["/dev/stdout", "/dev/stderr"].contains(path)
      || ["/dev/fd", "/proc/self/fd"].contains(FilePath.folder(of: path))
  }
}
