// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal

/// Determines the number of channels of buses that adapt to their wires.
///
/// The width of a node with such buses is that of the widest wire into its first adapting input bus. A wire into
/// channel n needs at least n channels. A node without wires is stereo. The key `channels` overrides both. Feedback
/// wires do not count, because their source depends on the node itself.
struct Widths {
  /// The default width.
  static let usual = 2

  /// Returns the buses of an effect or plugin. Those that adapt to their wires have the given width.
  static func buses(_ buses: [ProcessorInfo.Bus], width: Int = usual) -> [ResolvedManifest.Bus] {
    buses.map { bus in
      let format: BusFormat =
        switch bus.content {
        case .matching: .audio(channels: width)
        case .atLeast(let fewest): .audio(channels: max(width, min(fewest, BusFormat.mostChannels)))
        case .channels(let channels): .audio(channels: min(max(channels, 1), BusFormat.mostChannels))
        case .events: .events
        }
      return ResolvedManifest.Bus(symbol: bus.symbol, format: format)
    }
  }

  /// Returns the description of a node's effect or plugin; nil for other nodes.
  static func info(_ kind: ResolvedManifest.Kind) -> ProcessorInfo? {
    switch kind {
    case .effect(let info), .plugin(let info): info
    case .capture, .playback, .midiIn, .midiOut, .mixer, .player, .track: nil
    }
  }

  /// Returns the width of a node: `asked`, or else that of its widest wire.
  ///
  /// - Parameters:
  ///   - info: The effect or plugin.
  ///   - asked: The value of the key `channels`; nil if it is not set.
  ///   - bands: The number of bands in the manifest, if each channel has a band.
  ///   - feeding: The wires into the node, with the number of channels of their source buses.
  static func width(
    of info: ProcessorInfo, asked: Int?, bands: Int = 0,
    feeding: [(wire: ResolvedManifest.Wire, channels: Int)]
  ) -> Int {
    if let asked { return asked }
    let main = info.inputs.firstIndex { $0.content == .matching }
    let widths = feeding.filter { $0.wire.to.bus == main }.map { wire, channels in
      if let channel = wire.to.channel { return channel + 1 }
      return wire.from.channel == nil ? channels : 1
    }
    return min(max(widths.max() ?? (bands > 0 ? 0 : usual), bands), BusFormat.mostChannels)
  }
}

extension Checker {
  /// Sets the number of channels of every bus, in topological order.
  mutating func settleWidths(_ routes: Routes) {
    for index in routes.order() {
      guard let info = Widths.info(nodes[index].kind) else { continue }
      let asked = sources[index].channels
      guard (info.inputs + info.outputs).contains(where: { $0.content == .matching }) else {
        if asked != nil {
          problems.error(
            sources[index].position,
            "found 'channels' in '\(nodes[index].name)', whose channels are fixed; expected none")
        }
        continue
      }
      let feeding = routes.incoming[index].map { number in
        let wire = wires[number]
        return (wire: wire, channels: nodes[wire.from.node].outputs[wire.from.bus].format.channelCount)
      }
      let following = info.bands.flatMap { $0.followsChannels ? $0 : nil }
      let width = Widths.width(
        of: info, asked: asked, bands: following == nil ? 0 : nodes[index].bandCount, feeding: feeding)
      if let following { fill(following, of: index, width: width) }
      nodes[index].inputs = Widths.buses(info.inputs, width: width)
      nodes[index].outputs = Widths.buses(info.outputs, width: width)
    }
  }

  /// Gives every channel a band. Bands that are not in the manifest have default values.
  private mutating func fill(_ bands: ProcessorInfo.Bands, of index: Int, width: Int) {
    let name = nodes[index].name, written = nodes[index].bandCount
    nodes[index].bandCount = width
    if written > width {
      let list = sources[index].settings.first { $0.parameter.text == bands.symbol }
      problems.error(
        list?.parameter.position ?? sources[index].position,
        "found \(written) \(bands.symbol) in '\(name)', which has \(width) channel\(width == 1 ? "" : "s"); "
          + "expected no more than one for each")
    } else if width > bands.count.upperBound {
      problems.error(
        sources[index].position,
        "found \(width) channels in '\(name)'; expected \(bands.count.upperBound) at the most, one for each "
          + bands.singular)
    }
  }
}
