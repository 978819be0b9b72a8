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
    let folder = try Self.folder()
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

  /// A folder of this user's own, for the length of the session.
  private static func folder() throws(JackError) -> String {
    let session = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"].map { $0 + "/swiftlet" }
    for folder in [session, "/tmp/swiftlet-\(getuid())"].compactMap(\.self) {
      mkdir(folder, 0o700)
      var facts = stat()
      if lstat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR, facts.st_uid == getuid() {
        return folder
      }
    }
    throw .dummyFailed("there is no folder for lock files: neither $XDG_RUNTIME_DIR/swiftlet nor one in /tmp")
  }
}
