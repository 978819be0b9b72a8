// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletGraph

extension Checker {
  /// Resolves a wire and its sends.
  mutating func add(_ source: Manifest.Wire) {
    guard let wire = add(source, sendOf: nil) else { return }
    for send in source.sends { _ = add(send, sendOf: wire) }
  }

  /// Resolves both ends of a wire or send.
  private mutating func add(
    _ source: Manifest.Wire, sendOf strip: ResolvedManifest.Wire?
  ) -> ResolvedManifest.Wire? {
    let from = node(at: source.from), to = node(at: source.to)
    guard let from, let to else { return nil }
    let carried = strip.map(\.from.bus) ?? bus(of: source.from, at: from, isInput: false, like: nil)
    guard let carried else { return nil }
    let format = nodes[from].outputs[carried].format
    guard let into = bus(of: source.to, at: to, isInput: true, like: format) else { return nil }
    var wire = ResolvedManifest.Wire(
      from: .init(node: from, bus: carried, channel: source.from.channel.map { $0 - 1 }),
      to: .init(node: to, bus: into, channel: source.to.channel.map { $0 - 1 }), strip: strip?.to,
      gain: source.gain, feedback: source.isFeedback ? source.delay ?? Graph.Wire.defaultFeedback : nil)
    // A pan law without a pan means a pan of 0.
    wire.pan = source.pan ?? (source.panLaw == nil ? nil : 0)
    wire.panLaw = source.panLaw ?? .usual
    (wire.trim, wire.isInverted, wire.isMuted) = (source.trim, source.phase == .inverted, source.isMuted)
    (wire.isSolo, wire.isSoloSafe, wire.isPreFader) = (source.isSolo, source.isSoloSafe, source.isPreFader)
    guard fits(wire, source) else { return nil }
    guard wireEnds.insert([wire.from, wire.to] + (strip.map { [$0.to] } ?? [])).inserted else {
      problems.error(
        source.from.position, "found the wire '\(source.from) -> \(source.to)' twice; expected it once")
      return nil
    }
    wires.append(wire)
    wireSources.append(source)
    return wire
  }

  /// Returns the index of the node at an end.
  mutating func node(at end: Manifest.End) -> Int? {
    if let index = nodeIndices[end.node] { return index }
    guard !unclear.contains(end.node) else { return nil }
    // The intended name may be that of a node with an error of its own. With very many of these, they are not
    // searched.
    let known = nodes.map(\.name) + (unclear.count <= 200 ? unclear.sorted() : [])
    problems.unknown(end.position, "found no node '\(Document.short(end.node))'", end.node, among: known)
    return nil
  }

  /// Returns the bus that an end names, or else the node's first bus with the same content (audio or events) as
  /// `format`.
  mutating func bus(of end: Manifest.End, at index: Int, isInput: Bool, like format: BusFormat?) -> Int? {
    let node = nodes[index]
    let buses = isInput ? node.inputs : node.outputs
    guard !buses.isEmpty else {
      problems.error(
        end.position,
        isInput
          ? "found a wire into '\(node.name)', which has no inputs: it is a source"
          : "found a wire from '\(node.name)', which has no outputs")
      return nil
    }
    if let name = end.bus {
      if let index = buses.firstIndex(where: { $0.symbol == name }) { return index }
      let side = isInput ? "input" : "output"
      problems.unknown(
        end.position, "'\(node.name)' has no \(side) '\(Document.short(name))'", name,
        among: buses.map(\.symbol)
      )
      return nil
    }
    guard let format else { return 0 }
    return buses.firstIndex { ($0.format == .events) == (format == .events) } ?? 0
  }

  /// Returns whether both ends have the same content, and a wire for events has no audio settings.
  private mutating func fits(_ wire: ResolvedManifest.Wire, _ source: Manifest.Wire) -> Bool {
    let output = nodes[wire.from.node].outputs[wire.from.bus].format == .events
    let input = nodes[wire.to.node].inputs[wire.to.bus].format == .events
    func word(_ isEvents: Bool) -> String { isEvents ? "events" : "sound" }
    guard output == input else {
      problems.error(
        source.to.position,
        "found \(word(output)) from '\(source.from)' wired to '\(source.to)'; expected a node that takes "
          + word(output))
      return false
    }
    guard output else { return true }
    if source.from.channel != nil || source.to.channel != nil {
      let end = source.from.channel != nil ? source.from : source.to
      problems.error(end.position, "found a channel of '\(end.node)', which carries events; expected none")
      return false
    }
    if !source.isPlain {
      problems.error(
        source.from.position,
        "found a value on a wire of events; expected '\(source.from) -> \(source.to)'")
      return false
    }
    return true
  }

  /// Returns the index in ``wires`` of the wire between two ends; nil after reporting an error.
  mutating func wireIndex(_ from: Manifest.End, _ to: Manifest.End, at position: TextPosition) -> Int? {
    let index = wireSources.firstIndex { $0.from == from && $0.to == to }
    if index == nil {
      problems.error(
        position, "found no wire '\(from) -> \(to)'; expected a wire of the manifest with the same ends")
    }
    return index
  }

  /// Checks channels after all buses have their widths, and warns about dropped channels.
  mutating func checkChannels() {
    for (wire, source) in zip(wires, wireSources) {
      let from = nodes[wire.from.node].outputs[wire.from.bus], to = nodes[wire.to.node].inputs[wire.to.bus]
      guard from.format != .events else { continue }
      let isFromThere = checkChannel(source.from, from.format.channelCount)
      guard isFromThere, checkChannel(source.to, to.format.channelCount) else { continue }
      let sourceCount = wire.from.channel == nil ? from.format.channelCount : 1
      let count = wire.to.channel == nil ? to.format.channelCount : 1
      if wire.pan != nil, count != 2 {
        problems.error(
          source.to.position,
          "found a pan into \(Self.channels(count)); expected two, as pan is left or right")
      }
      if case .inOrder(let dropped, _) = ChannelRule(from: sourceCount, to: count), dropped > 0 {
        problems.warning(
          source.to.position,
          "'\(source.to)' has \(Self.channels(count)), "
            + "so \(Self.channels(dropped)) of '\(source.from)' \(dropped == 1 ? "is" : "are") dropped")
      }
    }
  }

  private mutating func checkChannel(_ end: Manifest.End, _ count: Int) -> Bool {
    guard let channel = end.channel, channel > count else { return true }
    problems.error(
      end.position,
      "'\(end.node)' has no channel \(channel); expected \(count == 1 ? "1" : "one from 1 to \(count)")")
    return false
  }

  static func channels(_ count: Int) -> String { count == 1 ? "1 channel" : "\(count) channels" }

  /// Reports loops without a feedback wire, and feedback wires that close no loop.
  mutating func checkLoops(_ routes: Routes) {
    if let loop = routes.loop(), let closing = loop.last {
      let names = loop.prefix(20).map { nodes[wires[$0].from.node].name }
      let end = loop.count > 20 ? ["…"] : names.prefix(1)
      let wire = wireSources[closing]
      problems.error(
        wire.from.position,
        "found nodes that feed back into each other: \((names + end).joined(separator: " → "));"
          + " expected 'feedback: true' on one of the wires, such as '\(wire.from) -> \(wire.to)'")
      return
    }
    for (index, wire) in wires.enumerated().filter({ $0.element.feedback != nil }).prefix(100) {
      guard !routes.reaches(from: wire.to.node, to: wire.from.node) else { continue }
      let source = wireSources[index]
      problems.warning(
        source.from.position,
        "the feedback wire '\(source.from) -> \(source.to)' closes no loop; it only delays"
      )
    }
  }
}
