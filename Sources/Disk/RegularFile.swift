// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Files that another program may have put where one of ours is expected.
package enum RegularFile {
  /// The first bytes of a file, `count` at most; nil if there is no regular file at `path`. Links are not followed, and
  /// a pipe is not waited for.
  package static func head(of path: String, count: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = pread(descriptor, &bytes, count, 0)
    return got < 0 ? nil : Array(bytes.prefix(got))
  }
}
