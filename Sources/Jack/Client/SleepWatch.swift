// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Detects a long pause between cycles: the machine slept, or the server was stopped. The server's frame counter may
/// continue afterwards as if there had been no pause.
struct SleepWatch {
  private var sequence = 0
  private var moved: ContinuousClock.Instant

  /// Creates a watch that begins now.
  init(now: ContinuousClock.Instant = .now) { moved = now }

  /// Returns whether cycles have resumed after a pause of at least `StreamClock.longestLoss` seconds.
  ///
  /// - Parameters:
  ///   - current: a counter that increases with each cycle; 0 before the first.
  ///   - now: the time of a clock that advances while the machine sleeps.
  mutating func hasSlept(at current: Int, now: ContinuousClock.Instant = .now) -> Bool {
    guard current != sequence else { return false }
    defer { (sequence, moved) = (current, now) }
    return sequence != 0 && now - moved >= .seconds(StreamClock.longestLoss)
  }
}
