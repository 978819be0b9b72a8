// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// Counts the work done on takes that are being finished, so that a deadline can tell a long encoding from a hang.
package enum FinishingProgress {
  private static let count = Atomic<UInt64>(0)

  /// The number of batches that were copied, encoded or compared. May be read in a signal handler if it was read before
  /// outside of one.
  package static var steps: UInt64 { count.load(ordering: .relaxed) }

  /// Counts one more batch.
  static func step() { count.add(1, ordering: .relaxed) }
}
