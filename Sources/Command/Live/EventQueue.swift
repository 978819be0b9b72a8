// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import Synchronization

extension EngineEvent {
  /// Whether the event means that sound is missing from the output.
  var losesSound: Bool {
    switch self {
    case .muted, .streamFailed, .overloaded, .pluginFailed: true
    default: false
    }
  }

  /// Whether the event names a node that may have caused the loss of sound.
  var explainsLoss: Bool {
    switch self {
    case .culprit, .suspects: true
    default: false
    }
  }
}

/// A queue of an engine's events. The engine adds events on its own threads; ``take()`` empties the queue.
final class EventQueue: Sendable {
  private let waiting: Storage
  private let observation: EventObservation

  /// The events, shared by engine and reader.
  private final class Storage: Sendable {
    let events = Mutex<[EngineEvent]>([])
  }

  /// Creates a queue that receives all events from now on.
  init(_ engine: AudioEngine) {
    let storage = Storage()
    waiting = storage
    observation = engine.observe { event in storage.events.withLock { $0.append(event) } }
  }

  /// Removes and returns the events since the last call, oldest first.
  func take() -> [EngineEvent] {
    waiting.events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
