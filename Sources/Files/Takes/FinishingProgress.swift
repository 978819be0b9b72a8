// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// Counts what has been done for takes that are being finished, so that a deadline can tell a long encoding from a hang.
package enum FinishingProgress {
  private static let count = Atomic<UInt64>(0)

  /// The number of batches that were copied, encoded or compared. Safe inside a signal handler, once it was read outside.
  package static var steps: UInt64 { count.load(ordering: .relaxed) }

  /// Notes one more batch.
  static func step() { count.add(1, ordering: .relaxed) }
}
