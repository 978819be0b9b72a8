// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletGraph
internal import SwiftletSignal

extension ResolvedManifest {
  /// Returns all names of a wire. An end has the node's name alone if it is the node's first bus, and the name with
  /// the bus.
  package func names(of wire: Wire) -> [String] {
    let ends = [(wire.from, nodes[wire.from.node].outputs), (wire.to, nodes[wire.to.node].inputs)]
    let short = ends.map { end, _ in
      nodes[end.node].name + (end.channel.map { "[\($0 + 1)]" } ?? "")
    }
    let whole = ends.map { end, buses in
      "\(nodes[end.node].name).\(buses[end.bus].symbol)" + (end.channel.map { "[\($0 + 1)]" } ?? "")
    }
    let isFirst = ends.map { $0.0.bus == 0 }
    return (isFirst[0] ? [short[0], whole[0]] : [whole[0]]).flatMap { from in
      (isFirst[1] ? [short[1], whole[1]] : [whole[1]]).map { "\(from)->\($0)" }
    }
  }
}

extension ResolvedManifest.Wire {
  /// The parameters of a wire that can be changed by name.
  package static let settable = [
    level(0, "gain", "Gain"), level(1, "trim", "Trim"),
    ParameterInfo(number: 2, symbol: "pan", name: "Pan", range: -1...1, initial: 0),
    toggle(3, "mute", "Mute"), toggle(4, "solo", "Solo"), toggle(5, "solo-safe", "Solo-safe"),
  ]

  private static func level(_ number: Int, _ symbol: String, _ name: String) -> ParameterInfo {
    ParameterInfo(
      number: number, symbol: symbol, name: name, unit: .decibels, range: Manifest.wireGain, initial: 0)
  }

  private static func toggle(_ number: Int, _ symbol: String, _ name: String) -> ParameterInfo {
    ParameterInfo(number: number, symbol: symbol, name: name, range: 0...1, initial: 0, curve: .toggle)
  }
}
