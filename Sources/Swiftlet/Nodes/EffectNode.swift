// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal
internal import Synchronization

/// A node with a built-in effect, or with an effect of the program's own.
///
/// The effect's parameters are properties of the node, with the types of their values:
///
/// ```swift
/// let echo = try engine.attach(Delay.self, preset: .slapback)
/// echo.time.value = .milliseconds(350)
/// try echo.feedback.ramp(to: .percent(40), over: .seconds(2))
/// ```
///
/// Any thread may use a node but the audio thread.
@dynamicMemberLookup
public final class EffectNode<E: Effect & ~Copyable>: AudioNode, ProcessorNode, @unchecked Sendable {
  override class var handle: Maker { { EffectNode(name: $0, id: $1, engine: $2) } }

  /// A parameter of the effect.
  public subscript<Value>(
    dynamicMember path: KeyPath<E.Parameters, TypedParameter<E.Parameters.Key, Value>>
  ) -> NodeParameter<Value> {
    let parameter = E.Parameters()[keyPath: path]
    return NodeParameter(
      self, parameter.key.rawValue, parameter.description, symbol: "\(parameter.description.symbol)")
  }

  /// Sets all parameters of a preset. Each moves over its own glide time.
  ///
  /// - Throws: ``EngineError/notAttached(_:)``, ``EngineError/graph(_:)`` if too many changes wait.
  public func load(_ preset: E.Preset) throws(EngineError) {
    try engine.send(preset.describe().values.map { ($0.parameter, $0.value) }, to: self)
  }

  /// The effect's bands, counted from 0; none for an effect without bands.
  public var bands: EffectBands<E> { EffectBands(node: self, count: (try? record { $0.bandCount }) ?? 0) }

  /// Returns the effect's frequency response at `frequencies` in hertz, for drawing. Uses the target values of the
  /// parameters and ignores a bypass. Nil for an effect that does more than filter, for one that is not in the engine's
  /// catalog, and for a detached node.
  public func frequencyResponse(at frequencies: [Double]) -> FrequencyResponse? { response(at: frequencies) }
}
