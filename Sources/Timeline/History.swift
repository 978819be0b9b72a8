// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A value with its past: undo and redo.
///
///     var history = History(Composition())
///     try history.edit("Add a track") { try $0.add("music") }
///     history.undo()
///
/// Values that share their storage, as all of Swift's do, cost little to keep.
package struct History<Value: Sendable>: Sendable {
  /// What was, or will be, and the name of the edit between it and the value next to it.
  private struct Step: Sendable {
    var title: String
    var value: Value
  }

  /// The value now.
  package private(set) var value: Value
  private var past: [Step] = [], future: [Step] = []
  /// How many edits can be undone; older ones are forgotten.
  package let limit: Int

  /// A value without a past.
  ///
  /// - Parameter limit: how many edits can be undone, from 1 up; a thousand unless told otherwise.
  package init(_ value: Value, limit: Int = 1000) {
    self.value = value
    self.limit = max(limit, 1)
  }

  /// Edits the value. What had been undone is forgotten. An edit that throws has not happened.
  ///
  /// - Parameters:
  ///   - title: what menus call it.
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

  /// Takes the last edit back.
  ///
  /// - Returns: false where there is none to take back.
  @discardableResult package mutating func undo() -> Bool {
    guard let step = past.popLast() else { return false }
    future.append(Step(title: step.title, value: value))
    value = step.value
    return true
  }

  /// Does again what was taken back last.
  ///
  /// - Returns: false where there is nothing to do again.
  @discardableResult package mutating func redo() -> Bool {
    guard let step = future.popLast() else { return false }
    past.append(Step(title: step.title, value: value))
    value = step.value
    return true
  }

  /// How many edits can be taken back.
  package var undoCount: Int { past.count }
  /// How many edits can be done again.
  package var redoCount: Int { future.count }
  /// The edit that ``undo()`` takes back; nil where there is none.
  package var undoTitle: String? { past.last?.title }
  /// The edit that ``redo()`` does again; nil where there is none.
  package var redoTitle: String? { future.last?.title }
}
