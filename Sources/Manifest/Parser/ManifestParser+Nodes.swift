// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletGraph
internal import SwiftletLV2

extension ManifestParser {
  mutating func nodes(_ document: Document) -> [Manifest.Node] {
    let before = reader.problems.errorCount
    let entries = named(document, "nodes by name")
    if entries.isEmpty, reader.problems.errorCount == before {
      reader.problems.error(document.position, "found no nodes; expected some, such as 'mic: capture'")
    }
    var nodes: [Manifest.Node] = []
    for entry in entries {
      if let node = node(entry) {
        nodes.append(node)
      } else {
        unclear.insert(entry.key)
      }
    }
    return nodes
  }

  private mutating func node(_ entry: Document.Entry) -> Manifest.Node? {
    guard case .mapping(let keys) = entry.value.content else { return nodeOfOneWord(entry) }
    let what = "the node '\(Document.short(entry.key))'"
    let kinds = keys.compactMap { key in KindKey(rawValue: key.key).map { (key: $0, entry: key) } }
    let before = reader.problems.errorCount
    let known = KindKey.allCases.map(\.rawValue) + KindKey.later + KindKey.effects
    let extras = reader.entries(entry.value, as: NodeKey.self, of: what, alsoKnown: known)
    guard let kind = kinds.first else {
      if let later = keys.first(where: { KindKey.later.contains($0.key) }) {
        reader.problems.error(
          later.keyPosition,
          "found the kind of node '\(later.key)', which this version of swiftlet does not have yet")
      } else if let effect = keys.first(where: { KindKey.effects.contains($0.key) }) {
        reader.problems.error(
          effect.keyPosition,
          "found the kind '\(effect.key)', which is an effect; expected 'effect: \(effect.key)'")
      } else if reader.problems.errorCount == before {
        reader.problems.error(
          entry.keyPosition,
          "found no kind in \(what); expected \(NearestName.listed(KindKey.allCases.map(\.rawValue)))")
      }
      return nil
    }
    for second in kinds.dropFirst() {
      reader.problems.error(
        second.entry.keyPosition,
        "found '\(second.key.rawValue)' beside '\(kind.key.rawValue)'; expected one kind a node")
    }
    guard let value = value(of: kind.key, kind.entry.value) else { return nil }
    var node = Manifest.Node(entry.key, value, position: entry.keyPosition)
    for (key, extra) in extras { read(key, extra, of: kind.key, into: &node) }
    // If all files were rejected, the node is dropped, so that they are not also reported as missing.
    if extras[.files] != nil, node.files.isEmpty, kind.key == .effect, reader.problems.errorCount > before {
      return nil
    }
    return node
  }

  /// Parses a node whose value is only the name of its kind: `mic: capture`.
  private mutating func nodeOfOneWord(_ entry: Document.Entry) -> Manifest.Node? {
    let name = Document.short(entry.key)
    if let text = entry.value.text, let kind = KindKey(rawValue: text) {
      guard kind.standsAlone else {
        reader.problems.error(
          entry.value.position,
          "found '\(text)' alone as the node '\(name)'; expected it with a value: { \(text): … }")
        return nil
      }
      let emptyValue = Document(content: .scalar(""), position: entry.value.position)
      return value(of: kind, emptyValue).map { Manifest.Node(entry.key, $0, position: entry.keyPosition) }
    }
    reader.problems.unknown(
      entry.value.position,
      "found \(entry.value.found) as the node '\(name)', which is neither a kind nor a mapping",
      entry.value.text ?? "", among: KindKey.allCases.map(\.rawValue))
    return nil
  }

  private mutating func value(of kind: KindKey, _ document: Document) -> Manifest.Kind? {
    switch kind {
    case .capture: channels(document, kind).map(Manifest.Kind.capture)
    case .playback: channels(document, kind).map(Manifest.Kind.playback)
    case .mixer: channels(document, kind).map(Manifest.Kind.mixer)
    case .midiIn: isEmptyValue(document, kind) ? .midiIn : nil
    case .midiOut: isEmptyValue(document, kind) ? .midiOut : nil
    case .effect: reader.text(document, "the name of an effect, such as delay").map(Manifest.Kind.effect)
    case .lv2: reader.text(document, "the URI of an LV2 plugin").map(Manifest.Kind.lv2)
    case .player: reader.text(document, "the path of a sound file").map(Manifest.Kind.player)
    }
  }

  private mutating func channels(_ document: Document, _ kind: KindKey) -> Int? {
    document.isEmpty ? kind.usualChannels : reader.channels(document)
  }

  private mutating func isEmptyValue(_ document: Document, _ kind: KindKey) -> Bool {
    if document.isEmpty { return true }
    reader.problems.error(
      document.position, "found \(document.found); expected nothing after '\(kind.rawValue):'")
    return false
  }

  private mutating func read(
    _ key: NodeKey, _ entry: Document.Entry, of kind: KindKey, into node: inout Manifest.Node
  ) {
    guard key.kinds.contains(kind) else {
      reader.problems.error(
        entry.keyPosition,
        "found '\(key.rawValue)' in a node of kind '\(kind.rawValue)'; expected it only in "
          + NearestName.listed(key.kinds.map(\.rawValue)))
      return
    }
    switch key {
    case .connect: node.connection = connection(entry.value)
    case .files: node.files = files(entry.value)
    case .isolate:
      node.isolation = reader.choice(
        entry.value, "whether the plugin runs in another process", of: Manifest.Isolation.self)
    case .onFailure: node.onFailure = failure(entry.value)
    case .deadline: node.deadline = reader.number(entry.value, key)
    case .programChange:
      node.programChange = reader.choice(
        entry.value, "the effect of a MIDI program change", of: ProgramChangeUse.self)
    case .state: node.state = reader.text(entry.value, "the folder of a state")
    case .set: node.settings = settings(entry.value)
    case .preset: node.preset = reader.text(entry.value, "the name of a preset")
    case .bypass: node.isBypassed = reader.toggle(entry.value, "whether the node is bypassed") ?? false
    case .loop: node.loop = loop(entry.value)
    case .speed: node.stretch.speed = reader.number(entry.value, key) ?? 1
    case .varispeed: node.stretch.varispeed = reader.number(entry.value, key) ?? 1
    case .pitch: node.stretch.pitch = reader.number(entry.value, key) ?? 0
    case .engine: node.algorithm = reader.text(entry.value, "the name of a stretch algorithm, such as fast")
    case .gain: node.gain = reader.number(entry.value, key) ?? 0
    case .ceiling: node.ceiling = reader.number(entry.value, key)
    case .channels: node.channels = reader.channels(entry.value)
    }
  }

  private mutating func failure(_ document: Document) -> PluginIsolation.Failure? {
    if let found = document.text.flatMap(PluginIsolation.Failure.init) { return found }
    reader.problems.error(document.position, "found \(document.found); expected mute or bypass")
    return nil
  }

  private mutating func loop(_ document: Document) -> Loops {
    switch document.text {
    case "once": .once
    case "forever": .forever
    default: .times(reader.whole(document, "once, forever or a number of passes", in: Limits.loops) ?? 1)
    }
  }

  private mutating func files(_ document: Document) -> [Manifest.File] {
    guard !document.isEmpty, let entries = reader.mapping(document, "files by name") else { return [] }
    return entries.compactMap { entry in
      reader.text(entry.value, "the path of a file").map {
        Manifest.File(Manifest.Text(entry.key, position: entry.keyPosition), $0)
      }
    }
  }

  private mutating func settings(_ document: Document) -> [Manifest.Setting] {
    guard !document.isEmpty, let entries = reader.mapping(document, "parameters by name") else { return [] }
    var settings: [Manifest.Setting] = []
    for entry in entries {
      guard let value = value(entry.value, entry.key) else { continue }
      settings.append(Manifest.Setting(Manifest.Text(entry.key, position: entry.keyPosition), value))
    }
    return settings
  }

  private mutating func value(_ document: Document, _ parameter: String) -> Manifest.Value? {
    guard case .sequence(let items) = document.content else {
      return reader.text(document, "a value for '\(Document.short(parameter))'").map(Manifest.Value.text)
    }
    let texts = items.compactMap { item in item.text.map { Manifest.Text($0, position: item.position) } }
    if !items.isEmpty, texts.count == items.count { return .list(texts, position: document.position) }
    return .bands(
      items.map { Manifest.Band(settings($0), position: $0.position) }, position: document.position)
  }
}
