// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletJack
internal import Synchronization

/// Hands what happens to everybody who listens. Any thread but the audio thread.
final class EventHub: Sendable {
  private let listeners = Listeners<EngineEvent>()
  private let observers = Mutex<[@Sendable (EngineEvent) -> Void]>([])
  /// What JACK told and the engine has not looked at yet.
  private let notices = Mutex<[JackEvent]>([])

  /// A stream of all that happens from now on.
  func stream() -> AsyncStream<EngineEvent> { listeners.stream() }

  func send(_ event: EngineEvent) {
    for observer in observers.withLock({ $0 }) { observer(event) }
    listeners.send(event)
  }

  func observe(_ body: @escaping @Sendable (EngineEvent) -> Void) { observers.withLock { $0.append(body) } }

  func finish() { listeners.finish() }

  func leave(_ notice: JackEvent) { notices.withLock { $0.append(notice) } }

  func takeNotices() -> [JackEvent] {
    notices.withLock { notices in
      defer { notices = [] }
      return notices
    }
  }
}
