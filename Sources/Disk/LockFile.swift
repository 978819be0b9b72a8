// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// A lock file: the holder of its lock owns the resource that the file represents, until the holding process ends.
package final class LockFile: Sendable {
  /// The file's path.
  package let path: String
  /// The locked file. A child that inherits the descriptor holds the lock, too.
  package let descriptor: Int32

  /// Takes the lock; creates the file if it does not exist.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - retries: The number of retries, one a millisecond; default: none.
  /// - Throws: ``DiskError/system(_:)``, with `EWOULDBLOCK` if another descriptor holds the lock.
  package init(_ path: String, retries: Int = 0) throws(DiskError) {
    self.path = path
    while true {
      let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard file >= 0 else { throw .system(errno) }
      var own = stat(), there = stat()
      do throws(DiskError) { try FileLock.take(file, retries: retries) } catch {
        close(file)
        throw error
      }
      // The previous owner may have removed the file between open and lock.
      if fstat(file, &own) == 0, lstat(path, &there) == 0, own.st_ino == there.st_ino {
        descriptor = file
        return
      }
      FileLock.close(file)
    }
  }

  deinit { FileLock.close(descriptor) }

  /// Removes the file while its lock is held.
  package func remove() { unlink(path) }
}
