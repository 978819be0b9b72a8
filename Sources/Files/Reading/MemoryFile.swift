// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSystem
internal import Foundation

/// A sound file whose bytes are in memory, under a name in the kernel that readers and helper programs can open.
package final class MemoryFile: Sendable {
  private let descriptor: Int32
  /// The path of the file in `/proc`, valid while this object exists.
  let path: String

  /// The name of the file in errors.
  static let name = "a sound in memory"

  /// Copies bytes into memory.
  ///
  /// - Throws: ``FileError`` if the kernel has not enough memory for them.
  package init(_ bytes: some Collection<UInt8>) throws(FileError) {
    descriptor = swiftlet_make_memory_file("swiftlet-sound")
    guard descriptor >= 0 else { throw .writing(MemoryFile.name, errno: -descriptor) }
    // The process's number instead of `self`, since a helper program is another process.
    path = "/proc/\(getpid())/fd/\(descriptor)"
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
