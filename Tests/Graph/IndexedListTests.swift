// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletGraph

@Suite struct IndexedListTests {
  private struct Item: Identifiable, Equatable {
    var id: Int, text = ""
  }

  private func list(_ ids: Int...) -> IndexedList<Item> { IndexedList(ids.map { Item(id: $0) }) }

  @Test func `an element is found at its index, before and after others are removed`() {
    var list = list(5, 3, 8, 1)
    #expect(list.index(of: 8) == 2 && list[1] == Item(id: 1) && list.index(of: 7) == nil)
    list.remove(3)
    #expect(list.elements.map(\.id) == [5, 8, 1])
    #expect([5, 8, 1, 3].map { list.index(of: $0) } == [0, 1, 2, nil])
    list.append(Item(id: 3))
    #expect(list.index(of: 3) == 3)
  }

  @Test func `an identity is appended only once, and replaced only if present`() {
    var list = list(1, 2)
    let isAppended = list.append(Item(id: 1, text: "again"))
    #expect(!isAppended && list[1]?.text == "")
    let isReplaced = list.replace(Item(id: 1, text: "new")), isOtherReplaced = list.replace(Item(id: 9))
    #expect(isReplaced && !isOtherReplaced && list[1]?.text == "new")
    #expect(list.elements.map(\.id) == [1, 2])
  }

  @Test func `elements missing from another list are returned in order`() {
    #expect(list(1, 2, 3, 4).missing(from: list(1, 3, 4)).map(\.id) == [2])
    #expect(list(1, 2).missing(from: list(2, 1)).isEmpty)
    #expect(list(1, 2, 3).missing(from: list()).map(\.id) == [1, 2, 3])
    #expect(list(4, 1, 5).missing(from: list(1, 1 + 5, 5)).map(\.id) == [4])
  }

  @Test func `after thousands of random changes the list matches a searched array`() {
    var random = SystemRandomNumberGenerator()
    var list = IndexedList<Item>(), model: [Item] = []
    for step in 0..<4000 {
      let id = Int.random(in: 0..<60, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        let item = Item(id: id, text: "\(step)")
        let isNew = !model.contains { $0.id == id }
        if isNew { model.append(item) }
        let isAppended = list.append(item)
        #expect(isAppended == isNew)
      case 2:
        model.removeAll { $0.id == id }
        list.remove(id)
      case 3:
        model.removeAll { $0.id % 17 == id % 17 }
        list.removeAll { $0.id % 17 == id % 17 }
      default:
        let added = (100..<103).map { Item(id: $0, text: "\(step)") }.filter { item in
          !model.contains { $0.id == item.id }
        }
        model = added + model
        list.prepend(added)
        if id < 20 {
          model.removeAll { $0.id >= 100 }
          list.removeAll { $0.id >= 100 }
        }
      }
      #expect(list.elements == model)
      for id in 0..<103 { #expect(list.index(of: id) == model.firstIndex { $0.id == id }) }
    }
  }
}
