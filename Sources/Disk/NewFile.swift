// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// A file that this program makes. There is no other way to make one: a lint rule sees to that.
///
/// The file is made by its open folder, never through a symbolic link, and never over what is there. While this object
/// lives it holds a lock on the file (`flock`), which tells all others that the file is being written. A file is
/// written under a temporary name (``TemporaryName``) and gets its own when it is whole, unless ``Way/named`` says otherwise.
/// One thread at a time.
package final class NewFile {
  /// How a file comes to its name.
  package enum Way: Equatable, Sendable {
    /// It has its name from the start, and can be read while it grows.
    case named
    /// It has a temporary name until ``publish(durably:)``.
    case whole(overwrites: Bool)
    /// As `whole`, in a private folder: for a program that is given a path and opens the file again.
    case wholeByProgram(overwrites: Bool)
    /// It has a temporary name for ever, and is removed with this object.
    case scratch

    /// The same for a file that a program opens again by its path.
    package var byProgram: Way {
      switch self {
      case .named, .scratch: .wholeByProgram(overwrites: false)
      case .whole(let overwrites), .wholeByProgram(let overwrites): .wholeByProgram(overwrites: overwrites)
      }
    }
  }

  /// Where people will look for the file.
  package let path: String
  /// The open file, for reading and writing. Closed with this object.
  package let descriptor: Int32
  /// The folder that the file is in; nil for a device.
  package private(set) var folder: OpenFolder?
  /// The file's name in ``folder`` now, with that of its private folder before it if there is one.
  package private(set) var currentName: String
  private var name: String
  private let way: Way
  private let privateFolder: String?
  /// Whether the file took the place of another, which cannot be brought back.
  private var hasReplaced = false
  /// The file's row in ``UnfinishedFiles``; nil if a crash leaves the file.
  private var row: Int?

  /// Makes a file for reading and writing.
  ///
  /// - Parameters:
  ///   - path: where it will be; its folder must be there, unless `folder` is given.
  ///   - folder: the open folder of the file.
  ///   - permissions: as in `open(2)`, before the process's mask.
  /// - Throws: ``DiskError``; `busy` where somebody writes a file that is to have the same name.
  package init(
    _ path: String, in folder: OpenFolder? = nil, _ way: Way, permissions: UInt32 = 0o666
  ) throws(DiskError) {
    name = FilePath.name(of: path)
    guard !name.isEmpty, !FilePath.hasSlash(name), !path.utf8.contains(0) else { throw .noName }
    guard name != ".", name != ".." else { throw .system(EISDIR) }
    (self.path, self.way) = (path, way)
    // Only a path that a user typed may lead to a device: one in a folder that is open already was planted there.
    if let device = try Self.device(path, way, isWanted: way != .named || folder == nil) {
      (descriptor, self.folder, currentName, privateFolder) = (device, nil, name, nil)
      return
    }
    let home: OpenFolder
    if let folder { home = folder } else { home = try OpenFolder(FilePath.folder(of: path)) }
    self.folder = home
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    if way != .named {
      Leftovers.remove(in: home, of: name)
      guard way == .scratch || !Leftovers.isBeingWritten(name, in: home) else { throw .busy }
    }
    switch way {
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
    // A file system without locks must not keep anybody from recording.
    try? FileLock.take(descriptor, patience: 1000)
  }

  deinit {
    if way == .scratch { discard() }
    if let row { UnfinishedFiles.forget(row) }
    FileLock.close(descriptor)
  }

  /// Has the file removed if the program ends by a crash while it has its temporary name. For a file that can be made anew,
  /// as an export can and a take cannot.
  package func removeOnCrash() {
    guard row == nil, isTemporary, let folder else { return }
    row = UnfinishedFiles.add(currentName, privateFolder, in: folder.descriptor)
  }

  /// Where the file is now.
  package var currentPath: String { folder?.path(of: currentName) ?? path }

  /// Whether the file still has its temporary name.
  package var isTemporary: Bool { folder != nil && currentName != name }

  /// Gives a file that is whole its name. Does nothing for a file that has it, or a device.
  ///
  /// - Parameter durably: whether the file and its name are on the disk afterwards, not only in the kernel.
  /// - Throws: ``DiskError``; `system(EEXIST)` where the name was taken meanwhile. The file then stays as it is.
  package func publish(durably: Bool = true) throws(DiskError) {
    guard let folder, way != .scratch else { return }
    if durably, fsync(descriptor) != 0, errno != EINVAL { throw .system(errno) }
    if currentName != name {
      let overwrites = way == .whole(overwrites: true) || way == .wholeByProgram(overwrites: true)
      let wasThere = faccessat(folder.descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0
      try Renaming.rename(currentName, to: name, in: folder.descriptor, overwrites: overwrites)
      if let privateFolder { unlinkat(folder.descriptor, privateFolder, AT_REMOVEDIR) }
      (currentName, hasReplaced) = (name, wasThere)
    }
    if durably { try folder.flush() }
  }

  /// Removes the file, whatever its name is by now, unless it has replaced another. Does nothing to a device.
  package func discard() {
    guard let folder, !hasReplaced, isIn(folder) else { return }
    unlinkat(folder.descriptor, currentName, 0)
    if let privateFolder { unlinkat(folder.descriptor, privateFolder, AT_REMOVEDIR) }
  }

  /// Gives the file a second name, which must be free, and goes on under that. For a file that lost its own.
  ///
  /// - Throws: ``DiskError/system(_:)``; `ENOENT` where the file has no name at all any more, and must be copied.
  package func link(as name: String, in folder: OpenFolder) throws(DiskError) {
    let own = "/proc/self/fd/\(descriptor)"
    guard linkat(AT_FDCWD, own, folder.descriptor, name, AT_SYMLINK_FOLLOW) == 0 else { throw .system(errno) }
    (self.folder, self.name, currentName) = (folder, name, name)
  }

  /// Goes on in another file, which has the same bytes: at the same position, by the same descriptor.
  ///
  /// - Throws: ``DiskError/system(_:)``.
  package func replace(by copy: NewFile) throws(DiskError) {
    let position = lseek(descriptor, 0, SEEK_CUR)
    guard position >= 0, lseek(copy.descriptor, position, SEEK_SET) >= 0,
      dup2(copy.descriptor, descriptor) >= 0
    else { throw .system(errno) }
    (folder, name, currentName) = (copy.folder, copy.name, copy.currentName)
    // dup2 clears it.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Whether this file, and no other, has its current name: not if it was removed, renamed or replaced.
  package var isInPlace: Bool { folder.map(isIn) ?? true }

  private func isIn(_ folder: OpenFolder) -> Bool {
    var own = stat(), there = stat()
    return fstat(descriptor, &own) == 0
      && fstatat(folder.descriptor, currentName, &there, AT_SYMLINK_NOFOLLOW) == 0
      && own.st_ino == there.st_ino && own.st_dev == there.st_dev
  }

  /// Opens what is there already and takes any bytes, such as `/dev/null`; nil where a file is to be made. Throws at once
  /// where what is there would be refused in the end.
  ///
  /// - Parameter isWanted: whether the file may be a device.
  private static func device(_ path: String, _ way: Way, isWanted: Bool) throws(DiskError) -> Int32? {
    var facts = stat(), own = stat()
    guard way != .scratch, lstat(path, &own) == 0 else { return nil }
    let isLink = own.st_mode & S_IFMT == S_IFLNK, isThere = stat(path, &facts) == 0
    switch facts.st_mode & S_IFMT {
    case S_IFREG where isThere:
      switch way {
      case .whole(overwrites: true), .wholeByProgram(overwrites: true):
        if isLink { throw .link }
        return nil
      default: throw .system(EEXIST)
      }
    case S_IFDIR where isThere: throw .system(EISDIR)
    case S_IFIFO where isThere: throw .pipe
    // A link elsewhere that leads to a device was not made by the system.
    case S_IFCHR where isWanted && isThere && (!isLink || isStandardStream(path)):
      let found = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
      let writable = found >= 0 ? found : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
      guard writable >= 0 else { throw .system(errno) }
      _ = fcntl(writable, F_SETFL, fcntl(writable, F_GETFL) & ~O_NONBLOCK)
      return writable
    case S_IFIFO: throw .pipe
    default: throw isLink ? .link : .special
    }
  }

  /// Whether a path is a link that the system keeps to what a process has open.
  private static func isStandardStream(_ path: String) -> Bool {
    ["/dev/stdout", "/dev/stderr"].contains(path)
      || ["/dev/fd", "/proc/self/fd"].contains(FilePath.folder(of: path))
  }
}
