// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// A file that is there to be locked: who holds the lock owns what the file stands for, until that process ends.
package final class LockFile: Sendable {
  /// Where the file is.
  package let path: String
  /// The locked file. A child that inherits it holds the lock, too.
  package let descriptor: Int32

  /// Takes the lock; the file is made where it is missing.
  ///
  /// - Throws: ``DiskError/system(_:)``, with `EWOULDBLOCK` where another holds the lock.
  package init(_ path: String) throws(DiskError) {
    self.path = path
    while true {
      let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard file >= 0 else { throw .system(errno) }
      var own = stat(), there = stat()
      do throws(DiskError) { try FileLock.take(file) } catch {
        close(file)
        throw error
      }
      // The last owner may have removed the file while we opened it.
      if fstat(file, &own) == 0, lstat(path, &there) == 0, own.st_ino == there.st_ino {
        descriptor = file
        return
      }
      FileLock.close(file)
    }
  }

  deinit { FileLock.close(descriptor) }

  /// Removes the file, while its lock is held.
  package func remove() { unlink(path) }
}
