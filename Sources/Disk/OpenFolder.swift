// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSystem
internal import Glibc

/// A folder that is held open, so that operations apply to *this* folder even if it is moved.
package final class OpenFolder: Sendable {
  /// The path as requested; `.` for the current folder.
  package let path: String
  /// The open folder.
  package let descriptor: Int32
  /// The folders that were created on the path to this one, the innermost first.
  package let made: [String]

  /// Opens a folder that a user named. Symbolic links are followed.
  ///
  /// - Parameter makes: Whether missing folders are created.
  /// - Throws: ``DiskError/system(_:)``.
  package init(_ path: String, makes: Bool = false) throws(DiskError) {
    self.path = path.isEmpty ? "." : path
    var missing: [String] = []
    var found = Self.open(self.path)
    if found < 0, errno == ENOENT, makes {
      missing = try Self.makeAll(self.path)
      found = Self.open(self.path)
    }
    guard found >= 0 else { throw .system(errno) }
    (descriptor, made) = (found, missing)
  }

  /// Opens a folder below `root`. Neither `..` nor a symbolic link may lead outside `root`.
  ///
  /// - Parameters:
  ///   - root: A folder that a user named. It is created if it does not exist.
  ///   - path: Relative to `root`; empty for `root` itself. Missing folders are created.
  /// - Throws: ``DiskError/outside``, ``DiskError/system(_:)``.
  package init(beneath root: String, _ path: String) throws(DiskError) {
    let base = try OpenFolder(root, makes: true)
    let steps = FilePath.steps(of: path).filter { $0 != "." }
    guard !FilePath.isAbsolute(path), !steps.contains("..") else { throw .outside }
    var (current, reached, made) = (dup(base.descriptor), base.path, base.made)
    guard current >= 0 else { throw .system(errno) }
    for (index, step) in steps.enumerated() {
      reached += "/" + step
      if mkdirat(current, step, 0o777) == 0 {
        made.insert(reached, at: 0)
      } else if errno != EEXIST {
        let number = errno
        close(current)
        throw .system(number)
      }
      let next = Self.open(
        steps[...index].joined(separator: "/"), step, beneath: base.descriptor, in: current)
      close(current)
      guard next >= 0 else { throw next == -EXDEV || next == -ELOOP ? .outside : .system(-next) }
      current = next
    }
    (self.path, descriptor, self.made) = (reached, current, made)
  }

  /// Opens a folder in an open folder, by a name that need not be valid UTF-8. Symbolic links are not followed.
  /// ``path`` is valid while this object exists.
  ///
  /// - Throws: ``DiskError/system(_:)``.
  package init(_ name: [UInt8], in folder: OpenFolder) throws(DiskError) {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let found = openat(folder.descriptor, FolderListing.terminated(name), flags)
    guard found >= 0 else { throw .system(errno) }
    (path, descriptor, made) = ("/proc/self/fd/\(found)", found, [])
  }

  deinit { close(descriptor) }

  /// The folder's current path according to the kernel; nil if the folder was removed.
  package var currentPath: String? {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_nlink > 0 else { return nil }
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
    guard count > 0, count < bytes.count else { return nil }
    let text = String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // Some file systems report a nonzero link count for a removed folder.
    var there = stat()
    guard stat(text, &there) == 0, there.st_ino == facts.st_ino, there.st_dev == facts.st_dev else {
      return nil
    }
    return text
  }

  /// Whether ``path`` still leads to this folder.
  package var isInPlace: Bool {
    var own = stat(), there = stat()
    return fstat(descriptor, &own) == 0 && stat(path, &there) == 0 && own.st_ino == there.st_ino
      && own.st_dev == there.st_dev
  }

  /// The path of a file in the folder; the name alone for the current folder.
  package func path(of name: String) -> String {
    path == "." ? name : path.hasSuffix("/") ? path + name : path + "/" + name
  }

  /// Flushes the folder's entries to the disk.
  ///
  /// - Throws: ``DiskError/system(_:)``.
  package func flush() throws(DiskError) {
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .system(errno) }
  }

  private static func open(_ path: String) -> Int32 { Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }

  /// Opens the folder of one further path component. Returns a descriptor, or a negated errno. Follows links that stay
  /// beneath `root` if the kernel can enforce that; otherwise follows none.
  private static func open(_ path: String, _ step: String, beneath root: Int32, in folder: Int32) -> Int32 {
    let found = swiftlet_open_folder_beneath(root, path)
    // Kernels before 5.6 lack the call, and containers may forbid it.
    guard found == -ENOSYS || found == -EPERM else { return found }
    let next = openat(folder, step, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    // With O_NOFOLLOW and O_DIRECTORY, open(2) fails for a link with ENOTDIR.
    return next >= 0 ? next : errno == ENOTDIR ? -ELOOP : -errno
  }

  /// Creates a folder and its missing parents; returns the folders that were missing, the innermost first.
  private static func makeAll(_ path: String) throws(DiskError) -> [String] {
    var missing: [String] = [], outer = path
    while !outer.isEmpty, access(outer, F_OK) != 0, missing.count < 1000 {
      missing.append(outer)
      outer = FilePath.folder(of: outer)
    }
    for folder in missing.reversed() where mkdir(folder, 0o777) != 0 && errno != EEXIST {
      throw .system(errno)
    }
    return missing
  }
}
