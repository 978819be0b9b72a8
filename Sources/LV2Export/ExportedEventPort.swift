// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// A port for events: an event bus of the unit, or one for the host's song and its files alone.
struct ExportedEventPort {
  let symbol: String
  let name: String
  let isInput: Bool
  /// The bus's place among those of its direction; nil for a port that is there for song or files alone.
  let bus: Int?
  /// Whether the host tells of its song here: by the first input.
  let takesPosition: Bool
  /// Whether the host sets files here, by the first input; and whether it is told of them here.
  let takesFiles: Bool, tellsFiles: Bool

  /// The event ports of a unit: a bus each; `control` for one that has none for input, and follows the song or takes
  /// a file; and `notify` for one that takes a file.
  static func all(_ description: EffectDescription, takesFiles: Bool) -> [ExportedEventPort] {
    let needsControl = description.followsTransport || takesFiles
    var ports: [ExportedEventPort] = []
    for (buses, isInput) in [(description.inputs, true), (description.outputs, false)] {
      for (place, bus) in buses.enumerated() where bus.content == .events {
        // As audio ports: what is no main bus says which way it goes.
        let symbol = portSymbol(bus.symbol) + (place == 0 ? "" : isInput ? "_in" : "_out")
        ports.append(
          ExportedEventPort(
            symbol: symbol, name: capitalised(bus.symbol), isInput: isInput, bus: place,
            takesPosition: isInput && ports.isEmpty && description.followsTransport,
            takesFiles: isInput && ports.isEmpty && takesFiles, tellsFiles: false))
      }
    }
    if needsControl, !ports.contains(where: { $0.isInput }) {
      ports.insert(
        ExportedEventPort(
          symbol: "control", name: "Control", isInput: true, bus: nil,
          takesPosition: description.followsTransport, takesFiles: takesFiles, tellsFiles: false),
        at: 0)
    }
    if takesFiles {
      ports.append(
        ExportedEventPort(
          symbol: "notify", name: "Notify", isInput: false, bus: nil, takesPosition: false, takesFiles: false,
          tellsFiles: true))
    }
    return ports
  }
}
