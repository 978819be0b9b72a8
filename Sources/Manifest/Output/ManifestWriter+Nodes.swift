// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Swiftlet
internal import SwiftletLV2

extension ManifestWriter {
  /// Returns a node's kind, and the properties that differ from the defaults.
  static func tree(_ node: Manifest.Node) -> Tree {
    var entries: [(key: String, value: Tree)]
    switch node.kind {
    case .track(let track): return tree(track)
    case .capture(let count): entries = [kind(.capture, channels(count))]
    case .playback(let count): entries = [kind(.playback, channels(count))]
    case .midiIn: entries = [kind(.midiIn, "null")]
    case .midiOut: entries = [kind(.midiOut, "null")]
    case .effect(let name): entries = [kind(.effect, scalar(name.text))]
    case .lv2(let uri): entries = [kind(.lv2, scalar(uri.text))]
    case .mixer(let count): entries = [kind(.mixer, channels(count))]
    case .player(let file): entries = [kind(.player, scalar(file.text))]
    }
    func add(_ key: NodeKey, _ value: Tree) { entries.append((key.rawValue, value)) }
    for key in NodeKey.allCases {
      switch key {
      case .connect: if let connection = node.connection { add(key, tree(connection)) }
      case .files: if !node.files.isEmpty { add(key, tree(node.files)) }
      case .isolate: if let isolation = node.isolation { add(key, .scalar(isolation.rawValue)) }
      case .deadline:
        if let deadline = node.deadline { add(key, .scalar("\(Quantity(deadline, .milliseconds))")) }
      case .onFailure: if let failure = node.onFailure { add(key, .scalar(failure.rawValue)) }
      case .programChange: if let use = node.programChange { add(key, .scalar(use.rawValue)) }
      case .state: if let state = node.state { add(key, .scalar(scalar(state.text))) }
      case .set: if !node.settings.isEmpty { add(key, tree(node.settings)) }
      case .preset: if let preset = node.preset { add(key, .scalar(scalar(preset.text))) }
      case .bypass: if node.isBypassed { add(key, .scalar("true")) }
      case .loop: if node.loop != .once { add(key, .scalar(loop(node.loop))) }
      case .speed: if node.stretch.speed != 1 { add(key, .scalar("\(Quantity(node.stretch.speed))")) }
      case .varispeed:
        if node.stretch.varispeed != 1 { add(key, .scalar("\(Quantity(node.stretch.varispeed))")) }
      case .pitch:
        if node.stretch.pitch != 0 { add(key, .scalar("\(Quantity(node.stretch.pitch, .semitones))")) }
      case .engine: if let algorithm = node.algorithm { add(key, .scalar(scalar(algorithm.text))) }
      case .gain: if node.gain != 0 { add(key, .scalar("\(Quantity(node.gain, .decibels))")) }
      case .ceiling: if let ceiling = node.ceiling { add(key, .scalar("\(Quantity(ceiling, .decibels))")) }
      case .channels: if let channels = node.channels { add(key, .scalar(Self.channels(channels))) }
      }
    }
    return .mapping(entries)
  }

  /// Returns a tap's point and recording.
  static func tree(_ tap: Manifest.Tap) -> Tree {
    var entries: [(key: String, value: Tree)] = [(tap.side.rawValue, .scalar(point(tap.point)))]
    if let recording = tap.recording { entries.append((TapKey.record.rawValue, tree(recording))) }
    return .mapping(entries)
  }

  private static func point(_ point: Manifest.Tap.Point) -> String {
    switch point {
    case .node(let node): end(node)
    case .wire(let from, let to): JSONValue.quoted("\(from) -> \(to)")
    }
  }

  private static func kind(_ key: KindKey, _ value: String) -> (key: String, value: Tree) {
    (key.rawValue, .scalar(value))
  }

  private static func loop(_ loops: Loops) -> String {
    switch loops {
    case .forever: "forever"
    case .times(let count): "\(count)"
    }
  }

  private static func channels(_ count: Int) -> String {
    switch count {
    case 1: "mono"
    case 2: "stereo"
    default: "\(count)"
    }
  }

  private static func tree(_ connection: Manifest.Connection) -> Tree {
    switch connection {
    case .nowhere: return .scalar("none")
    case .physical(let first): return .scalar(first == 1 ? "physical" : "\"physical:\(first)\"")
    case .pattern(let pattern): return .scalar(scalar("/\(pattern)/"))
    case .ports(let names):
      let items = names.map { Tree.scalar(scalar($0)) }
      if items.count == 1, let only = items.first { return only }
      return .list(items)
    case .firstOf(let connections):
      return .mapping([(ConnectKey.firstOf.rawValue, .list(connections.flatMap(\.alternatives).map(tree)))])
    }
  }

  private static func tree(_ files: [Manifest.File]) -> Tree {
    .mapping(files.map { (scalar($0.name.text), .scalar(scalar($0.path.text))) })
  }

  private static func tree(_ settings: [Manifest.Setting]) -> Tree {
    .mapping(
      settings.map { setting in
        let value: Tree =
          switch setting.value {
          case .text(let text): .scalar(scalar(text.text))
          case .list(let texts, _): .list(texts.map { .scalar(scalar($0.text)) })
          case .bands(let bands, _): .list(bands.map { tree($0.settings) })
          }
        return (scalar(setting.parameter.text), value)
      })
  }

  /// Returns an end, quoted if it has a channel, because brackets have a meaning in a flow mapping.
  static func end(_ end: Manifest.End) -> String {
    end.channel == nil ? "\(end)" : JSONValue.quoted("\(end)")
  }

  private static func tree(_ recording: Manifest.Recording) -> Tree {
    var entries: [(key: String, value: Tree)] = []
    for key in RecordKey.allCases {
      switch key {
      case .file: entries.append((key.rawValue, .scalar(scalar(recording.file.text))))
      case .format:
        if let format = recording.format { entries.append((key.rawValue, .scalar(format.rawValue))) }
      case .rate: if let rate = recording.rate { entries.append((key.rawValue, .scalar("\(rate)"))) }
      case .quality:
        if case .quality(let share) = recording.quality {
          entries.append((key.rawValue, .scalar("\(share)")))
        }
      case .bitRate:
        if case .bitRate(let bits) = recording.quality { entries.append((key.rawValue, .scalar("\(bits)"))) }
      case .heardThrough:
        if let output = recording.output { entries.append((key.rawValue, .scalar(scalar(output.text)))) }
      case .start:
        if recording.start != .now { entries.append((key.rawValue, .scalar(recording.start.rawValue))) }
      case .overwrite: if recording.overwrites { entries.append((key.rawValue, .scalar("true"))) }
      }
    }
    if entries.count == 1, let file = entries.first { return file.value }
    return .mapping(entries)
  }
}
