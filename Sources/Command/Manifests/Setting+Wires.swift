// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
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
