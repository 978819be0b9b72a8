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
  /// A value out of range is moved to the edge and reported as ``EngineEvent/clamped(node:parameter:asked:used:)``; one that
  /// is not a number changes nothing and is reported as ``EngineEvent/notANumber(node:parameter:)``. On a connection or
  /// mixer that is gone, the value is kept in case an undo brings it back. Such values are no edits: an undo leaves them as
  /// they are.
  public var value: Value {
    get { Value(target.value, in: Value.unit) }
    nonmutating set { target.set(newValue.number(in: Value.unit)) }
  }

  /// Moves the level over a time, along a straight line of factors, or of pan positions.
  ///
  /// - Parameters:
  ///   - value: out of range, it is moved to the edge and reported as ``value`` says.
  ///   - duration: how long it takes: up to an hour, and at least 5 ms.
  /// - Throws: ``EngineError/notANumber(node:parameter:)``; ``EngineError/graph(_:)`` for a longer duration, and once the
  ///   connection or mixer is gone.
  public func ramp(to value: Value, over duration: Duration) throws(EngineError) {
    try target.ramp(to: value.number(in: Value.unit), over: duration)
  }
}
