// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import Swiftlet
internal import SwiftletSignal

extension ManifestParser {
  mutating func wires(_ document: Document) -> [Manifest.Wire] {
    guard !document.isEmpty, let items = reader.list(document, "wires") else { return [] }
    return items.flatMap { wires(from: $0) }
  }

  /// Parses an item of the list of wires: a chain, or a single wire with a value.
  private mutating func wires(from item: Document) -> [Manifest.Wire] {
    guard case .mapping(let entries) = item.content else {
      guard let chain = reader.text(item, "a wire, such as mic -> gate -> desk") else { return [] }
      return links(chain.text, at: item.isQuoted ? item.position.moved(by: 1) : item.position)
    }
    guard let entry = entries.first, entries.count == 1 else {
      reader.problems.error(item.position, "found \(entries.count) keys; expected one wire an item")
      return []
    }
    let start = entry.isKeyQuoted ? entry.keyPosition.moved(by: 1) : entry.keyPosition
    var links = links(entry.key, at: start)
    if links.count > 1 {
      reader.problems.error(
        start, "found a value after a chain of wires; expected the wire it is meant for on a line of its own")
    } else if !links.isEmpty {
      read(entry.value, into: &links[0])
    }
    return links
  }

  /// Splits a chain `a -> b[1] -> c.sidechain` into wires.
  mutating func links(_ text: String, at position: TextPosition) -> [Manifest.Wire] {
    var ends: [Manifest.End] = []
    var offset = 0
    for part in text.split(separator: "->", omittingEmptySubsequences: false) {
      let blanks = part.prefix { $0 == " " }.unicodeScalars.count
      guard let end = end(String(part), at: position.moved(by: offset + blanks)) else { return [] }
      ends.append(end)
      offset += part.unicodeScalars.count + 2
    }
    guard ends.count > 1 else {
      reader.problems.error(position, "found '\(Document.short(text))'; expected a wire, such as mic -> gate")
      return []
    }
    return zip(ends, ends.dropFirst()).map { Manifest.Wire(from: $0, to: $1) }
  }

  /// Parses `node`, `node.bus`, `node[channel]` or `node.bus[channel]`.
  mutating func end(_ written: String, at position: TextPosition) -> Manifest.End? {
    guard var end = Manifest.End(reading: written) else {
      let words = written.split(separator: " ").joined(separator: " ")
      let found = words.isEmpty ? "nothing" : "'\(Document.short(words))'"
      reader.problems.error(
        position, "found \(found); expected a node, as in mic, mic[1], gate.sidechain or gate.sidechain[1]")
      return nil
    }
    if end.channel == 0 {
      reader.problems.error(position, "found channel 0; expected a channel from 1")
      return nil
    }
    end.position = position
    return end
  }

  /// Parses the value of a wire or a send: a gain, or a mapping of keys.
  private mutating func read(_ value: Document, into wire: inout Manifest.Wire, isSend: Bool = false) {
    guard case .mapping = value.content else {
      wire.gain = reader.number(value, WireKey.gain) ?? 0
      return
    }
    let all = WireKey.allCases.filter { isSend ? $0.isForSends : $0.isForWires }
    let entries = reader.entries(value, as: all, of: isSend ? "a send" : "a wire")
    for (key, entry) in entries {
      switch key {
      case .gain: wire.gain = reader.number(entry.value, key) ?? 0
      case .volume: if let volume = reader.number(entry.value, key) { wire.gain = Self.decibels(volume) }
      case .trim: wire.trim = reader.number(entry.value, key) ?? 0
      case .pan: wire.pan = reader.number(entry.value, key)
      case .panLaw: wire.panLaw = reader.choice(entry.value, "a pan law", of: PanLaw.self)
      case .phase:
        wire.phase =
          reader.choice(entry.value, "a polarity", of: Manifest.Phase.self) ?? .normal
      case .mute: wire.isMuted = reader.toggle(entry.value, "whether the wire is muted") ?? false
      case .solo: wire.isSolo = reader.toggle(entry.value, "whether the wire is soloed") ?? false
      case .soloSafe:
        wire.isSoloSafe = reader.toggle(entry.value, "whether the wire is solo-safe") ?? false
      case .sends: wire.sends = sends(entry.value, from: wire.from)
      case .preFader:
        wire.isPreFader = reader.toggle(entry.value, "whether it leaves before the fader") ?? false
      case .feedback: wire.isFeedback = reader.toggle(entry.value, "whether it is a feedback wire") ?? false
      case .delay: wire.delay = reader.whole(entry.value, "a delay in frames", in: Limits.feedbackDelay)
      }
    }
    if let volume = entries[.volume], entries[.gain] != nil {
      reader.problems.error(
        volume.keyPosition, "found both 'volume' and 'gain', which both set the fader; expected one of them")
    }
    if let delay = entries[.delay], entries[.feedback]?.value.text != "true" {
      reader.problems.error(
        delay.keyPosition,
        "found 'delay' on a wire that is no feedback wire; expected 'feedback: true' beside it"
      )
    }
  }

  /// Parses the sends of a channel strip. Each key is a destination.
  private mutating func sends(_ document: Document, from source: Manifest.End) -> [Manifest.Wire] {
    guard !document.isEmpty, let entries = reader.mapping(document, "sends by node") else { return [] }
    return entries.compactMap { entry in
      let position = entry.isKeyQuoted ? entry.keyPosition.moved(by: 1) : entry.keyPosition
      guard let end = end(entry.key, at: position) else { return nil }
      // Errors of a send's source are reported at the strip, so the send's position is that of its destination.
      var source = source
      source.position = position
      var send = Manifest.Wire(from: source, to: end)
      if !entry.value.isEmpty { read(entry.value, into: &send, isSend: true) }
      return send
    }
  }

  /// Converts a linear factor to a gain in dB.
  private static func decibels(_ volume: Double) -> Double {
    max(Decibels.level(volume), Limits.wireGain.lowerBound)
  }
}
