// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Synchronization

/// Which level of the mix a ``MixParameter`` is.
enum MixPlace: Sendable {
  case wire(Wire, WireLevel)
  case mixer(AudioNode)

  /// The target value.
  var value: Float {
    switch self {
    case .wire(let wire, let level): wire.last.map(level.value(of:)) ?? 0
    case .mixer(let node): node.mixerGain
    }
  }

  /// Sets the target value, which never fails.
  func set(_ value: Float) {
    guard !value.isNaN else { return engine.hub.send(.notANumber(node: name, parameter: symbol)) }
    let used = clamp(value)
    switch self {
    case .wire(let wire, let level): wire.keep { level.set(used, in: &$0) }
    case .mixer(let node): node.keepMixerGain(used)
    }
    report(value, used)
  }

  /// Moves the target value over a time.
  func ramp(to value: Float, over duration: Duration) throws(EngineError) {
    guard !value.isNaN else { throw .notANumber(node: name, parameter: symbol) }
    let used = clamp(value)
    switch self {
    case .wire(let wire, let level):
      try wire.change(over: duration) { level.set(used, in: &$0) }
    case .mixer(let node):
      let seconds = max(duration / .seconds(1), Graph.Wire.shortestGlide)
      try node.engine.changeGraph(.passing) { graph throws(GraphError) in
        try graph.setGain(used, of: node.id, over: seconds)
      }
    }
    report(value, used)
  }

  private var engine: AudioEngine {
    switch self {
    case .wire(let wire, _): wire.engine
    case .mixer(let node): node.engine
    }
  }

  /// The name of the mixer, or of both ends of the wire, for messages.
  private var name: String {
    switch self {
    case .wire(let wire, _): wire.ends
    case .mixer(let node): node.name
    }
  }

  private var symbol: String {
    switch self {
    case .wire(_, let level): level.rawValue
    case .mixer: WireLevel.gain.rawValue
    }
  }

  private func clamp(_ value: Float) -> Float {
    let range =
      switch self {
      case .wire(_, let level): level.range
      case .mixer: WireLevel.gain.range
      }
    return min(max(value, range.lowerBound), range.upperBound)
  }

  private func report(_ value: Float, _ used: Float) {
    guard used != value else { return }
    engine.hub.send(.clamped(node: name, parameter: symbol, asked: value, used: used))
  }
}

/// A level of a wire that glides. Its raw value is its name in events and errors.
enum WireLevel: String, Sendable {
  case gain, trim, pan

  /// The values that the level takes.
  var range: ClosedRange<Float> {
    switch self {
    case .gain, .trim: Graph.Wire.gains
    case .pan: Graph.Wire.pans
    }
  }

  func value(of wire: Graph.Wire) -> Float {
    switch self {
    case .gain: wire.gain
    case .trim: wire.trim
    case .pan: wire.pan ?? 0
    }
  }

  func set(_ value: Float, in wire: inout Graph.Wire) {
    switch self {
    case .gain: wire.gain = value
    case .trim: wire.trim = value
    case .pan: wire.pan = value
    }
  }
}
