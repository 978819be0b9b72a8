// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// The bands of an effect, such as an equalizer's, counted from 0.
///
/// Any thread may use it but the audio thread.
public struct EffectBands<E: Effect & ~Copyable>: Sendable {
  let node: EffectNode<E>
  /// The number of bands of the effect.
  public let count: Int

  /// The band at `index`, from 0. The parameters of a band that the effect does not have change nothing; setting them
  /// is reported as ``EngineEvent/noSuchBand(node:band:count:)``.
  public subscript(index: Int) -> Band { Band(node: node, index: index, count: count) }

  /// A band of an effect; its parameters are its properties.
  @dynamicMemberLookup
  public struct Band: Sendable {
    let node: EffectNode<E>
    let index: Int, count: Int

    /// A parameter of the band.
    public subscript<Value>(
      dynamicMember path: KeyPath<E.BandParameters, TypedParameter<E.BandParameters.Key, Value>>
    ) -> NodeParameter<Value> {
      let parameter = E.BandParameters()[keyPath: path]
      let width = E.BandParameters.Key.allCases.count, plain = E.Parameters.Key.allCases.count
      let isThere = 0..<count ~= index
      return NodeParameter(
        node, isThere ? plain + index * width + parameter.key.rawValue : -1, parameter.description,
        symbol: "\(E.bands.map { "\($0.symbol)" } ?? "bands")[\(index &+ 1)].\(parameter.description.symbol)",
        missing: isThere ? nil : (index, count))
    }
  }
}
