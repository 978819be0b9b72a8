// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletGraph
internal import SwiftletPlayback

extension Checker {
  /// The lane targets of every node and wire with audio, unless the node has a parameter with this symbol.
  static let volume = "volume", pan = "pan"

  /// The source of the timeline's time.
  var transport: TransportRole {
    guard let tempo = manifest.tempo ?? (try? TempoMap()) else { return .own }
    return switch manifest.transport {
    case .own where manifest.loop != nil || manifest.start == .paused:
      .local(tempo, loop: manifest.loop, isPaused: manifest.start == .paused)
    case .own: .own
    case .follow: .follow
    case .lead: .timebase(tempo)
    }
  }

  /// Resolves a lane: its target and its values. Call it after channels are known.
  mutating func add(_ lane: Manifest.Lane) {
    guard let (target, value) = target(of: lane) else { return }
    guard !lanes.contains(where: { $0.target == target }) else {
      problems.error(lane.position, "found a second lane of this value; expected each once")
      return
    }
    var resolved = ResolvedManifest.Lane(target: target, segments: []), isWhole = true
    for segment in lane.segments {
      var from: Float?
      if let start = segment.from {
        from = read(start, as: value)
        isWhole = isWhole && from != nil
      }
      guard let to = read(segment.to, as: value) else {
        isWhole = false
        continue
      }
      resolved.segments.append(.init(from: from, to: to, range: segment.range, curve: segment.curve))
    }
    guard isWhole, follows(resolved, lane, value) else { return }
    lanes.append(resolved)
  }

  /// The kind of value that a lane changes.
  private enum Kind {
    case parameter(ParameterInfo), volume, pan

    var initial: Float {
      switch self {
      case .parameter(let info): info.initial
      case .volume: 1
      case .pan: 0
      }
    }

    var range: ClosedRange<Float> {
      switch self {
      case .parameter(let info): info.range
      case .volume: Lane.volumes
      case .pan: Graph.Wire.pans
      }
    }
  }

  private mutating func read(_ text: Manifest.Text, as kind: Kind) -> Float? {
    if case .parameter(let info) = kind { return value(.text(text), info) }
    var reader = ShapeReader(problems: problems)
    defer { problems = reader.problems }
    let document = Document(content: .scalar(text.text), position: text.position)
    guard case .pan = kind else { return reader.level(document) }
    return reader.number(document, -1...1, .none, "a pan").map { Float($0) }
  }

  /// Returns whether the segments of a lane are valid together, and the curves stay within the range.
  private mutating func follows(
    _ resolved: ResolvedManifest.Lane, _ lane: Manifest.Lane, _ kind: Kind
  ) -> Bool {
    var automation = Automation(kind.initial), isWhole = true
    for (segment, written) in zip(resolved.segments, lane.segments) {
      do throws(AutomationError) {
        guard
          try add(
            segment.from, segment.to, in: segment.range, segment.curve, to: &automation, written.position)
        else {
          isWhole = false
          continue
        }
      } catch {
        problems.error(written.position, "\(error)")
        isWhole = false
        continue
      }
      // If a segment starts with the current value, only the engine knows that value.
      let start = segment.range.lowerBound
      let entry = segment.from == nil ? nil : automation.entry(startingAt: start)
      guard let bounds = entry?.bounds else { continue }
      for value in [bounds.lowerBound, bounds.upperBound] where !kind.range.contains(value) {
        problems.error(
          written.position,
          "found a curve that reaches \(value); expected values from \(kind.range.lowerBound) to "
            + "\(kind.range.upperBound)")
        isWhole = false
      }
    }
    return isWhole
  }

  /// Adds a step or a ramp, unless it would replace an entry that begins at its time; then this reports an error and
  /// returns false. A ramp may begin at a step, from which it starts.
  mutating func add(
    _ from: Float?, _ to: Float, in range: Range<MediaTime>, _ curve: Automation.Curve,
    to automation: inout Automation, _ position: TextPosition
  ) throws(AutomationError) -> Bool {
    let start = range.lowerBound
    if let other = automation.entry(startingAt: start), range.isEmpty || other.isRamp {
      problems.error(position, "found a second value at \(start); expected one at a time")
      return false
    }
    try automation.add(from, to, in: range, curve)
    return true
  }

  private mutating func target(of lane: Manifest.Lane) -> (ResolvedManifest.Lane.Target, Kind)? {
    switch lane.target {
    case .node(let name, let parameter): return node(name, parameter)
    case .wire(let from, let to, let value): return wire(from, to, value, lane.position)
    }
  }

  private mutating func node(
    _ name: Manifest.Text, _ parameter: String
  ) -> (ResolvedManifest.Lane.Target, Kind)? {
    guard let index = node(at: Manifest.End(name.text, position: name.position)) else { return nil }
    let node = nodes[index], known = Self.parameters(of: node)
    let target = ResolvedManifest.Lane.Target.node(index, parameter: parameter)
    if let info = known.first(where: { $0.symbol == parameter }) {
      if node.isBypassed {
        problems.warning(name.position, AudioEngine.unheardLane(of: parameter, node: node.name))
      }
      return (target, .parameter(info))
    }
    let width = (node.outputs.first ?? node.inputs.first)?.format.channelCount ?? 0
    switch parameter {
    case Self.volume where width > 0: return (target, .volume)
    case Self.pan where width > 0:
      return stereo(width, "'\(node.name)'", name.position) ? (target, .pan) : nil
    default:
      problems.unknown(
        name.position, "'\(node.name)' has no parameter '\(Document.short(parameter))'", parameter,
        among: known.map(\.symbol) + (width > 0 ? [Self.volume, Self.pan] : []))
      return nil
    }
  }

  /// Returns the parameters that lanes can change. Those of bands have symbols of their own.
  static func parameters(of node: ResolvedManifest.Node) -> [ParameterInfo] {
    switch node.kind {
    case .effect(let info), .plugin(let info):
      guard let bands = info.bands else { return info.parameters }
      return info.parameters + (0..<node.bandCount).flatMap { bands.named($0) }
    case .player, .track: return StreamSource.parameters
    case .playback: return node.ceiling == nil ? [] : [NodeKind.ceiling]
    case .capture, .midiIn, .midiOut, .mixer: return []
    }
  }

  private mutating func wire(
    _ from: Manifest.End, _ to: Manifest.End, _ value: String, _ position: TextPosition
  ) -> (ResolvedManifest.Lane.Target, Kind)? {
    guard node(at: from) != nil, node(at: to) != nil else { return nil }
    guard let index = wireIndex(from, to, at: position) else { return nil }
    let wire = wires[index], bus = nodes[wire.to.node].inputs[wire.to.bus].format
    let width = wire.to.channel == nil ? bus.channelCount : min(bus.channelCount, 1)
    switch value {
    case Self.volume where width > 0: return (.wire(index, .volume), .volume)
    case Self.pan where width > 0:
      return stereo(width, "'\(from) -> \(to)'", position) ? (.wire(index, .pan), .pan) : nil
    default:
      problems.error(
        position,
        width > 0
          ? "found '\(Document.short(value))' of a wire; expected 'volume' or 'pan'"
          : "found a lane of '\(from) -> \(to)', which carries events; expected a wire of sound")
      return nil
    }
  }

  private mutating func stereo(_ width: Int, _ what: String, _ position: TextPosition) -> Bool {
    if width == 2 { return true }
    problems.error(
      position,
      "found a pan of \(what), which has \(Self.channels(width)); expected two, as pan is left or right")
    return false
  }

  /// Returns whether a lane changes a parameter, so that its set value is not its only one.
  func moves(_ parameter: String, of node: String) -> Bool {
    manifest.lanes.contains { lane in
      guard case .node(let name, parameter) = lane.target else { return false }
      return name.text == node
    }
  }
}
