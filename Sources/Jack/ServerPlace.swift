// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import Glibc
internal import SwiftletDisk
internal import SwiftletThreads

/// One of the few places for private servers on a machine, held by a lock that the kernel gives back.
///
/// The places are those of jackd2's shared memory, so the locks lie where all programs of a user find them: a folder that
/// depends on the environment would give each of two sessions of a user as many places.
final class ServerPlace: Sendable {
  private let lock: LockFile
  /// The locked file. A server that inherits it holds the place, too, until it is gone.
  var descriptor: Int32 { lock.descriptor }

  /// Takes a free place, waiting at most `patience` seconds for one.
  ///
  /// - Throws: ``JackError/tooManyServers(most:)``, ``JackError/dummyFailed(_:)`` where no lock can be made.
  init(patience: Double) throws(JackError) {
    guard let folder = RuntimeFolder.shared() else {
      throw .dummyFailed(
        "there is no folder for lock files: make /dev/shm/swiftlet-\(getuid()) or /tmp/swiftlet-\(getuid()) a folder of "
          + "yours that nobody else may enter")
    }
    let end = Date().addingTimeInterval(patience)
    while true {
      for place in 1...DummyServer.most {
        do throws(DiskError) {
          lock = try LockFile("\(folder)/server-\(place).lock")
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
