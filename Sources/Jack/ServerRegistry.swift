// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// The eight places for servers in the memory that all of jackd2 on a machine
/// shares. Only read: it is jackd's.
struct ServerRegistry {
  /// A server that runs, or was killed and left its place.
  struct Entry: Equatable {
    /// The server's process.
    let process: Int32
    /// Its name.
    let name: String
  }

  /// The places that are taken, of this user's servers.
  let entries: [Entry]

  /// The registry as it is now; empty where there is none that is laid out as we know it.
  init() {
    let head = RegularFile.head(of: "/dev/shm/jack-shm-registry", count: Self.headSize)
    self.init(head ?? [], user: getuid())
  }

  /// Reads the registry's head: six words, of which the fifth is its size, then a
  /// process and a name for each place.
  init(_ bytes: [UInt8], user: uid_t) {
    func word(_ place: Int) -> UInt32 {
      bytes[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    guard bytes.count >= Self.headSize, bytes.starts(with: "KCAJ".utf8), word(16) == Self.headSize else {
      entries = []
      return
    }
    let prefix = "jack-\(user):"
    entries = stride(from: 24, to: Self.headSize, by: Self.entrySize).compactMap { place in
      let process = Int32(bitPattern: word(place))
      let name = String(decoding: bytes[place + 4..<place + Self.entrySize].prefix { $0 != 0 }, as: UTF8.self)
      guard process > 0, name.hasPrefix(prefix), name.hasSuffix(":") else { return nil }
      return Entry(process: process, name: String(name.dropFirst(prefix.count).dropLast()))
    }
  }

  private static let entrySize = 264, headSize = 24 + 8 * entrySize

  /// The names of private servers of ours that were killed and have kept their places.
  func abandoned(isAlive: (Int32) -> Bool = ServerRegistry.isAlive) -> [String] {
    entries.filter { $0.name.wholeMatch(of: /swiftlet-[0-9]+-[0-9]+/) != nil && !isAlive($0.process) }.map(
      \.name)
  }

  /// Whether a process has the place under a name.
  func hasServer(_ name: String, _ process: Int32) -> Bool {
    entries.contains(Entry(process: process, name: name))
  }

  static func isAlive(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno == EPERM }
}
