// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Where the process of isolated plugins asks its host for numbers of URIs and for paths, from any thread.
///
/// Events carry these numbers, so that both must use the same.
final class HostedNames: Sendable {
  private let socket: IsolationSocket
  private let lock = ControlLock()

  init(_ socket: IsolationSocket) { self.socket = socket }

  /// The number that the host gives a URI.
  func number(of uri: String) -> UInt32 {
    ask(.init(kind: .map, bytes: Array(uri.utf8)))?.number ?? 0
  }

  /// The URI that the host has for a number; nil if it has none.
  func uri(of number: UInt32) -> String? { ask(.init(kind: .unmap, number: number))?.text }

  /// The full path for a file of the plugin's own.
  func path(for name: String, of seat: UInt32) -> String? {
    ask(.init(kind: .ownPath, number: seat, bytes: Array(name.utf8)))?.text
  }

  private func ask(_ question: IsolationMessage) -> IsolationMessage? {
    lock.locked {
      guard socket.send(question), let answer = socket.receive() else {
        // Without a host there is nobody to work for.
        _exit(0)
      }
      return answer.kind == .answer ? answer : nil
    }
  }
}
