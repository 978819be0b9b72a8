// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletJack
internal import Synchronization

/// Sends an engine's events to all observers and streams. Any thread but the audio thread.
final class EventBroadcaster: Sendable {
  private let listeners = Listeners<EngineEvent>()
  /// The observers, in the order in which they were added.
  private let observers = Mutex<(next: Int, all: [Observer])>((0, []))
  /// Events of JACK that the engine has not processed yet.
  private let notices = Mutex<[JackEvent]>([])

  private typealias Observer = (number: Int, body: @Sendable (EngineEvent) -> Void)

  /// Returns a stream of the events from now on.
  func stream() -> AsyncStream<EngineEvent> { listeners.stream() }

  func send(_ event: EngineEvent) {
    for observer in observers.withLock({ $0.all }) where isThere(observer.number) { observer.body(event) }
    listeners.send(event)
  }

  /// Sends events in order.
  func send(_ events: [EngineEvent]) { for event in events { send(event) } }

  /// Reports a clamped value. Does nothing if the value was not clamped.
  func reportClamped(_ parameter: String, of node: String, from asked: Float, to used: Float) {
    if used != asked { send(.clamped(node: node, parameter: parameter, asked: asked, used: used)) }
  }

  /// Adds an observer. Returns the number that removes it.
  func observe(_ body: @escaping @Sendable (EngineEvent) -> Void) -> Int {
    observers.withLock { observers in
      observers.next += 1
      observers.all.append((observers.next, body))
      return observers.next
    }
  }

  /// Removes an observer, if there is one with this number.
  func remove(_ number: Int) {
    let removed = observers.withLock { observers in
      observers.all.firstIndex { $0.number == number }.map { observers.all.remove(at: $0) }
    }
    // Release it outside the lock: the closure may own the last reference to another token, or to the engine.
    withExtendedLifetime(removed) {}
  }

  /// Returns whether an observer still exists: an observer that was called before may have removed it.
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
