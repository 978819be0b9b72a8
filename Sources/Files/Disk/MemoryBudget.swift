// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import Synchronization

/// Decides whether there is enough memory for something whose size comes from a manifest or a file.
///
/// A failed allocation ends the program, so code that allocates much memory asks here first. Control threads.
package enum MemoryBudget {
  /// The memory that is kept for allocations that are not checked: 16 MiB.
  private static let reserve = 16 << 20
  /// The free bytes at the last reading, and the bytes granted since.
  private static let known = Mutex((free: 0, granted: 0))

  /// Grants a number of bytes if they are available.
  ///
  /// The system is read again once a quarter of the free memory has been granted, because a graph of thousands of small
  /// nodes asks thousands of times.
  package static func grants(_ bytes: Int) -> Bool {
    known.withLock { known in
      if bytes > known.free / 4 - known.granted { known = (free - reserve, 0) }
      guard bytes <= known.free - known.granted else { return false }
      known.granted += bytes
      return true
    }
  }

  /// The available bytes: of the machine, and within the process's limits.
  private static var free: Int {
    // `statm` counts pages: the first number is the total, the sixth is data.
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

  /// The bytes that the machine can provide without swapping; nil if unknown.
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
