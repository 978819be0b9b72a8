// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletManifest

extension Picture {
  /// Creates the picture of a session's graph.
  init(_ session: Session) {
    let manifest = session.manifest
    title = manifest.name
    nodes = zip(manifest.nodes, session.nodes).map { Node($0, latency: $1.latency) }
    wires = manifest.wires.map { Wire($0, in: manifest) }
    taps = manifest.taps.map { tap in
      let file = tap.recording?.file.text
      switch tap.point {
      case .node(let node, _):
        return Tap(name: tap.name, node: node, isBefore: tap.side == .before, file: file)
      case .wire(let index):
        let wire = manifest.wires[index], end = manifest.nodes[wire.to.node].name
        return Tap(name: "\(tap.name) (→ \(end))", node: wire.from.node, file: file)
      }
    }
  }
}

extension Picture.Node {
  fileprivate init(_ node: ResolvedManifest.Node, latency: Int) {
    let width = (node.outputs.first ?? node.inputs.first)?.format
    let channels = width.map { $0 == .events ? "MIDI" : Digits.count($0.channelCount, "channel") } ?? ""
    let (kind, lines): (Picture.Kind, [String]) =
      switch node.kind {
      case .capture: (.capture, [channels])
      case .playback: (.playback, [channels])
      case .midiIn: (.capture, ["MIDI"])
      case .midiOut: (.playback, ["MIDI"])
      case .mixer: (.mixer, [channels])
      case .effect(let info): (.effect, [info.name, channels])
      case .plugin(let info): (.plugin, [info.name.shortened(to: 40), channels])
      case .player(let path, let loop):
        (.player, [(path.split(separator: "/").last.map(String.init) ?? path) + Self.often(loop), channels])
      case .track(let track, _):
        (.player, ["\(track.note), \(track.duration.clock)", channels])
      }
    self.init(name: node.name, kind: kind, notes: lines, isBypassed: node.isBypassed)
    if node.gain != 0 { notes.append("\(Digits.short(node.gain)) dB") }
    if node.stretch.advance != 1 { notes.append("\(Digits.short(node.stretch.advance)) times as fast") }
    if node.stretch.pitch != 0 { notes.append("\(Digits.short(node.stretch.pitch)) semitones") }
    if let ceiling = node.ceiling { notes.append("at most \(Digits.short(ceiling)) dBFS") }
    if latency > 0 { notes.append("\(Digits.count(latency, "frame")) late") }
  }

  /// Returns how often a player plays its file; empty for once.
  private static func often(_ loops: Loops) -> String {
    switch loops {
    case .once: ""
    case .times(let count): ", \(count) times"
    case .forever: ", looped"
    }
  }
}

extension Picture.Wire {
  fileprivate init(_ wire: ResolvedManifest.Wire, in manifest: ResolvedManifest) {
    let source = manifest.nodes[wire.from.node].outputs, target = manifest.nodes[wire.to.node].inputs
    self.init(from: wire.from.node, to: wire.to.node)
    let ends = [
      Self.end(wire.from, of: source, isNamed: wire.from.bus > 0),
      Self.end(wire.to, of: target, isNamed: wire.to.bus > 0),
    ]
    if ends.contains(where: { !$0.isEmpty }) {
      notes.append(ends.map { $0.isEmpty ? "all" : $0 }.joined(separator: " → "))
    }
    if wire.strip != nil { notes.append(wire.isPreFader ? "send, pre-fader" : "send") }
    if wire.isMuted { notes.append("muted") }
    if wire.isSolo { notes.append("solo") }
    if wire.isInverted { notes.append("phase inverted") }
    if wire.trim != 0 { notes.append("trim \(Digits.short(wire.trim)) dB") }
    if wire.gain != 0 { notes.append("\(Digits.short(wire.gain)) dB") }
    if let pan = wire.pan, pan != 0 { notes.append("pan \(Digits.short(pan))") }
    if let frames = wire.feedback { notes.append("\(Digits.count(frames, "frame")) later") }
    isFeedback = wire.feedback != nil
    isEvents = source.indices.contains(wire.from.bus) && source[wire.from.bus].format == .events
  }

  /// Returns the bus and channel of an end, such as `sidechain[1]`; empty for all channels of the first bus.
  private static func end(_ end: ResolvedManifest.End, of buses: [ResolvedManifest.Bus], isNamed: Bool)
    -> String
  {
    let name = isNamed && buses.indices.contains(end.bus) ? buses[end.bus].symbol : ""
    return name + (end.channel.map { "[\($0 + 1)]" } ?? "")
  }
}
