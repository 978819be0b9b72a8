// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// Finishes the takes of all recorders of this process when it is about to end by a crash.
///
/// The thread that crashed may hold any lock of the engine, and the audio thread may be that thread. So nothing is asked of
/// either: the takes end with the sound that lies in their taps' rings, and their own threads write and finish them.
package enum LastTakes {
  /// What has become of the takes.
  package struct Outcome: Sendable, Equatable {
    /// How many are finished, and how many are not.
    package var finished = 0, left = 0
  }

  private struct Entry { weak var desk: WritingDesk? }
  private static let entries = Mutex<[Entry]>([])

  /// Adds the takes of a recorder, for as long as they live.
  static func add(_ desk: WritingDesk) {
    entries.withLock { entries in
      entries.removeAll { $0.desk == nil }
      entries.append(Entry(desk: desk))
    }
  }

  /// Ends all takes where sound did, and waits until their files are finished.
  ///
  /// - Parameter time: how long to wait at most, for all together.
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
