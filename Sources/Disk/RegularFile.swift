// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Safe reading of regular files: another program may have put something else at the path.
package enum RegularFile {
  /// The first bytes of a file, at most `count`; nil if there is no regular file at `path`. Does not follow links, and
  /// does not block on a named pipe.
  package static func head(of path: String, count: Int) -> [UInt8]? {
    head(of: Array(path.utf8), in: AT_FDCWD, count: count)
  }

  /// As ``head(of:count:)``, for a name in an open folder, which need not be valid UTF-8.
  package static func head(of name: [UInt8], in folder: OpenFolder, count: Int) -> [UInt8]? {
    head(of: name, in: folder.descriptor, count: count)
  }

  private static func head(of name: [UInt8], in folder: Int32, count: Int) -> [UInt8]? {
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = openat(folder, FolderListing.terminated(name), flags)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = pread(descriptor, &bytes, count, 0)
    return got < 0 ? nil : Array(bytes.prefix(got))
  }
}
