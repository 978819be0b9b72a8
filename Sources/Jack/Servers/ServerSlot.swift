// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import Glibc
internal import SwiftletDisk
internal import SwiftletThreads

/// One of the slots for private servers on a machine, held by a lock that the kernel releases.
///
/// The slots are those of jackd2's shared memory, so the lock files are in a folder that all programs of a user find.
/// If the folder depended on the environment, two sessions of a user would each have their own slots.
final class ServerSlot: Sendable {
  private let lock: LockFile
  /// The locked file. A server that inherits it also holds the slot, until the server ends.
  var descriptor: Int32 { lock.descriptor }

  /// Takes a free slot, waiting for at most `timeout` seconds.
  ///
  /// - Throws: ``JackError/tooManyServers(most:)``; ``JackError/dummyFailed(_:)`` if no lock file can be made.
  init(timeout: Double) throws(JackError) {
    guard let folder = RuntimeFolder.shared() else {
      throw .dummyFailed(
        "there is no folder for lock files: make /dev/shm/swiftlet-\(getuid()) or /tmp/swiftlet-\(getuid()) a folder "
          + "that only you may enter")
    }
    let end = Date().addingTimeInterval(timeout)
    while true {
      for number in 1...DummyServer.most {
        do throws(DiskError) {
          lock = try LockFile("\(folder)/server-\(number).lock")
          return
        } catch {
          guard error == .system(EWOULDBLOCK) else {
            throw .dummyFailed("no lock file can be made in \(folder)")
          }
        }
      }
      guard Date() < end else { throw .tooManyServers(most: DummyServer.most) }
      Waiting.sleep(.milliseconds(100))
    }
  }
}
