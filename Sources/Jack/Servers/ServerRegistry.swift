// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// The eight server slots in the shared memory of all jackd2 servers on a machine. Read only: jackd owns the memory.
struct ServerRegistry {
  /// A server that is running, or was killed without releasing its slot.
  struct Entry: Equatable {
    /// The identifier of the server's process.
    let process: Int32
    /// The server's name.
    let name: String
  }

  /// The occupied slots of this user's servers.
  let entries: [Entry]

  /// Reads the registry as it is now; empty if there is none with the known layout.
  init() {
    let head = RegularFile.head(of: "/dev/shm/jack-shm-registry", count: Self.headSize)
    self.init(head ?? [], user: getuid())
  }

  /// Reads the head of the registry: six words, the fifth of which is its size, then a process and a name for each
  /// slot.
  init(_ bytes: [UInt8], user: uid_t) {
    func word(_ offset: Int) -> UInt32 {
      bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    guard bytes.count >= Self.headSize, bytes.starts(with: "KCAJ".utf8), word(16) == Self.headSize else {
      entries = []
      return
    }
    let prefix = "jack-\(user):"
    entries = stride(from: 24, to: Self.headSize, by: Self.entrySize).compactMap { offset in
      let process = Int32(bitPattern: word(offset))
      let name = String(
        decoding: bytes[offset + 4..<offset + Self.entrySize].prefix { $0 != 0 }, as: UTF8.self)
      guard process > 0, name.hasPrefix(prefix), name.hasSuffix(":") else { return nil }
      return Entry(process: process, name: String(name.dropFirst(prefix.count).dropLast()))
    }
  }

  private static let entrySize = 264, headSize = 24 + 8 * entrySize

  /// Returns the names of Swiftlet's private servers that were killed without releasing their slots.
  func abandoned(isRunning: (Int32) -> Bool = ServerRegistry.isRunning) -> [String] {
    entries.filter { $0.name.wholeMatch(of: /swiftlet-[0-9]+-[0-9]+/) != nil && !isRunning($0.process) }.map(
      \.name)
  }

  /// Returns whether a process holds the slot of a name.
  func hasServer(_ name: String, _ process: Int32) -> Bool {
    entries.contains(Entry(process: process, name: name))
  }

  static func isRunning(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno == EPERM }
}
