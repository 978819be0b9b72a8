// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletEffects
internal import SwiftletLV2
public import SwiftletSignal

/// An input node: sound or events from JACK input ports, or from `render` offline.
///
/// Any thread may use a node but the audio thread.
public final class InputNode: AudioNode, @unchecked Sendable {
  override class var handle: Maker { { InputNode(name: $0, id: $1, engine: $2) } }
}

/// An output node: sound or events for JACK output ports, or for `render` offline.
///
/// Any thread may use a node but the audio thread.
public final class OutputNode: AudioNode, @unchecked Sendable {
  override class var handle: Maker { { OutputNode(name: $0, id: $1, engine: $2) } }

  /// Ends the mute that the node's guard set because of a runaway level, or of samples that are NaN or infinite. The
  /// node fades in.
  public func open() { unmute() }

  /// The highest true peak that the node's limiter lets through, from −36 to 0 dBFS; nil for a node attached without
  /// a ceiling.
  public var ceiling: NodeParameter<Level>? {
    guard info != nil else { return nil }
    let ceiling = Limiter.Parameters().ceiling
    return NodeParameter(self, ceiling.key.rawValue, ceiling.description, symbol: "ceiling")
  }
}

/// A mixer of all its connections. A connection into a mixer is a channel strip.
///
/// Any thread may use a node but the audio thread.
public final class MixerNode: AudioNode, @unchecked Sendable {
  override class var handle: Maker { { MixerNode(name: $0, id: $1, engine: $2) } }

  /// The gain of the mixed sound, up to +60 dB; −120 dB and less is silence. Default: 0 dB.
  public var gain: MixParameter<Level> { MixParameter(.mixer(self)) }
}

/// An LV2 plugin.
///
/// Any thread may use a node but the audio thread.
public final class PluginNode: AudioNode, ProcessorNode, @unchecked Sendable {
  override class var handle: Maker { { PluginNode(name: $0, id: $1, engine: $2) } }

  /// The process that a plugin runs in.
  @nonexhaustive public enum Isolation: Sendable {
    /// The process of the program. A plugin that crashes ends the program.
    case none
    /// A process of its own, in the same cycle: a block takes about 10 µs more. A plugin that crashes, exits or does
    /// not process a block in time is silent until it has been restarted, with its state and its parameters:
    /// ``EngineEvent/pluginFailed(node:reason:)``, ``EngineEvent/pluginRestarted(node:)``. All else plays on.
    case muting
    /// As ``muting``, but the plugin's input is heard until then.
    case bypassing

    var settings: PluginIsolation? {
      switch self {
      case .none: nil
      case .muting: PluginIsolation(onFailure: .mute)
      case .bypassing: PluginIsolation(onFailure: .bypass)
      }
    }
  }
}
