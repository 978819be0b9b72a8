// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Swiftlet

extension ManifestWriter {
  /// Returns the value of a wire or a send: its gain alone, or a mapping; nil if all properties have their defaults.
  static func value(of wire: Manifest.Wire) -> String? { wire.isPlain ? nil : tree(wire).flow }

  private static func tree(_ wire: Manifest.Wire) -> Tree {
    var entries: [(key: String, value: Tree)] = []
    func add(_ key: WireKey, _ value: Tree) { entries.append((key.rawValue, value)) }
    for key in WireKey.allCases {
      switch key {
      case .gain: if wire.gain != 0 { add(key, .scalar("\(Quantity(wire.gain, .decibels))")) }
      // The gain expresses it.
      case .volume: break
      case .trim: if wire.trim != 0 { add(key, .scalar("\(Quantity(wire.trim, .decibels))")) }
      case .pan: if let pan = wire.pan { add(key, .scalar("\(Quantity(pan))")) }
      case .panLaw: if let law = wire.panLaw { add(key, .scalar(law.rawValue)) }
      case .phase: if wire.phase != .normal { add(key, .scalar(wire.phase.rawValue)) }
      case .mute: if wire.isMuted { add(key, .scalar("true")) }
      case .solo: if wire.isSolo { add(key, .scalar("true")) }
      case .soloSafe: if wire.isSoloSafe { add(key, .scalar("true")) }
      case .sends: if !wire.sends.isEmpty { add(key, .mapping(wire.sends.map { (end($0.to), send($0)) })) }
      case .preFader: if wire.isPreFader { add(key, .scalar("true")) }
      case .feedback: if wire.isFeedback { add(key, .scalar("true")) }
      case .delay: if let delay = wire.delay { add(key, .scalar("\(delay)")) }
      }
    }
    if entries.count == 1, wire.gain != 0, let gain = entries.first { return gain.value }
    return .mapping(entries)
  }

  private static func send(_ wire: Manifest.Wire) -> Tree { wire.isPlain ? .scalar("0 dB") : tree(wire) }
}
