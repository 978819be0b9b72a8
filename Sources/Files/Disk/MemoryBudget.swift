// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import Synchronization

/// Whether there is memory for something whose size comes from a manifest or a file.
///
/// An allocation that fails ends the program. So whoever is about to ask for much memory asks here first. Control
/// threads.
package enum MemoryBudget {
  /// What is left for all that does not ask: 16 MiB.
  private static let reserve = 16 << 20
  /// What was free when it was last read, and what has been granted since.
  private static let known = Mutex((free: 0, granted: 0))

  /// Grants a number of bytes if there are as many.
  ///
  /// The numbers of the system are read again when a quarter of what was free has been granted: a graph of
  /// thousands of small nodes asks thousands of times.
  package static func grants(_ bytes: Int) -> Bool {
    known.withLock { known in
      if bytes > known.free / 4 - known.granted { known = (free - reserve, 0) }
      guard bytes <= known.free - known.granted else { return false }
      known.granted += bytes
      return true
    }
  }

  /// The bytes that can be had: of the machine, and below the limits of the shell.
  private static var free: Int {
    // Pages: all addresses, then five other numbers of which the last but one is data.
    let pages = numbers(in: "/proc/self/statm"), page = Int(getpagesize())
    var free = machine ?? .max
    for (resource, used) in [(RLIMIT_AS, pages.first), (RLIMIT_DATA, pages.dropFirst(5).first)] {
      var limit = rlimit()
      guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0, limit.rlim_cur < Int.max else {
        continue
      }
      free = min(free, Int(limit.rlim_cur) - (used ?? 0) * page)
    }
    return free
  }

  /// The bytes that the machine can give without swapping; nil where it does not say.
  private static var machine: Int? {
    guard let text = text(of: "/proc/meminfo"), let line = text.range(of: "MemAvailable:") else {
      return nil
    }
    return text[line.upperBound...].split(separator: " ").first.flatMap { Int($0) }.map { $0 << 10 }
  }

  private static func numbers(in path: String) -> [Int] {
    (text(of: path) ?? "").split { $0 == " " || $0 == "\n" }.compactMap { Int($0) }
  }

  private static func text(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
