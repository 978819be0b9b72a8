// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The last values of the addresses that clients watch, and when each has changed. All clients share it, so a value is
/// read once for all of them.
struct ValueWatch {
  private let tree: ControlTree
  /// The last reading of each entry; nil before the first.
  private var readings: [ControlReading?]
  /// The turn in which each reading has changed.
  private var turns: [UInt64]
  /// The number of the last turn.
  private(set) var turn: UInt64 = 0

  init(_ tree: ControlTree) {
    self.tree = tree
    readings = Array(repeating: nil, count: tree.entries.count)
    turns = Array(repeating: 0, count: tree.entries.count)
  }

  /// Reads the values of some entries.
  mutating func refresh(_ indices: Set<Int>) {
    turn += 1
    for index in indices {
      let reading = tree.entries[index].reading
      guard readings[index] != reading else { continue }
      readings[index] = reading
      turns[index] = turn
    }
  }

  /// Returns the readings of some entries that have changed after a turn.
  func changes(of indices: [Int], after turn: UInt64) -> [ControlReading] {
    indices.compactMap { turns[$0] > turn ? readings[$0] : nil }
  }
}
