// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// An ordered list that finds an element by its identifier in logarithmic time at most.
///
/// Each element gets a serial number when it is added. A dictionary maps identifiers to serials; serials ascend along
/// the list, so a binary search maps a serial to an index. Until an element is removed, serials have no gaps, and the
/// search is a subtraction. Removal never renumbers.
struct IndexedList<Element: Identifiable> {
  /// The elements, in the order they were appended.
  private(set) var elements: [Element] = []
  /// The serial number of each element, ascending.
  private var serials: [Int] = []
  private var serialOf: [Element.ID: Int] = [:]
  /// The serials before the first element and after the last one.
  private var firstSerial = 0, nextSerial = 0

  /// Creates an empty list.
  init() {}

  /// Creates a list of elements with different identifiers. If several have the same identifier, lookups return the
  /// first.
  init(_ elements: [Element]) {
    self.elements = elements
    serials = Array(elements.indices)
    nextSerial = elements.count
    serialOf = Dictionary(zip(elements.map(\.id), serials)) { first, _ in first }
  }

  /// Returns the index of the element with an identifier; nil if there is none.
  func index(of id: Element.ID) -> Int? {
    guard let serial = serialOf[id] else { return nil }
    guard serials.count < nextSerial - firstSerial else { return serial - firstSerial }
    return firstIndex(from: serial)
  }

  /// Returns whether there is an element with an identifier.
  func contains(_ id: Element.ID) -> Bool { serialOf[id] != nil }

  /// Returns the element with an identifier; nil if there is none.
  subscript(id: Element.ID) -> Element? { index(of: id).map { elements[$0] } }

  /// Appends an element; returns false and changes nothing if there is one with the same identifier.
  @discardableResult mutating func append(_ element: Element) -> Bool {
    // A single dictionary access both looks up an existing element and enters this one.
    guard Self.read(&serialOf[element.id, default: nextSerial]) == nextSerial else { return false }
    elements.append(element)
    serials.append(nextSerial)
    nextSerial += 1
    return true
  }

  /// Returns the serial number of the element with an identifier; nil if there is none.
  func serial(of id: Element.ID) -> Int? { serialOf[id] }

  /// Restores a removed element at its former position, by its serial number.
  mutating func insert(_ element: Element, serial: Int) {
    let index = firstIndex(from: serial)
    elements.insert(element, at: index)
    serials.insert(serial, at: index)
    serialOf[element.id] = serial
  }

  /// Returns the index of the first element with this serial number or a higher one.
  private func firstIndex(from serial: Int) -> Int {
    var low = 0, high = serials.count
    while low < high {
      let middle = (low + high) / 2
      if serials[middle] < serial { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Inserts elements before all others; none of their identifiers may be in the list.
  mutating func prepend(_ added: [Element]) {
    guard !added.isEmpty else { return }
    firstSerial -= added.count
    for (index, element) in added.enumerated() { serialOf[element.id] = firstSerial + index }
    serials.insert(contentsOf: firstSerial..<(firstSerial + added.count), at: 0)
    elements.insert(contentsOf: added, at: 0)
  }

  /// Returns the elements whose identifiers another list does not contain, in order.
  ///
  /// Two versions of one list usually have the same start and end, so only the elements in between are looked up.
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

  /// Replaces the element with the same identifier; returns false and changes nothing if there is none.
  @discardableResult mutating func replace(_ element: Element) -> Bool {
    guard let index = index(of: element.id) else { return false }
    elements[index] = element
    return true
  }

  /// A removed element with its serial number.
  typealias Removed = (element: Element, serial: Int)

  /// Removes and returns the element with an identifier, if there is one.
  @discardableResult mutating func remove(_ id: Element.ID) -> Removed? {
    guard let index = index(of: id) else { return nil }
    serialOf[id] = nil
    return (elements.remove(at: index), serials.remove(at: index))
  }

  /// Removes and returns all elements that `isGone` accepts, in linear time.
  @discardableResult mutating func removeAll(where isGone: (Element) -> Bool) -> [Removed] {
    // Usually nothing is removed; then nothing is copied.
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
