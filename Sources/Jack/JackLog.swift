// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import Synchronization

/// Takes libjack's own messages off the terminal and hands them to whoever has a client open or opens one.
enum JackLog {
  typealias Handler = @Sendable (JackMessage) -> Void

  private struct Listeners {
    var next = 0
    var handlers: [Int: Handler] = [:]
  }
  private static let listeners = Mutex(Listeners())
  // libjack keeps these two for the whole process.
  private static let redirect: Void = {
    jack_set_error_function(errorCallback)
    jack_set_info_function(infoCallback)
  }()

  /// Adds a listener; the number removes it again.
  static func listen(_ handler: @escaping Handler) -> Int {
    redirect
    return listeners.withLock {
      $0.next += 1
      $0.handlers[$0.next] = handler
      return $0.next
    }
  }

  /// Removes a listener.
  static func forget(_ number: Int) {
    listeners.withLock { _ = $0.handlers.removeValue(forKey: number) }
  }

  fileprivate static func hand(out text: UnsafePointer<CChar>?, isError: Bool) {
    guard let text else { return }
    let message = JackMessage(text: String(cString: text), isError: isError)
    for handler in listeners.withLock({ Array($0.handlers.values) }) { handler(message) }
  }
}

private func errorCallback(_ text: UnsafePointer<CChar>?) { JackLog.hand(out: text, isError: true) }

private func infoCallback(_ text: UnsafePointer<CChar>?) { JackLog.hand(out: text, isError: false) }
