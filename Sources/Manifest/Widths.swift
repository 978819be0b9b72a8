// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal

/// Finds how many channels each bus has, where a node takes as many as it is given.
///
/// A node with such buses is as wide as the widest wire into its first input bus that matches (a wire into
/// its channel n asks for n at least); a node that nobody feeds is stereo; `channels:` overrules both.
/// Feedback wires do not count: they come from what the node itself makes.
struct Widths {
  /// The width where nothing is known.
  static let usual = 2

  /// The buses of an effect or plugin, those that match at the usual width for now.
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

  /// The effect or plugin behind a node.
  static func info(_ kind: ResolvedManifest.Kind) -> ProcessorInfo? {
    switch kind {
    case .effect(let info), .plugin(let info): info
    case .capture, .playback, .midiIn, .midiOut, .mixer, .player, .track: nil
    }
  }

  /// The width of a node: what `asked` says, else what feeds it.
  ///
  /// - Parameters:
  ///   - bands: how many bands are written down, of those of which each has a channel.
  ///   - feeding: the wires into the node and the channels of the buses that they come from.
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
  /// Gives every bus its channels, sources first.
  mutating func settleWidths(_ routes: Routes) {
    for place in routes.order() {
      guard let info = Widths.info(nodes[place].kind) else { continue }
      let asked = sources[place].channels
      guard (info.inputs + info.outputs).contains(where: { $0.content == .matching }) else {
        if asked != nil {
          problems.error(
            sources[place].place,
            "found 'channels' in '\(nodes[place].name)', whose channels are fixed; expected none")
        }
        continue
      }
      let feeding = routes.incoming[place].map { number in
        let wire = wires[number]
        return (wire: wire, channels: nodes[wire.from.node].outputs[wire.from.bus].format.channelCount)
      }
      let following = info.bands.flatMap { $0.followsChannels ? $0 : nil }
      let width = Widths.width(
        of: info, asked: asked, bands: following == nil ? 0 : nodes[place].bandCount, feeding: feeding)
      if let following { fill(following, of: place, width: width) }
      nodes[place].inputs = Widths.buses(info.inputs, width: width)
      nodes[place].outputs = Widths.buses(info.outputs, width: width)
    }
  }

  /// Gives every channel a band: those that nobody wrote down are as they start.
  private mutating func fill(_ bands: ProcessorInfo.Bands, of place: Int, width: Int) {
    let name = nodes[place].name, written = nodes[place].bandCount
    nodes[place].bandCount = width
    if written > width {
      let list = sources[place].settings.first { $0.parameter.text == bands.symbol }
      problems.error(
        list?.parameter.place ?? sources[place].place,
        "found \(written) \(bands.symbol) in '\(name)', which has \(width) channel\(width == 1 ? "" : "s"); "
          + "expected no more than one for each")
    } else if width > bands.count.upperBound {
      problems.error(
        sources[place].place,
        "found \(width) channels in '\(name)'; expected \(bands.count.upperBound) at the most, one for each "
          + bands.singular)
    }
  }
}
