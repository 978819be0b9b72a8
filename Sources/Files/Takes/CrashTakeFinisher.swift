// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// Finishes the takes of all recorders when the process is about to end because of a crash.
///
/// The crashed thread may hold any lock of the engine, and may be the audio thread. So this code uses neither the
/// engine nor the audio thread: takes end with the sound in their taps' rings, and their own threads write and finish
/// them.
package enum CrashTakeFinisher {
  /// The result for all takes.
  package struct Outcome: Sendable, Equatable {
    /// The number of takes that are finished, and of takes that are not.
    package var finished = 0, left = 0
  }

  private struct Entry { weak var queue: TakeQueue? }
  private static let entries = Mutex<[Entry]>([])

  /// Adds the takes of a recorder, until the recorder is released.
  static func add(_ queue: TakeQueue) {
    entries.withLock { entries in
      entries.removeAll { $0.queue == nil }
      entries.append(Entry(queue: queue))
    }
  }

  /// Ends all takes with the sound that has arrived, and waits until their files are finished.
  ///
  /// - Parameter time: the maximum total wait for all recorders.
  package static func finish(within time: Duration) -> Outcome {
    let end = ContinuousClock.now + time
    let queues = entries.withLock { entries in entries.compactMap(\.queue) }
    let counts = queues.map(\.unreportedCount)
    for queue in queues {
      for take in queue.active { take.endWithSound() }
    }
    var outcome = Outcome()
    for (queue, count) in zip(queues, counts) {
      queue.awaitReports(within: end - .now)
      outcome.left += queue.unreportedCount
      outcome.finished += max(count - queue.unreportedCount, 0)
    }
    return outcome
  }
}
