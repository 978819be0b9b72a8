// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletJack
internal import Synchronization

/// Hands what happens to everybody who listens. Any thread but the audio thread.
final class EventHub: Sendable {
  private let listeners = Listeners<EngineEvent>()
  /// In the order in which they came.
  private let observers = Mutex<(next: Int, all: [Observer])>((0, []))
  /// What JACK told and the engine has not looked at yet.
  private let notices = Mutex<[JackEvent]>([])

  private typealias Observer = (number: Int, body: @Sendable (EngineEvent) -> Void)

  /// A stream of all that happens from now on.
  func stream() -> AsyncStream<EngineEvent> { listeners.stream() }

  func send(_ event: EngineEvent) {
    for observer in observers.withLock({ $0.all }) where isThere(observer.number) { observer.body(event) }
    listeners.send(event)
  }

  /// Sends events in their order.
  func send(_ events: [EngineEvent]) { for event in events { send(event) } }

  /// Reports a value that was moved to the edge of its range; nothing for one that was not.
  func reportClamped(_ parameter: String, of node: String, from asked: Float, to used: Float) {
    if used != asked { send(.clamped(node: node, parameter: parameter, asked: asked, used: used)) }
  }

  /// Adds an observer, and tells its number.
  func observe(_ body: @escaping @Sendable (EngineEvent) -> Void) -> Int {
    observers.withLock { observers in
      observers.next += 1
      observers.all.append((observers.next, body))
      return observers.next
    }
  }

  /// Removes an observer; a number that is not there is ignored.
  func remove(_ number: Int) {
    let removed = observers.withLock { observers in
      observers.all.firstIndex { $0.number == number }.map { observers.all.remove(at: $0) }
    }
    // Released outside of the lock: the closure may own the last reference to another token, or to the engine.
    withExtendedLifetime(removed) {}
  }

  /// Whether an observer has not been removed, by another one that was told before.
  private func isThere(_ observer: Int) -> Bool {
    observers.withLock { $0.all.contains { $0.number == observer } }
  }

  func finish() { listeners.finish() }

  func leave(_ notice: JackEvent) { notices.withLock { $0.append(notice) } }

  func takeNotices() -> [JackEvent] {
    notices.withLock { notices in
      defer { notices = [] }
      return notices
    }
  }
}
