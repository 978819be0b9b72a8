// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal
internal import SwiftletManifest

extension Setting {
  /// Sets the value of a parameter of a wire or a send.
  ///
  /// - Throws: A ``Failure`` with the status of a wrong command line.
  func applyToWire(of manifest: inout ResolvedManifest) throws(Failure) {
    let wanted = node.filter { !$0.isWhitespace }
    let names = manifest.wires.map { manifest.names(of: $0) }
    guard let index = names.firstIndex(where: { $0.contains(wanted) }) else {
      throw unknown(
        "there is no wire '\(node.shortened())'", wanted, among: names.compactMap(\.first))
    }
    var wire = manifest.wires[index]
    let (found, number) = try resolved(among: ResolvedManifest.Wire.settable)
    switch found.symbol {
    case "trim": wire.trim = number
    case "pan":
      guard manifest.nodes[wire.to.node].inputs[wire.to.bus].format.channelCount == 2, wire.to.channel == nil
      else {
        throw Failure(
          .badCommandLine, "--set \(node).pan: the wire does not lead into two channels, which pan needs")
      }
      wire.pan = number
    case "mute": wire.isMuted = number > 0
    case "solo": wire.isSolo = number > 0
    case "solo-safe": wire.isSoloSafe = number > 0
    default: wire.gain = number
    }
    manifest.wires[index] = wire
  }
}

extension ResolvedManifest {
  /// Returns all names of a wire. An end has the node's name alone if it is the node's first bus, and the name with
  /// the bus.
  fileprivate func names(of wire: Wire) -> [String] {
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
  /// The parameters of a wire that `--set` can change.
  static let settable = [
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
