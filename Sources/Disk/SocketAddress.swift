// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import Glibc

/// The address of a socket in the file system.
package struct SocketAddress {
  private var address = sockaddr_un()
  private static let capacity = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

  /// Creates the address of a path; nil if the path is too long.
  package init?(_ path: String) {
    let bytes = Array(path.utf8)
    guard 1..<Self.capacity ~= bytes.count, !bytes.contains(0) else { return nil }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
  }

  /// Passes the address to a system call.
  package func use<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = address
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// Calls a system call that fills in an address. Returns the address's path, nil if it has none.
  package static func reading<Result>(
    _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
  ) -> (Result, String?) {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
    }
    let bytes = withUnsafeBytes(of: address.sun_path) { Array($0.prefix { $0 != 0 }) }
    return (result, bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self))
  }
}
