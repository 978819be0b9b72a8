// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// An event port: an event bus of the effect, or a port only for the host's transport and files.
struct ExportedEventPort {
  let symbol: String
  let name: String
  let isInput: Bool
  /// The index of the bus in its direction; nil for a port only for transport or files.
  let bus: Int?
  /// Whether the port receives the host's transport position. Only the first input may.
  let takesPosition: Bool
  /// Whether the host sets files through this port, which only the first input may be; and whether the port reports
  /// files to the host.
  let takesFiles: Bool, notifiesFiles: Bool

  /// The event ports of an effect: one for each bus; `control` if the effect has no event input but follows the
  /// transport or takes a file; and `notify` if it takes a file.
  static func all(_ description: EffectDescription, takesFiles: Bool) -> [ExportedEventPort] {
    let needsControl = description.followsTransport || takesFiles
    var ports: [ExportedEventPort] = []
    for (buses, isInput) in [(description.inputs, true), (description.outputs, false)] {
      for (index, bus) in buses.enumerated() where bus.content == .events {
        // As for audio ports, a bus other than the main one has its direction in the symbol.
        let symbol = portSymbol(bus.symbol) + (index == 0 ? "" : isInput ? "_in" : "_out")
        ports.append(
          ExportedEventPort(
            symbol: symbol, name: capitalised(bus.symbol), isInput: isInput, bus: index,
            takesPosition: isInput && ports.isEmpty && description.followsTransport,
            takesFiles: isInput && ports.isEmpty && takesFiles, notifiesFiles: false))
      }
    }
    if needsControl, !ports.contains(where: { $0.isInput }) {
      ports.insert(
        ExportedEventPort(
          symbol: "control", name: "Control", isInput: true, bus: nil,
          takesPosition: description.followsTransport, takesFiles: takesFiles, notifiesFiles: false),
        at: 0)
    }
    if takesFiles {
      ports.append(
        ExportedEventPort(
          symbol: "notify", name: "Notify", isInput: false, bus: nil, takesPosition: false, takesFiles: false,
          notifiesFiles: true))
    }
    return ports
  }
}
