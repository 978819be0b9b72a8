// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Synchronization

/// The level of the mix that a ``MixParameter`` sets.
enum MixTarget: Sendable {
  case wire(Wire, WireLevel)
  case mixer(MixerNode)

  /// The target value.
  var value: Float {
    switch self {
    case .wire(let wire, let level): wire.last.map(level.value(of:)) ?? 0
    case .mixer(let node): node.lastGain
    }
  }

  /// Sets the target value. Never fails.
  func set(_ value: Float) {
    guard !value.isNaN else {
      return engine.broadcaster.send(.notANumber(node: name, parameter: level.rawValue))
    }
    let used = level.clamp(value)
    switch self {
    case .wire(let wire, let level): wire.keep { level.set(used, in: &$0) }
    case .mixer(let node): node.keepGain(used)
    }
    engine.broadcaster.reportClamped(level.rawValue, of: name, from: value, to: used)
  }

  /// Moves the target value over a time.
  func ramp(to value: Float, over duration: Duration) throws(EngineError) {
    guard !value.isNaN else { throw .notANumber(node: name, parameter: level.rawValue) }
    let used = level.clamp(value)
    switch self {
    case .wire(let wire, let level):
      try wire.change(over: duration) { level.set(used, in: &$0) }
    case .mixer(let node):
      let seconds = max(duration / .seconds(1), Graph.Wire.shortestGlide)
      try node.engine.changeGraph(.passing) { graph throws(GraphError) in
        try graph.setGain(used, of: node.id, over: seconds)
      }
    }
    engine.broadcaster.reportClamped(level.rawValue, of: name, from: value, to: used)
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

  private var level: WireLevel { if case .wire(_, let level) = self { level } else { .gain } }
}
