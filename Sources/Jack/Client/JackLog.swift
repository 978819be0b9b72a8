// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import Synchronization

/// Passes libjack's messages to the handlers of all clients that are open or being opened, instead of printing them.
enum JackLog {
  typealias Handler = @Sendable (JackMessage) -> Void

  private struct Subscribers {
    var next = 0
    var handlers: [Int: Handler] = [:]
  }
  private static let subscribers = Mutex(Subscribers())
  // libjack keeps these two functions for the whole process.
  private static let redirect: Void = {
    jack_set_error_function(errorCallback)
    jack_set_info_function(infoCallback)
  }()

  /// Adds a handler. Returns the number that removes it.
  static func subscribe(_ handler: @escaping Handler) -> Int {
    redirect
    return subscribers.withLock {
      $0.next += 1
      $0.handlers[$0.next] = handler
      return $0.next
    }
  }

  /// Removes a handler.
  static func unsubscribe(_ number: Int) {
    subscribers.withLock { _ = $0.handlers.removeValue(forKey: number) }
  }

  fileprivate static func hand(out text: UnsafePointer<CChar>?, isError: Bool) {
    guard let text else { return }
    let message = JackMessage(text: String(cString: text), isError: isError)
    for handler in subscribers.withLock({ Array($0.handlers.values) }) { handler(message) }
  }
}

private func errorCallback(_ text: UnsafePointer<CChar>?) { JackLog.hand(out: text, isError: true) }

private func infoCallback(_ text: UnsafePointer<CChar>?) { JackLog.hand(out: text, isError: false) }
