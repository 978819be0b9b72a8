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
  /// What its numbers count, and the number of its default value.
  let unit: ParameterUnit, initial: Float
  /// The parameter's name: in a band, `bands[1].frequency`, counted from 1.
  let symbol: String
  /// The band that is not there, and the number of bands that are.
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

  /// The target value: where the parameter is, or goes. Setting it never fails, and the parameter glides there in its own
  /// time; the latest value wins.
  ///
  /// A value out of range is moved to the edge and reported as ``EngineEvent/clamped(node:parameter:asked:used:)``; one
  /// that is not a number changes nothing and is reported as ``EngineEvent/notANumber(node:parameter:)``.
  public var value: Value {
    get { Value(node.engine.target(of: number, of: node.id) ?? initial, in: unit) }
    nonmutating set {
      if let missing {
        node.engine.hub.send(.noSuchBand(node: node.name, band: missing.band, count: missing.count))
      } else {
        node.setTarget(newValue.number(in: unit), of: number)
      }
    }
  }

  /// The value now: of the lane that the parameter follows, or of a ramp that is under way; otherwise the target value.
  ///
  /// A ramp follows a straight line in the parameter's unit; for levels at which −96 dB is silence, a straight line of
  /// amplitudes. Under JACK, the value is that at the end of the last period.
  public var current: Value {
    Value(node.engine.current(of: number, of: node.id) ?? initial, in: unit)
  }

  /// The target value now and after each change: only the newest, at most 30 a second. It ends when the node is detached
  /// or the engine is closed.
  public var values: AsyncStream<Value> {
    let unit = unit
    return node.engine.changes(of: number, of: node.id, initially: initial) { Value($0, in: unit) }
  }

  /// Makes the parameter follow what `body` writes into a lane, instead of the lane that it followed.
  ///
  /// A value out of range is moved to the edge and reported as ``value`` says.
  ///
  /// - Parameter body: sets values and ramps; the lane begins with the current value.
  /// - Throws: ``EngineError/automation(_:)``, ``EngineError/notAttached(_:)``, ``EngineError/graph(_:)``.
  public func automate(_ body: (inout Lane) -> Void) throws(EngineError) {
    try checkBand()
    var lane = Lane(unit: unit)
    body(&lane)
    let automation = try lane.automation(from: current.number(in: unit), on: node.engine)
    try node.automate(symbol, with: automation)
  }

  /// Makes the parameter stay where it is instead of following a lane.
  ///
  /// - Throws: ``EngineError/notAttached(_:)``.
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
  ///   - value: out of range, it is moved to the edge and reported as ``value`` says.
  ///   - duration: how long it takes.
  ///   - time: when it begins; default: as soon as possible. Exact to the frame for effects, to 16 frames for plugins.
  /// - Throws: ``EngineError/notAttached(_:)``, ``EngineError/notANumber(node:parameter:)``,
  ///   ``EngineError/noSuchBand(node:band:count:)``, ``EngineError/graph(_:)`` when too many changes wait.
  public func ramp(to value: Value, over duration: Duration, at time: AudioTime? = nil) throws(EngineError) {
    try checkBand()
    try node.set(symbol, to: value.number(in: unit), over: duration, at: time)
  }
}
