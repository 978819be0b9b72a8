// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// A group of ports: the channels of a bus, or the parameters of a band.
struct ExportedGroup {
  let uri: String
  let symbol: String
  let name: String
  /// Whether this is a group of audio ports; a group of parameters has no channels and no direction.
  let isAudio: Bool
  let isInput: Bool
  /// Whether this is the first bus of its direction.
  let isMain: Bool
  let channelCount: Int
  /// The group that this one is a side chain of; nil if it is no side chain.
  let master: String?

  var isSideChain: Bool { isAudio && isInput && !isMain }

  /// For each channel the suffix of its symbol, its display name, and its LV2 designation.
  var sides: [(suffix: String, name: String, designation: String)] {
    switch channelCount {
    case 1: [("", "", "pg:center")]
    case 2: [("_left", " left", "pg:left"), ("_right", " right", "pg:right")]
    default: (1...max(channelCount, 1)).map { ("_" + decimal($0), " " + decimal($0), "") }
    }
  }

  func write(to file: inout TurtleWriter) {
    let shape = channelCount == 1 ? "pg:MonoGroup" : channelCount == 2 ? "pg:StereoGroup" : "pg:DiscreteGroup"
    if isAudio {
      file.begin(uri, shape + (isInput ? " , pg:InputGroup" : " , pg:OutputGroup"))
    } else {
      file.begin(uri, "pg:InputGroup")
    }
    file.add("lv2:symbol", quoted(symbol))
    file.add("lv2:name", quoted(name))
    if let master { file.add("pg:sideChainOf", master) }
    file.end()
  }
}

extension ExportedPlugin {
  /// All groups: input buses, output buses, bands.
  var groups: [ExportedGroup] {
    var groups = audioGroups(description.inputs, inputs, isInput: true)
    groups += audioGroups(description.outputs, outputs, isInput: false)
    var last = 0
    for parameter in parameters {
      guard let band = parameter.band, band != last, let bands else { continue }
      last = band
      let symbol = portSymbol(bands.singular) + "_" + decimal(band)
      groups.append(
        ExportedGroup(
          uri: groupURI(symbol), symbol: symbol, name: capitalised(bands.singular) + " " + decimal(band),
          isAudio: false, isInput: true, isMain: false, channelCount: 0, master: nil))
    }
    return groups
  }

  /// All ports, by index.
  var ports: [ExportedPort] {
    let groups = groups
    var ports: [ExportedPort] = []
    for group in groups where group.isAudio {
      for channel in 0..<group.channelCount { ports.append(ExportedPort(group, channel: channel)) }
    }
    ports += [.enabled, .latency]
    ports += description.meters.map { ExportedPort($0) }
    ports += parameters.map { parameter in
      guard let band = parameter.band, let bands else { return ExportedPort(parameter, group: nil) }
      return ExportedPort(parameter, group: groupURI(portSymbol(bands.singular) + "_" + decimal(band)))
    }
    let control = eventPorts.firstIndex { $0.isInput }
    ports += eventPorts.enumerated().map { ExportedPort($1, isControl: $0 == control) }
    return ports
  }

  private func groupURI(_ symbol: String) -> String { "<" + uri + "#" + symbol + ">" }

  private func audioGroups(_ buses: [EffectBus], _ widths: [Int], isInput: Bool) -> [ExportedGroup] {
    var groups: [ExportedGroup] = []
    for (index, bus) in buses.enumerated() where widths[index] > 0 {
      let symbol = portSymbol(bus.symbol), master = groups.first?.uri
      groups.append(
        ExportedGroup(
          uri: groupURI(symbol), symbol: symbol, name: capitalised(bus.symbol), isAudio: true,
          isInput: isInput, isMain: groups.isEmpty, channelCount: widths[index],
          master: isInput ? master : nil))
    }
    return groups
  }
}
