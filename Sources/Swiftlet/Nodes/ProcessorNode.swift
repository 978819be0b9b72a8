// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletGraph

/// A node with an effect or a plugin.
///
/// Any thread may use a node but the audio thread.
public protocol ProcessorNode: AudioNode {}

extension ProcessorNode {
  /// The description of the effect or plugin: its parameters, presets and buses.
  public var info: ProcessorInfo? { (self as AudioNode).info }

  /// The parameters by name, for tools.
  public var parameters: NodeParameters { NodeParameters(node: self) }

  /// Whether the node is bypassed.
  public var isBypassed: Bool { (self as AudioNode).isBypassed }

  /// Bypasses the node's main input, or ends the bypass, with a crossfade of 5 ms. The node runs on while it is
  /// bypassed.
  ///
  /// - Throws: ``EngineError/notAttached(_:)``.
  public func setBypassed(_ isBypassed: Bool) throws(EngineError) {
    try (self as AudioNode).setBypassed(isBypassed)
  }

  /// Sets all parameters of a preset.
  ///
  /// - Parameter preset: the preset's name, or the URI of a plugin's preset.
  /// - Throws: ``EngineError/unknownPreset(node:preset:known:)``, ``EngineError/plugin(_:)``.
  public func load(preset: String) throws(EngineError) { try engine.load(preset, on: self) }

  /// Returns the node's current value on a meter, such as its gain reduction; nil for a meter that it does not have.
  public func meter(_ symbol: String) -> Float? { (self as AudioNode).meter(symbol) }
}
