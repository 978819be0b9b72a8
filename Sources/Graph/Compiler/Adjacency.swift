// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Numbered items by the numbered thing that each belongs to: for every thing a run of one shared array.
///
/// Two arrays hold all of it, so that it is built in linear time, however many things there are.
struct Adjacency {
  /// Where the run of each thing begins in `items`, and where that of the last one ends.
  private let starts: [Int]
  /// All items, those of one thing together, in ascending order.
  private let items: [Int]

  /// Sorts items by what they belong to.
  ///
  /// - Parameters:
  ///   - owners: for each item, by its number, the thing it belongs to.
  ///   - count: how many things there are.
  init(of owners: [Int], count: Int) {
    var ends = Array(repeating: 0, count: count + 1)
    for owner in owners { ends[owner + 1] += 1 }
    for thing in 0..<count { ends[thing + 1] += ends[thing] }
    starts = ends
    var items = Array(repeating: 0, count: owners.count)
    for (item, owner) in owners.enumerated() {
      items[ends[owner]] = item
      ends[owner] += 1
    }
    self.items = items
  }

  /// How many things there are.
  var count: Int { starts.count - 1 }

  /// The items of a thing, in ascending order.
  subscript(thing: Int) -> ArraySlice<Int> { items[starts[thing]..<starts[thing + 1]] }

  /// How many items a thing has.
  func itemCount(of thing: Int) -> Int { starts[thing + 1] - starts[thing] }

  /// An item of a thing, counted from 0.
  func item(_ number: Int, of thing: Int) -> Int { items[starts[thing] + number] }
}
