// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Notices that no cycle came for long, and then one did: the machine slept, or somebody held the server still. A
/// server may count on after that as if nothing had been.
struct SleepWatch {
  private var sequence = 0
  private var moved: ContinuousClock.Instant

  /// A watch that begins now.
  init(now: ContinuousClock.Instant = .now) { moved = now }

  /// Whether cycles go on after a rest since the last question.
  ///
  /// - Parameters:
  ///   - current: what goes up with each cycle; 0 before the first.
  ///   - now: the time by a clock that goes on while the machine sleeps.
  mutating func hasSlept(at current: Int, now: ContinuousClock.Instant = .now) -> Bool {
    guard current != sequence else { return false }
    defer { (sequence, moved) = (current, now) }
    return sequence != 0 && now - moved >= .seconds(StreamClock.longestLoss)
  }
}
