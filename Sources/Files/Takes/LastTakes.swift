// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// Finishes the takes of all recorders when the process is about to end because of a crash.
///
/// The crashed thread may hold any lock of the engine, and may be the audio thread. So this code uses neither the
/// engine nor the audio thread: takes end with the sound in their taps' rings, and their own threads write and finish
/// them.
package enum LastTakes {
  /// The result for all takes.
  package struct Outcome: Sendable, Equatable {
    /// The number of takes that are finished, and of takes that are not.
    package var finished = 0, left = 0
  }

  private struct Entry { weak var desk: WritingDesk? }
  private static let entries = Mutex<[Entry]>([])

  /// Adds the takes of a recorder, until the recorder is released.
  static func add(_ desk: WritingDesk) {
    entries.withLock { entries in
      entries.removeAll { $0.desk == nil }
      entries.append(Entry(desk: desk))
    }
  }

  /// Ends all takes with the sound that has arrived, and waits until their files are finished.
  ///
  /// - Parameter time: the maximum total wait for all recorders.
  package static func finish(within time: Duration) -> Outcome {
    let end = ContinuousClock.now + time
    let desks = entries.withLock { entries in entries.compactMap(\.desk) }
    let counts = desks.map(\.unreportedCount)
    for desk in desks {
      for take in desk.active { take.endWithSound() }
    }
    var outcome = Outcome()
    for (desk, count) in zip(desks, counts) {
      desk.awaitReports(within: end - .now)
      outcome.left += desk.unreportedCount
      outcome.finished += max(count - desk.unreportedCount, 0)
    }
    return outcome
  }
}
