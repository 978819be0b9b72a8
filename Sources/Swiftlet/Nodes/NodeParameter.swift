// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
public import SwiftletSignal
internal import Synchronization

/// A parameter of a node, with the type of its values.
///
/// Its functions may be called from any thread.
public struct NodeParameter<Value: ParameterValue>: Sendable {
  let node: AudioNode
  /// The parameter's number in the node; −1 in a band that the node does not have.
  let number: Int
  /// The parameter's unit, and its default value as a number in that unit.
  let unit: ParameterUnit, initial: Float
  /// The parameter's name: in a band, `bands[1].frequency`, counted from 1.
  let symbol: String
  /// The index of a band that the effect does not have, and the number of bands that it has; nil otherwise.
  let missing: (band: Int, count: Int)?

  init(
    _ node: AudioNode, _ number: Int, _ description: ParameterDescription, symbol: String,
    missing: (band: Int, count: Int)? = nil
  ) {
    self.node = node
    self.number = number
    unit = description.unit
    initial = description.initial
    self.symbol = symbol
    self.missing = missing
  }

  /// A parameter of a player.
  init(_ node: AudioNode, _ info: ParameterInfo) {
    self.node = node
    number = info.number
    unit = info.unit
    initial = info.initial
    symbol = info.symbol
    missing = nil
  }

  /// The target value. Setting it never fails, and the parameter glides there over its own glide time; the latest
  /// value wins.
  ///
  /// A value out of range is clamped and reported as ``EngineEvent/clamped(node:parameter:asked:used:)``; one that is
  /// not a number changes nothing and is reported as ``EngineEvent/notANumber(node:parameter:)``.
  public var value: Value {
    get { Value(node.engine.target(of: number, of: node.id) ?? initial, in: unit) }
    nonmutating set {
      if let missing {
        node.engine.broadcaster.send(.noSuchBand(node: node.name, band: missing.band, count: missing.count))
      } else {
        node.setTarget(newValue.number(in: unit), of: number)
      }
    }
  }

  /// The current value: that of the automation lane, or of a ramp in progress; otherwise the target value.
  ///
  /// A ramp follows a straight line in the parameter's unit; for levels at which −96 dB is silence, a straight line of
  /// amplitudes. Under JACK, the value is that at the end of the last period.
  public var current: Value {
    Value(node.engine.current(of: number, of: node.id) ?? initial, in: unit)
  }

  /// A stream of the target value, now and after each change: only the newest, at most 30 a second. It ends when the
  /// node is detached or the engine is closed.
  public var values: AsyncStream<Value> {
    let unit = unit
    return node.engine.changes(of: number, of: node.id, initially: initial) { Value($0, in: unit) }
  }

  /// Makes the parameter follow a new automation lane, which replaces the current one.
  ///
  /// A value out of range is clamped and reported as for ``value``.
  ///
  /// - Parameter body: adds values and ramps to the lane, which begins with the current value.
  /// - Throws: ``EngineError/automation(_:)``, ``EngineError/notAttached(_:)``, ``EngineError/graph(_:)``,
  ///   ``EngineError/noSuchBand(node:band:count:)``.
  public func automate(_ body: (inout Lane) -> Void) throws(EngineError) {
    try checkBand()
    var lane = Lane(unit: unit)
    body(&lane)
    let automation = try lane.automation(from: current.number(in: unit), on: node.engine)
    try node.automate(symbol, with: automation)
  }

  /// Ends the automation. The parameter keeps its current value.
  ///
  /// - Throws: ``EngineError/notAttached(_:)``, ``EngineError/noSuchBand(node:band:count:)``.
  public func endAutomation() throws(EngineError) {
    try checkBand()
    try node.automate(symbol, with: nil)
  }

  func checkBand() throws(EngineError) {
    if let missing { throw .noSuchBand(node: node.name, band: missing.band, count: missing.count) }
  }
}

extension NodeParameter where Value: ContinuousValue {
  /// Moves the parameter over a time.
  ///
  /// - Parameters:
  ///   - value: the target. A value out of range is clamped and reported as for ``value``.
  ///   - duration: the duration of the ramp.
  ///   - time: when the ramp begins; default: as soon as possible. Exact to the frame for effects, to 16 frames for
  ///     plugins.
  /// - Throws: ``EngineError/notAttached(_:)``, ``EngineError/notANumber(node:parameter:)``,
  ///   ``EngineError/noSuchBand(node:band:count:)``, ``EngineError/graph(_:)`` if too many changes wait.
  public func ramp(to value: Value, over duration: Duration, at time: AudioTime? = nil) throws(EngineError) {
    try checkBand()
    try node.set(symbol, to: value.number(in: unit), over: duration, at: time)
  }
}
