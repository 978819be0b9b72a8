// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletJack
internal import Synchronization

/// Hands what happens to everybody who listens. Any thread but the audio thread.
final class EventHub: Sendable {
  private struct Listeners {
    var next = 0
    var continuations: [Int: AsyncStream<EngineEvent>.Continuation] = [:]
    var observers: [@Sendable (EngineEvent) -> Void] = []
  }
  private let listeners = Mutex(Listeners())
  /// What JACK told and the engine has not looked at yet.
  private let notices = Mutex<[JackEvent]>([])

  /// A stream of all that happens from now on; what a slow listener leaves lying
  /// beyond 1,000 events is lost to it.
  func stream() -> AsyncStream<EngineEvent> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1000)) { continuation in
      let number = listeners.withLock { listeners in
        listeners.next += 1
        listeners.continuations[listeners.next] = continuation
        return listeners.next
      }
      continuation.onTermination = { [weak self] _ in
        self?.listeners.withLock { _ = $0.continuations.removeValue(forKey: number) }
      }
    }
  }

  func send(_ event: EngineEvent) {
    let all = listeners.withLock { $0 }
    for observer in all.observers { observer(event) }
    for continuation in all.continuations.values { continuation.yield(event) }
  }

  func observe(_ body: @escaping @Sendable (EngineEvent) -> Void) {
    listeners.withLock { $0.observers.append(body) }
  }

  func finish() {
    let all = listeners.withLock { Array($0.continuations.values) }
    for continuation in all { continuation.finish() }
  }

  func leave(_ notice: JackEvent) { notices.withLock { $0.append(notice) } }

  func takeNotices() -> [JackEvent] {
    notices.withLock { notices in
      defer { notices = [] }
      return notices
    }
  }
}
