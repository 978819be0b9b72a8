// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

/// Follows how much of its time the audio thread takes, and notices when a graph needs more than there is.
///
/// It looks at the last cycle every few milliseconds. A cycle that others interrupted is long, and says nothing of the
/// graph: so an overload is a median above 1, over a quarter of a second.
struct LoadWatch {
  /// What there is to do.
  enum Finding: Equatable {
    /// Nothing.
    case none
    /// An overload has begun: so many times the period is what a cycle takes.
    case overload(Double)
  }

  /// How long cycles are collected before they are judged, in seconds of their own time or period, whichever is longer.
  static let window = 0.25
  /// Below which share of the period an overload is over.
  static let relief = 0.8
  /// How many cycles are needed at least.
  private static let fewest = 3

  /// Shares of the last cycles that were looked at, and how long each stands for, in seconds: a window's worth.
  private var shares: [(share: Double, seconds: Double)] = []
  /// How many seconds there were since the last cycle that was looked at.
  private var waited = 0.0
  private var lastNumber = -1
  private var isOverloaded = false

  /// How much of its time a cycle takes, the mean of the cycles that were looked at last; 1 is all there is.
  var load: Double { shares.isEmpty ? 0 : shares.reduce(0) { $0 + $1.share } / Double(shares.count) }

  /// Looks at the last cycle.
  ///
  /// - Parameter elapsed: seconds since it last looked.
  mutating func look(at cycle: CycleCost?, after elapsed: Double) -> Finding {
    waited += elapsed
    guard let cycle, cycle.number != lastNumber, cycle.period > 0 else { return .none }
    lastNumber = cycle.number
    shares.append((cycle.seconds / cycle.period, max(waited, cycle.seconds)))
    waited = 0
    var seconds = shares.reduce(0) { $0 + $1.seconds }
    while shares.count > Self.fewest, seconds - shares[0].seconds >= Self.window {
      seconds -= shares.removeFirst().seconds
    }
    guard shares.count >= Self.fewest, seconds >= Self.window else { return .none }
    let middle = shares.map(\.share).sorted()[shares.count / 2]
    if isOverloaded {
      if middle < Self.relief { isOverloaded = false }
      return .none
    }
    guard middle > 1 else { return .none }
    isOverloaded = true
    return .overload(middle)
  }
}
