// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletGraph

/// The text of loads, as shares of the period.
enum LoadText {
  /// Returns a share in percent, with one decimal below 10 %: `45`, `0.4`.
  static func percent(_ share: Double) -> String { Digits.fixed(share * 100, share < 0.1 ? 1 : 0) }

  /// Returns nodes with their shares: `'hall' (45 % of the period), 'room' (3.0 % of the period)`.
  static func nodes(_ nodes: [EngineEvent.NodeLoad]) -> String {
    nodes.map { "'\($0.node)' (\(percent($0.share)) % of the period)" }.joined(separator: ", ")
  }

  /// Returns the load of cycles: `12.3 % of the period in the median cycle, more than 15.1 % in one of twenty`.
  static func line(_ load: CycleLoad) -> String {
    "\(Digits.fixed(load.median * 100, 1)) % of the period in the median cycle, more than "
      + "\(Digits.fixed(load.high * 100, 1)) % in one of twenty"
  }
}
