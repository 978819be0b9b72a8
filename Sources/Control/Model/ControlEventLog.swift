// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// The last events of a session. Each subscriber reads those after the last one that it has read. Any thread but the
/// audio thread.
package final class ControlEventLog: Sendable {
  /// The number of events that are kept.
  package static let capacity = 1000

  private struct State {
    /// The number of all events so far.
    var total = 0
    /// The last events, oldest first.
    var kept: [ControlEvent] = []
  }

  private let state = Mutex(State())

  init() {}

  /// Adds an event; the oldest one is dropped if there are too many.
  package func add(_ event: ControlEvent) {
    state.withLock { state in
      state.total += 1
      state.kept.append(event)
      // In groups, so that adding an event does not move all others each time.
      if state.kept.count > 2 * Self.capacity { state.kept.removeFirst(Self.capacity) }
    }
  }

  /// The number of all events so far: the position of a new subscriber.
  package var end: Int { state.withLock { $0.total } }

  /// Returns the events after a position, the position after them, and the number of events that were dropped.
  package func read(after position: Int) -> (events: [ControlEvent], end: Int, lost: Int) {
    state.withLock { state in
      let new = max(state.total - position, 0), kept = min(new, min(state.kept.count, Self.capacity))
      return (Array(state.kept.suffix(kept)), state.total, new - kept)
    }
  }
}
