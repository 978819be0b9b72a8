// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// A level of the mix with the type of its values: the gain of a connection or mixer, the trim or pan of a strip.
///
/// Its functions may be called from any thread.
public struct MixParameter<Value: ContinuousValue>: Sendable {
  let target: MixTarget

  init(_ target: MixTarget) { self.target = target }

  /// The target value. Setting it never fails, and the sound glides there in 5 ms; the latest value wins.
  ///
  /// A value out of range is clamped and reported as ``EngineEvent/clamped(node:parameter:asked:used:)``; one that is
  /// not a number changes nothing and is reported as ``EngineEvent/notANumber(node:parameter:)``. On a connection or
  /// mixer that has been removed, the value is kept in case an undo restores it. Setting the value is not an edit: an
  /// undo does not change it.
  public var value: Value {
    get { Value(target.value, in: Value.unit) }
    nonmutating set { target.set(newValue.number(in: Value.unit)) }
  }

  /// Moves the level over a time, along a straight line of factors, or of pan positions.
  ///
  /// - Parameters:
  ///   - value: the target. A value out of range is clamped and reported as for ``value``.
  ///   - duration: the duration of the ramp, from 5 ms to an hour; a shorter one counts as 5 ms.
  /// - Throws: ``EngineError/notANumber(node:parameter:)``; ``EngineError/graph(_:)`` for a longer duration, and if
  ///   the connection or mixer has been removed.
  public func ramp(to value: Value, over duration: Duration) throws(EngineError) {
    try target.ramp(to: value.number(in: Value.unit), over: duration)
  }
}
