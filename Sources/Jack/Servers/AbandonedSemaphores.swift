// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import Glibc

/// The semaphores that clients of a private server leave in shared memory.
enum AbandonedSemaphores {
  private static let folder = "/dev/shm"
  private static var prefix: String { "jack_sem.\(getuid())_" }

  /// Removes the semaphores of a server that has ended.
  static func remove(of server: String) {
    for name in names where name.hasPrefix("\(prefix)\(server)_") { unlink("\(folder)/\(name)") }
  }

  /// Removes the semaphores of private servers (`swiftlet-PROCESS-NUMBER`) whose process was killed.
  static func removeAbandoned() {
    for name in names where name.hasPrefix(prefix + "swiftlet-") {
      let owner = name.dropFirst("\(prefix)swiftlet-".count).prefix { $0.isASCII && $0.isNumber }
      guard let process = Int32(owner), process > 0, kill(process, 0) != 0, errno == ESRCH else { continue }
      unlink("\(folder)/\(name)")
    }
  }

  private static var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }
}
