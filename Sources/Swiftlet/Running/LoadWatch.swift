// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

/// Measures the load of the audio thread, and detects overloads of the graph.
///
/// It examines the last cycle every few milliseconds. A cycle that another program interrupts is long without saying
/// anything about the graph, so an overload is a median above 1 over a quarter of a second.
struct LoadWatch {
  /// The result of examining a cycle.
  enum Finding: Equatable {
    /// No change.
    case none
    /// An overload has begun; the value is the duration of a cycle as a multiple of the period.
    case overload(Double)
  }

  /// The time for which cycles are collected before they are judged, in seconds: for each cycle, its duration or the
  /// time since the last examined one, whichever is longer.
  static let window = 0.25
  /// The share of the period below which an overload ends.
  static let relief = 0.8
  /// The minimum number of cycles.
  private static let fewest = 3

  /// The loads of the last examined cycles, and the time in seconds that each stands for. Together they cover one
  /// window.
  private var shares: [(share: Double, seconds: Double)] = []
  /// The time since the last examined cycle, in seconds.
  private var waited = 0.0
  private var lastNumber = -1
  private var isOverloaded = false

  /// The mean load of the last examined cycles; 1 is the whole period.
  var load: Double { shares.isEmpty ? 0 : shares.reduce(0) { $0 + $1.share } / Double(shares.count) }

  /// Examines the last cycle.
  ///
  /// - Parameters:
  ///   - cycle: the last cycle; nil if there is none.
  ///   - elapsed: the time since the last call, in seconds.
  mutating func examine(_ cycle: CycleCost?, after elapsed: Double) -> Finding {
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
