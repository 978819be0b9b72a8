// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Items grouped by owner: each owner's items form a range of one shared array.
///
/// Two arrays hold everything, so building takes linear time for any number of owners.
struct Adjacency {
  /// The start of each owner's range in `items`, followed by the end of the last.
  private let starts: [Int]
  /// All items, grouped by owner, in ascending order within each group.
  private let items: [Int]

  /// Groups items by owner.
  ///
  /// - Parameters:
  ///   - owners: the owner of each item, by the item's number.
  ///   - count: the number of owners.
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

  /// The number of owners.
  var count: Int { starts.count - 1 }

  /// The items of an owner, in ascending order.
  subscript(thing: Int) -> ArraySlice<Int> { items[starts[thing]..<starts[thing + 1]] }

  /// Returns the number of an owner's items.
  func itemCount(of thing: Int) -> Int { starts[thing + 1] - starts[thing] }

  /// Returns an owner's item, counted from 0.
  func item(_ number: Int, of thing: Int) -> Int { items[starts[thing] + number] }
}
