// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A value with an undo history.
///
///     var history = History(Composition())
///     try history.edit("Add a track") { try $0.add("music") }
///     history.undo()
///
/// Values that share their storage, as Swift's collections do, cost little to keep.
package struct History<Value: Sendable>: Sendable {
  /// An earlier or a later value, and the name of the edit between it and its neighbour.
  private struct Step: Sendable {
    var title: String
    var value: Value
  }

  /// The current value.
  package private(set) var value: Value
  private var past: [Step] = [], future: [Step] = []
  /// The most edits that can be undone; older ones are dropped.
  package let limit: Int

  /// Creates a value without a history.
  ///
  /// - Parameter limit: the most edits that can be undone, 1 or more; default: 1000.
  package init(_ value: Value, limit: Int = 1000) {
    self.value = value
    self.limit = max(limit, 1)
  }

  /// Edits the value and clears what could be redone. An edit that throws changes nothing.
  ///
  /// - Parameters:
  ///   - title: the name of the edit in menus; default: empty.
  ///   - change: the edit.
  package mutating func edit<Failure: Error>(
    _ title: String = "", _ change: (inout Value) throws(Failure) -> Void
  ) throws(Failure) {
    var edited = value
    try change(&edited)
    past.append(Step(title: title, value: value))
    if past.count > limit { past.removeFirst() }
    future = []
    value = edited
  }

  /// Undoes the last edit.
  ///
  /// - Returns: false if there is no edit to undo.
  @discardableResult package mutating func undo() -> Bool {
    guard let step = past.popLast() else { return false }
    future.append(Step(title: step.title, value: value))
    value = step.value
    return true
  }

  /// Repeats the edit that was undone last.
  ///
  /// - Returns: false if there is no edit to redo.
  @discardableResult package mutating func redo() -> Bool {
    guard let step = future.popLast() else { return false }
    past.append(Step(title: step.title, value: value))
    value = step.value
    return true
  }

  /// The number of edits that can be undone.
  package var undoCount: Int { past.count }
  /// The number of edits that can be redone.
  package var redoCount: Int { future.count }
  /// The name of the edit that ``undo()`` undoes; nil if there is none.
  package var undoTitle: String? { past.last?.title }
  /// The name of the edit that ``redo()`` repeats; nil if there is none.
  package var redoTitle: String? { future.last?.title }
}
