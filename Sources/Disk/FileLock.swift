// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletThreads

/// The lock of an open file or folder (`flock`), which tells other programs and threads that somebody works on it.
///
/// The kernel keeps a lock until the last copy of the descriptor is closed, and a child process that is being started has
/// copies of all descriptors until its own program begins. A lock is therefore freed before its descriptor is closed:
/// closing alone would leave it to that child for a moment.
package enum FileLock {
  /// Takes the lock for this descriptor alone.
  ///
  /// - Parameter patience: for how many milliseconds to try. Who asks ``isHeld(_:)`` holds a lock for some microseconds, so
  ///   that a lock which seems to be held for less than that may be free.
  /// - Throws: ``DiskError/system(_:)``, with `EWOULDBLOCK` where another holds the lock.
  package static func take(_ descriptor: Int32, patience: Int = 0) throws(DiskError) {
    var tries = 0
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      guard number == EINTR || number == EWOULDBLOCK && tries < patience else { throw .system(number) }
      tries += 1
      Waiting.sleep(.milliseconds(1))
    }
  }

  /// Whether another descriptor holds the lock.
  package static func isHeld(_ descriptor: Int32) -> Bool {
    guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
    free(descriptor)
    return false
  }

  /// Frees the lock if this descriptor holds it.
  package static func free(_ descriptor: Int32) { flock(descriptor, LOCK_UN) }

  /// Frees the lock and closes the descriptor.
  package static func close(_ descriptor: Int32) {
    free(descriptor)
    Glibc.close(descriptor)
  }
}
