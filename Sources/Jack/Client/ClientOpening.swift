// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import Foundation
internal import SwiftletThreads
internal import Synchronization

/// The result of opening a client on a server.
struct ClientOpening: @unchecked Sendable {
  /// The client; nil if the server refused it.
  let handle: OpaquePointer?
  /// The reason for a refusal, as bits of `jack_status_t`.
  let status: jack_status_t

  /// The time to wait for a server's answer, in seconds. A working server answers within a few milliseconds.
  static let timeout = 5.0

  /// Opens a client on a thread of its own, since a frozen server never answers.
  ///
  /// - Parameters:
  ///   - name: the client's name.
  ///   - server: the server's name; nil for libjack's default.
  ///   - late: called if the server answers after the timeout. The client, if there was one, has been closed by then.
  /// - Returns: the server's answer; nil after the timeout of ``timeout`` seconds.
  static func open(_ name: String, on server: String?, late: @escaping @Sendable () -> Void) -> ClientOpening?
  {
    let answer = Answer()
    startThread("swiftlet-join") {
      var status = jack_status_t(0)
      let options = jack_options_t(JackNoStartServer.rawValue | JackUseExactName.rawValue)
      let handle = ignoringBrokenPipe { swiftlet_jack_client_open(name, options, &status, server) }
      guard !answer.give(ClientOpening(handle: handle, status: status)) else { return }
      if let handle { _ = ignoringBrokenPipe { jack_client_close(handle) } }
      late()
    }
    return answer.wait()
  }

  /// Passes the answer from the opening thread to the waiting one, unless the wait has timed out.
  private final class Answer: Sendable {
    private enum State { case open, given(ClientOpening), gone }
    private let state = Mutex(State.open)
    private let isThere = DispatchSemaphore(value: 0)

    /// Stores the answer. Returns false if the wait has timed out.
    func give(_ opening: ClientOpening) -> Bool {
      state.withLock { state in
        guard case .open = state else { return false }
        state = .given(opening)
        isThere.signal()
        return true
      }
    }

    func wait() -> ClientOpening? {
      _ = isThere.wait(timeout: .now() + ClientOpening.timeout)
      return state.withLock { state in
        guard case .given(let opening) = state else {
          state = .gone
          return nil
        }
        return opening
      }
    }
  }
}
