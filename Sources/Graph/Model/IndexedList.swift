// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A list that keeps its order, and finds an element by its identity in logarithmic time at most.
///
/// Each element gets a serial number when it is added. A dictionary leads from identities to serials; serials ascend
/// along the list, so a binary search leads from a serial to an index. As long as nothing was removed, serials have no
/// gaps, and the search is a subtraction. Removal never renumbers.
struct IndexedList<Element: Identifiable> {
  /// The elements, in the order they were appended.
  private(set) var elements: [Element] = []
  /// The serial number of each element, ascending.
  private var serials: [Int] = []
  private var serialOf: [Element.ID: Int] = [:]
  /// The serials that come before the first element and after the last one.
  private var firstSerial = 0, nextSerial = 0

  /// An empty list.
  init() {}

  /// A list of elements with different identities. Of several with one identity, the first is found.
  init(_ elements: [Element]) {
    self.elements = elements
    serials = Array(elements.indices)
    nextSerial = elements.count
    serialOf = Dictionary(zip(elements.map(\.id), serials)) { first, _ in first }
  }

  /// Where the element with an identity stands; nil where there is none.
  func index(of id: Element.ID) -> Int? {
    guard let serial = serialOf[id] else { return nil }
    guard serials.count < nextSerial - firstSerial else { return serial - firstSerial }
    return firstIndex(from: serial)
  }

  /// Whether there is an element with an identity.
  func contains(_ id: Element.ID) -> Bool { serialOf[id] != nil }

  /// The element with an identity; nil where there is none.
  subscript(id: Element.ID) -> Element? { index(of: id).map { elements[$0] } }

  /// Appends an element; returns false, and changes nothing, if there is one with its identity.
  @discardableResult mutating func append(_ element: Element) -> Bool {
    // One look into the dictionary both finds an earlier element and enters this one.
    guard Self.read(&serialOf[element.id, default: nextSerial]) == nextSerial else { return false }
    elements.append(element)
    serials.append(nextSerial)
    nextSerial += 1
    return true
  }

  /// The serial number of an element; nil where there is none with this identity.
  func serial(of id: Element.ID) -> Int? { serialOf[id] }

  /// Puts an element back where it was, by the serial number that it had before it was removed.
  mutating func insert(_ element: Element, serial: Int) {
    let index = firstIndex(from: serial)
    elements.insert(element, at: index)
    serials.insert(serial, at: index)
    serialOf[element.id] = serial
  }

  /// The index of the first element with this serial number or a later one.
  private func firstIndex(from serial: Int) -> Int {
    var low = 0, high = serials.count
    while low < high {
      let middle = (low + high) / 2
      if serials[middle] < serial { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Puts elements before all others; none of them has an identity that is in the list.
  mutating func prepend(_ added: [Element]) {
    guard !added.isEmpty else { return }
    firstSerial -= added.count
    for (index, element) in added.enumerated() { serialOf[element.id] = firstSerial + index }
    serials.insert(contentsOf: firstSerial..<(firstSerial + added.count), at: 0)
    elements.insert(contentsOf: added, at: 0)
  }

  /// The elements that another list has none of, by identity, in order.
  ///
  /// Two versions of one list mostly begin and end alike: only what lies in between is looked up.
  func missing(from other: IndexedList) -> [Element] {
    let shorter = min(elements.count, other.elements.count)
    var first = 0, last = 0
    while first < shorter, elements[first].id == other.elements[first].id { first += 1 }
    while last < shorter - first,
      elements[elements.count - 1 - last].id == other.elements[other.elements.count - 1 - last].id
    {
      last += 1
    }
    return elements[first..<(elements.count - last)].filter { !other.contains($0.id) }
  }

  /// Static: a call on the list itself would hold a copy of it, and copy the dictionary.
  private static func read(_ serial: inout Int) -> Int { serial }

  /// Replaces the element with the same identity; returns false, and changes nothing, if there is none.
  @discardableResult mutating func replace(_ element: Element) -> Bool {
    guard let index = index(of: element.id) else { return false }
    elements[index] = element
    return true
  }

  /// An element that was removed, with its serial number.
  typealias Removed = (element: Element, serial: Int)

  /// Removes the element with an identity, if there is one, and returns it.
  @discardableResult mutating func remove(_ id: Element.ID) -> Removed? {
    guard let index = index(of: id) else { return nil }
    serialOf[id] = nil
    return (elements.remove(at: index), serials.remove(at: index))
  }

  /// Removes all elements that `isGone` accepts, in linear time, and returns them.
  @discardableResult mutating func removeAll(where isGone: (Element) -> Bool) -> [Removed] {
    // Mostly nothing goes; then nothing is copied.
    guard let first = elements.firstIndex(where: isGone) else { return [] }
    var kept = first, removed: [Removed] = []
    for index in first..<elements.count {
      if isGone(elements[index]) {
        serialOf[elements[index].id] = nil
        removed.append((elements[index], serials[index]))
      } else {
        if kept != index {
          elements.swapAt(kept, index)
          serials.swapAt(kept, index)
        }
        kept += 1
      }
    }
    elements.removeSubrange(kept...)
    serials.removeSubrange(kept...)
    return removed
  }
}

extension IndexedList: Sendable where Element: Sendable, Element.ID: Sendable {}

extension IndexedList: Equatable where Element: Equatable {
  /// Two lists are equal if their elements are, in the same order.
  static func == (a: IndexedList, b: IndexedList) -> Bool { a.elements == b.elements }
}
