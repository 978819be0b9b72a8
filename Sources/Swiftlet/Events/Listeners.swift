// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// Sends events to any number of streams. Any thread but the audio thread.
final class Listeners<Event: Sendable>: Sendable {
  private let continuations = Mutex<(next: Int, all: [Int: AsyncStream<Event>.Continuation])>((0, [:]))
  private let isOver = Atomic(false)

  /// Returns a stream of the events from now on. It keeps at most 1,000 unread events and drops the oldest.
  func stream() -> AsyncStream<Event> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1000)) { continuation in
      let number = continuations.withLock { continuations in
        continuations.next += 1
        continuations.all[continuations.next] = continuation
        return continuations.next
      }
      continuation.onTermination = { [weak self] _ in
        self?.continuations.withLock { _ = $0.all.removeValue(forKey: number) }
      }
      // A stream that is made after, or during, `finish()` ends at once.
      if isOver.load(ordering: .acquiring) { continuation.finish() }
    }
  }

  func send(_ event: Event) {
    for continuation in continuations.withLock({ Array($0.all.values) }) { continuation.yield(event) }
  }

  /// Lets new streams receive events again after ``finish()``.
  func reopen() { isOver.store(false, ordering: .releasing) }

  func finish() {
    isOver.store(true, ordering: .releasing)
    for continuation in continuations.withLock({ Array($0.all.values) }) { continuation.finish() }
  }
}
