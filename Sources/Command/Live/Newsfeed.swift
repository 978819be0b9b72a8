// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import Synchronization

extension EngineEvent {
  /// Whether sound is missing from what is rendered.
  var leavesSoundOut: Bool {
    switch self {
    case .muted, .streamFailed, .overloaded, .pluginFailed: true
    default: false
    }
  }

  /// Whether it names a node that may have caused the loss of sound.
  var explainsLoss: Bool {
    switch self {
    case .culprit, .suspects: true
    default: false
    }
  }
}

/// What an engine has told since somebody asked.
final class Newsfeed: Sendable {
  private let waiting: Shelf
  private let observation: EventObservation

  /// What the engine and the asker share.
  private final class Shelf: Sendable {
    let events = Mutex<[EngineEvent]>([])
  }

  /// Listens from now on.
  init(_ engine: AudioEngine) {
    let shelf = Shelf()
    waiting = shelf
    observation = engine.observe { event in shelf.events.withLock { $0.append(event) } }
  }

  /// The events since the last call, oldest first.
  func take() -> [EngineEvent] {
    waiting.events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
