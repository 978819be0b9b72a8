// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Keeps account of what a library was given and what it made of it, where the speed moves.
///
/// Some tenth of a second waits in the library before it is made longer or shorter, and what then comes of it is a
/// matter of the tempo at that time. So a speed that moves is obeyed by the sound that it is meant for, not by that
/// which is just pushed, and what a piece was too long is taken from the next.
struct StretchLedger {
  /// How fast sound plays.
  struct Rates: Equatable {
    /// How many frames go in for each that comes out in the end, and the ratio at which they are resampled then.
    var advance: Double, ratio: Double
  }

  private(set) var asked = Rates(advance: 1, ratio: 1)
  /// Whether it has changed since the first sound.
  private(set) var isMoving = false
  /// At what ratio what comes out next is to be resampled.
  private(set) var ratio = 1.0
  /// What waits in the library, oldest first, each with how it is to play.
  private var waiting: [(count: Double, rates: Rates)] = []
  private var first = 0
  /// How many frames wait by the library's account.
  private var left = 0.0
  /// How many frames more were due in the end than were made, and how many that is while nothing moves: what the
  /// library keeps back for its first overlap.
  private var debt = 0.0, usual: Double?

  /// Notes how what is pushed next is to play.
  mutating func change(to rates: Rates) {
    if left > 0 || usual != nil, rates != asked { isMoving = true }
    asked = rates
    if !isMoving { ratio = rates.ratio }
  }

  /// Takes the account as it stands for settled.
  mutating func settle() { if usual != nil { usual = debt } }

  /// The tempo at which the library is to make its next frames, of which there are so many; nil where nothing waits.
  func tempo(over made: Double) -> Double? {
    guard made > 0, first < waiting.count else { return nil }
    let front = waiting[first].rates, wanted = made * front.ratio - (debt - (usual ?? debt))
    var frames = 0.0, rest = wanted, rates = front
    for piece in waiting[first...] {
      rates = piece.rates
      let makes = piece.count / rates.advance
      guard makes < rest else { break }
      frames += piece.count
      rest -= makes
    }
    frames += max(rest, 0) * rates.advance
    let plain = front.advance * front.ratio
    return min(max(frames / made, plain / 2), plain * 2)
  }

  /// Notes that frames were pushed, that so many were made of what waited, and how many wait now.
  mutating func take(_ count: Int, made: Int, left now: Int) {
    waiting.append((Double(count), asked))
    var used = left + Double(count) - Double(now)
    left = Double(now)
    if isMoving, first < waiting.count { ratio = waiting[first].rates.ratio }
    debt -= Double(made) * ratio
    while used > 0, first < waiting.count {
      let piece = min(used, waiting[first].count)
      debt += piece / waiting[first].rates.advance
      waiting[first].count -= piece
      used -= piece
      if waiting[first].count <= 0 { first += 1 }
    }
    if first > 256 {
      waiting.removeFirst(first)
      first = 0
    }
    if made > 0, usual == nil || !isMoving { usual = debt }
  }
}
