// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import Glibc

/// One of the few places for private servers on a machine, held by a lock that the kernel gives back.
final class ServerPlace: Sendable {
  /// The locked file. A server that inherits it holds the place, too, until it is gone.
  let descriptor: Int32

  /// Takes a free place, waiting at most `patience` seconds for one.
  ///
  /// - Throws: ``JackError/tooManyServers(most:)``, ``JackError/dummyFailed(_:)`` where no lock can be made.
  init(patience: Double) throws(JackError) {
    guard let folder = RuntimeFolder.path() else {
      throw .dummyFailed(
        "there is no folder for lock files: neither $XDG_RUNTIME_DIR/swiftlet nor one in /tmp")
    }
    let end = Date().addingTimeInterval(patience)
    while true {
      for place in 1...DummyServer.most {
        let file = open("\(folder)/server-\(place).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .dummyFailed("no lock file can be made in \(folder)") }
        if flock(file, LOCK_EX | LOCK_NB) == 0 {
          descriptor = file
          return
        }
        Glibc.close(file)
      }
      guard Date() < end else { throw .tooManyServers(most: DummyServer.most) }
      usleep(100_000)
    }
  }

  deinit { Glibc.close(descriptor) }
}
