// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import Foundation
internal import SwiftletThreads
internal import Synchronization

/// What came of asking a server to let a client in.
struct ClientOpening: @unchecked Sendable {
  /// The client; nil where the server refused.
  let handle: OpaquePointer?
  /// Why, in JACK's bits.
  let status: jack_status_t

  /// How long a server may take to answer, in seconds. One that runs answers within some milliseconds.
  static let patience = 5.0

  /// Asks on a thread of its own, since a server that is frozen never answers; nil where none came in time.
  ///
  /// - Parameter late: is called where the answer came after all, when nobody waited any more. The client has been
  ///   closed then, if there was one.
  static func ask(_ name: String, on server: String?, late: @escaping @Sendable () -> Void) -> ClientOpening?
  {
    let answer = Answer()
    startThread("swiftlet-asker") {
      var status = jack_status_t(0)
      let options = jack_options_t(JackNoStartServer.rawValue | JackUseExactName.rawValue)
      let handle = quietly { swiftlet_jack_client_open(name, options, &status, server) }
      guard !answer.give(ClientOpening(handle: handle, status: status)) else { return }
      if let handle { _ = quietly { jack_client_close(handle) } }
      late()
    }
    return answer.wait()
  }

  /// Hands the answer from one thread to the other, unless that has gone.
  private final class Answer: Sendable {
    private enum State { case open, given(ClientOpening), gone }
    private let state = Mutex(State.open)
    private let isThere = DispatchSemaphore(value: 0)

    /// Whether somebody still waits for it.
    func give(_ opening: ClientOpening) -> Bool {
      state.withLock { state in
        guard case .open = state else { return false }
        state = .given(opening)
        isThere.signal()
        return true
      }
    }

    func wait() -> ClientOpening? {
      _ = isThere.wait(timeout: .now() + ClientOpening.patience)
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
