// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Requests URIDs and paths from the host, for the process of isolated plugins. Any thread.
///
/// Events contain URIDs, so both processes must use the same mapping.
final class HostedNames: Sendable {
  private let socket: IsolationSocket
  private let lock = ControlLock()

  init(_ socket: IsolationSocket) { self.socket = socket }

  /// Returns the host's URID for a URI.
  func number(of uri: String) -> UInt32 {
    request(.init(kind: .map, bytes: Array(uri.utf8)))?.number ?? 0
  }

  /// Returns the URI for a URID of the host; nil if there is none.
  func uri(of number: UInt32) -> String? { request(.init(kind: .unmap, number: number))?.text }

  /// Returns the full path for a file that the plugin creates.
  func path(for name: String, of pluginNumber: UInt32) -> String? {
    request(.init(kind: .ownPath, number: pluginNumber, bytes: Array(name.utf8)))?.text
  }

  private func request(_ question: IsolationMessage) -> IsolationMessage? {
    lock.locked {
      guard socket.send(question), let answer = socket.receive() else {
        // Without a host, the process ends.
        _exit(0)
      }
      return answer.kind == .answer ? answer : nil
    }
  }
}
