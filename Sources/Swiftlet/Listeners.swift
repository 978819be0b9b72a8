// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// Hands what somebody tells to all who listen. Any thread but the audio thread.
final class Listeners<Event: Sendable>: Sendable {
  private let continuations = Mutex<(next: Int, all: [Int: AsyncStream<Event>.Continuation])>((0, [:]))
  private let isOver = Atomic(false)

  /// A stream of all that happens from now on; what a slow listener leaves lying beyond 1,000 events is lost.
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
      // Who comes when it is over, or just then, is told so.
      if isOver.load(ordering: .acquiring) { continuation.finish() }
    }
  }

  func send(_ event: Event) {
    for continuation in continuations.withLock({ Array($0.all.values) }) { continuation.yield(event) }
  }

  /// Lets listeners come again after ``finish()``.
  func reopen() { isOver.store(false, ordering: .releasing) }

  func finish() {
    isOver.store(true, ordering: .releasing)
    for continuation in continuations.withLock({ Array($0.all.values) }) { continuation.finish() }
  }
}
