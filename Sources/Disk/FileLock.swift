// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletThreads

/// The lock of an open file or folder (`flock`), which tells other programs and threads that the file is in use.
///
/// The kernel keeps a lock until the last copy of the descriptor is closed. A child process that is being started has
/// copies of all descriptors until its own program begins. A lock is therefore released before its descriptor is
/// closed: if the descriptor were only closed, that child would hold the lock for a moment.
package enum FileLock {
  /// Takes the lock for this descriptor.
  ///
  /// - Parameter retries: The number of retries, one a millisecond. ``isHeld(_:)`` holds a lock for some microseconds
  ///   while it tests it, so a lock that is found held once may be free at the next try.
  /// - Throws: ``DiskError/system(_:)``, with `EWOULDBLOCK` if another descriptor holds the lock.
  package static func take(_ descriptor: Int32, retries: Int = 0) throws(DiskError) {
    var tries = 0
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      guard number == EINTR || number == EWOULDBLOCK && tries < retries else { throw .system(number) }
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

  /// Releases the lock if this descriptor holds it.
  package static func free(_ descriptor: Int32) { flock(descriptor, LOCK_UN) }

  /// Releases the lock and closes the descriptor.
  package static func close(_ descriptor: Int32) {
    free(descriptor)
    Glibc.close(descriptor)
  }
}
