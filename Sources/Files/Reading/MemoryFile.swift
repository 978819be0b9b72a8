// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSystem
internal import Foundation

/// A sound file whose bytes are in memory: the kernel keeps them under a name that readers of files, and programs
/// that help them, can open.
package final class MemoryFile: Sendable {
  private let descriptor: Int32
  /// The kernel's name for it, for as long as the file is held.
  let place: String

  /// What errors call it.
  static let name = "a sound in memory"

  /// Keeps bytes.
  ///
  /// - Throws: ``FileError`` where the kernel has no room for them.
  package init(_ bytes: some Collection<UInt8>) throws(FileError) {
    descriptor = swiftlet_make_memory_file("swiftlet-sound")
    guard descriptor >= 0 else { throw .writing(MemoryFile.name, errno: -descriptor) }
    // Not `self`: a program that helps reading is another process.
    place = "/proc/\(getpid())/fd/\(descriptor)"
    let all = ContiguousArray(bytes)
    var done = 0
    while done < all.count {
      let written = all.withUnsafeBytes { buffer in
        buffer.baseAddress.map { write(descriptor, $0 + done, buffer.count - done) } ?? 0
      }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { throw .writing(MemoryFile.name, errno: errno) }
      done += written
    }
  }

  deinit { close(descriptor) }
}
