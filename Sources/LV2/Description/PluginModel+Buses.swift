// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal

/// A group of a plugin's ports that form one bus of its node.
struct PluginBus: Sendable, Equatable {
  var symbol: String
  /// The indices of the ports, one for each channel; one for an event bus.
  var ports: [Int]
  var isEvents = false
  var isSideChain = false
}

extension PluginModel {
  /// The buses of one direction: main audio first, then other audio, CV and events.
  ///
  /// Audio ports form buses as follows:
  /// - Ports that are side chains, or are in a side-chain group: `sidechain`.
  /// - The ports of the group that the plugin declares as main, or else the group of the first port: `in` or `out`.
  ///   Ports without a group count as one group.
  /// - Each other group: a bus with the group's symbol. If the main bus is a group, each port without a group is a bus
  ///   with the port's symbol.
  ///
  /// Each CV port is a bus of one channel, since it is a separate signal; it reads 0 if unconnected. The first event
  /// port is the bus `events`; further ones have their port's symbol.
  func buses(input isInput: Bool) -> [PluginBus] {
    var buses: [PluginBus] = []
    let audio = ports.filter { $0.kind == .audio && $0.isInput == isInput }
    let plain = audio.filter { !$0.isSideChain }
    let main = isInput ? mainInput : mainOutput
    let mainGroup = plain.contains { $0.group != nil && $0.group == main } ? main : plain.first?.group
    func add(_ symbol: String, _ ports: [PluginPort], isEvents: Bool = false, isSideChain: Bool = false) {
      guard !ports.isEmpty else { return }
      let word = Self.word(symbol)
      let taken = Set(buses.map(\.symbol))
      let free = (2...).lazy.map { "\(word)-\($0)" }.first { !taken.contains($0) } ?? word
      buses.append(
        PluginBus(
          symbol: taken.contains(word) ? free : word, ports: ports.map(\.index), isEvents: isEvents,
          isSideChain: isSideChain))
    }
    add(isInput ? "in" : "out", plain.filter { $0.group == mainGroup })
    var seen: Set<String> = []
    for port in plain where port.group != mainGroup {
      if let group = port.group {
        guard seen.insert(group).inserted else { continue }
        add(port.groupSymbol ?? port.symbol, plain.filter { $0.group == group })
      } else {
        add(port.symbol, [port])
      }
    }
    add("sidechain", audio.filter(\.isSideChain), isSideChain: isInput)
    for port in ports where port.kind == .cv && port.isInput == isInput { add(port.symbol, [port]) }
    for (index, port) in ports.filter({ $0.kind == .atom && $0.isInput == isInput }).enumerated() {
      add(index == 0 ? "events" : port.symbol, [port], isEvents: true)
    }
    return buses
  }

  /// Whether the plugin has one channel in and one out, so that one instance per channel can process a wider signal.
  var isMono: Bool {
    let outputs = ports.filter { !$0.isInput && ($0.kind == .audio || $0.kind == .cv) }
    guard outputs.count == 1, outputs[0].kind == .audio else { return false }
    guard let main = buses(input: true).first, main.symbol == "in" else { return false }
    return main.ports.count == 1
  }

  /// The buses for the graph. A mono plugin's main buses are as wide as their connections.
  func busInfo(input isInput: Bool) -> [ProcessorInfo.Bus] {
    let isMono = isMono
    return buses(input: isInput).enumerated().map { index, bus in
      let content: EffectBus.Content =
        if bus.isEvents {
          .events
        } else if isMono && index == 0 {
          .matching
        } else {
          .channels(bus.ports.count)
        }
      return ProcessorInfo.Bus(bus.symbol, content, isSideChain: bus.isSideChain)
    }
  }

  /// A symbol in the manifest's form: lowercase words joined by hyphens.
  private static func word(_ symbol: String) -> String {
    String(symbol.lowercased().map { $0 == "_" ? "-" : $0 })
  }
}
