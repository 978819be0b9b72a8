// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Tracks a library's input and output while the speed changes.
///
/// About a tenth of a second of input waits in the library before it is stretched, at the tempo that is set at that
/// time. The ledger computes a tempo for the waiting sound, not for the sound that was just pushed, and subtracts the
/// excess of one slice from the next.
struct StretchLedger {
  /// The rates at which sound plays.
  struct Rates: Equatable {
    /// The number of input frames for each final output frame, and the ratio of the resampling after the library.
    var advance: Double, ratio: Double
  }

  private(set) var requested = Rates(advance: 1, ratio: 1)
  /// Whether the rates have changed since the first sound.
  private(set) var isMoving = false
  /// The resampling ratio for the next output.
  private(set) var ratio = 1.0
  /// The input that waits in the library, the oldest first, each with its rates.
  private var waiting: [(count: Double, rates: Rates)] = []
  private var first = 0
  /// The number of waiting frames according to the library.
  private var left = 0.0
  /// The number of final frames that are due but not made yet, and that number while the rates are constant: what the
  /// library holds back for its first overlap.
  private var due = 0.0, usual: Double?

  /// Sets the rates for the input that is pushed next.
  mutating func change(to rates: Rates) {
    if left > 0 || usual != nil, rates != requested { isMoving = true }
    requested = rates
    if !isMoving { ratio = rates.ratio }
  }

  /// Accepts the current number of due frames as the normal one.
  mutating func settle() { if usual != nil { usual = due } }

  /// Returns the tempo at which the library should make its next `made` frames; nil if no input waits.
  func tempo(over made: Double) -> Double? {
    guard made > 0, first < waiting.count else { return nil }
    let front = waiting[first].rates, target = made * front.ratio - (due - (usual ?? due))
    var frames = 0.0, rest = target, rates = front
    for entry in waiting[first...] {
      rates = entry.rates
      let makes = entry.count / rates.advance
      guard makes < rest else { break }
      frames += entry.count
      rest -= makes
    }
    frames += max(rest, 0) * rates.advance
    let plain = front.advance * front.ratio
    return min(max(frames / made, plain / 2), plain * 2)
  }

  /// Records that `count` frames were pushed, that `made` frames came out, and that `now` frames wait.
  mutating func take(_ count: Int, made: Int, left now: Int) {
    waiting.append((Double(count), requested))
    var used = left + Double(count) - Double(now)
    left = Double(now)
    if isMoving, first < waiting.count { ratio = waiting[first].rates.ratio }
    due -= Double(made) * ratio
    while used > 0, first < waiting.count {
      let taken = min(used, waiting[first].count)
      due += taken / waiting[first].rates.advance
      waiting[first].count -= taken
      used -= taken
      if waiting[first].count <= 0 { first += 1 }
    }
    if first > 256 {
      waiting.removeFirst(first)
      first = 0
    }
    if made > 0, usual == nil || !isMoving { usual = due }
  }
}
