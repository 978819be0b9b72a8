// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// A port for events: an event bus of the unit, or one for the host's song alone.
struct ExportedEventPort {
  let symbol: String
  let name: String
  let isInput: Bool
  /// The bus's place among those of its direction; nil for a port that is there for the song alone.
  let bus: Int?
  /// Whether the host tells of its song here: by the first input.
  let takesPosition: Bool

  /// The event ports of a unit: a bus each, and `control` for one that has none and follows the song.
  static func all(_ description: UnitDescription) -> [ExportedEventPort] {
    var ports: [ExportedEventPort] = []
    for (buses, isInput) in [(description.inputs, true), (description.outputs, false)] {
      for (place, bus) in buses.enumerated() where bus.content == .events {
        // As audio ports: what is no main bus says which way it goes.
        let symbol = portSymbol(bus.symbol) + (place == 0 ? "" : isInput ? "_in" : "_out")
        ports.append(
          ExportedEventPort(
            symbol: symbol, name: capitalised(bus.symbol), isInput: isInput, bus: place,
            takesPosition: isInput && ports.isEmpty && description.followsTransport))
      }
    }
    if description.followsTransport, !ports.contains(where: { $0.takesPosition }) {
      ports.insert(
        ExportedEventPort(symbol: "control", name: "Control", isInput: true, bus: nil, takesPosition: true),
        at: 0)
    }
    return ports
  }
}
