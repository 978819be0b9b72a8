// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

extension ManifestParser {
  mutating func taps(_ document: Document) -> [Manifest.Tap] {
    var taps: [Manifest.Tap] = []
    for entry in named(document, "taps by name") {
      if let tap = tap(entry) { taps.append(tap) }
    }
    return taps
  }

  private mutating func tap(_ entry: Document.Entry) -> Manifest.Tap? {
    let what = "the tap '\(Document.short(entry.key))'"
    guard case .mapping = entry.value.content else {
      reader.problems.error(
        entry.value.position,
        "found \(entry.value.found) as \(what); expected a mapping, such as { after: mic }"
      )
      return nil
    }
    let before = reader.problems.errorCount
    let entries = reader.entries(entry.value, as: TapKey.self, of: what)
    let isKnown = reader.problems.errorCount == before
    let recording = entries[TapKey.record].flatMap { self.recording($0.value) }
    if let after = entries[TapKey.after], let before = entries[TapKey.before] {
      let second = after.keyPosition.isBefore(before.keyPosition) ? before : after
      reader.problems.error(second.keyPosition, "found both 'after' and 'before'; expected one point a tap")
      return nil
    }
    for (key, side) in [(TapKey.after, Manifest.Tap.Side.after), (.before, .before)] {
      guard let point = entries[key] else { continue }
      guard let text = reader.text(point.value, "the name of a node, or a wire") else { return nil }
      let position = point.value.isQuoted ? text.position.moved(by: 1) : text.position
      return self.point(text.text, at: position).map {
        Manifest.Tap(entry.key, side, $0, recording: recording, position: entry.keyPosition)
      }
    }
    if isKnown {
      reader.problems.error(
        entry.keyPosition, "found no point in \(what); expected 'after: NODE' or 'before: NODE'")
    }
    return nil
  }

  /// Parses `node`, or a single wire: `a -> b`.
  private mutating func point(_ text: String, at position: TextPosition) -> Manifest.Tap.Point? {
    guard text.contains("->") else { return end(text, at: position).map { .node($0) } }
    return oneWire(text, at: position, example: "mic -> desk").map { .wire(from: $0.from, to: $0.to) }
  }

  private mutating func recording(_ document: Document) -> Manifest.Recording? {
    guard case .mapping = document.content else {
      let file = reader.text(document, "the name of a file, such as \"{tap}-{take}.wav\"")
      return file.map { Manifest.Recording($0) }
    }
    let entries = reader.entries(document, as: RecordKey.self, of: "a recording")
    guard let file = entries[.file].flatMap({ reader.text($0.value, "the name of a file") }) else {
      return nil
    }
    var recording = Manifest.Recording(file)
    for (key, entry) in entries {
      switch key {
      case .file: break
      case .format:
        recording.format = reader.choice(
          entry.value, "a sample format", of: Manifest.SampleFormat.self)
      case .rate: recording.rate = reader.whole(entry.value, "hertz", in: RecordingFormat.rates)
      case .quality:
        recording.quality = reader.number(entry.value, key).map { .quality($0) } ?? recording.quality
      case .bitRate:
        recording.quality =
          reader.whole(entry.value, "bits a second", in: Limits.bitRate).map { .bitRate($0) }
          ?? recording.quality
      case .heardThrough: recording.output = reader.text(entry.value, "the name of a playback node")
      case .start:
        recording.start = reader.choice(entry.value, "a start", of: Manifest.Start.self) ?? .now
      case .overwrite:
        recording.overwrites = reader.toggle(entry.value, "whether a file may be overwritten") ?? false
      }
    }
    if let quality = entries[.quality], let rate = entries[.bitRate] {
      let second = quality.keyPosition.isBefore(rate.keyPosition) ? rate : quality
      reader.problems.error(second.keyPosition, "found both 'quality' and 'bit-rate'; expected one of them")
    }
    return recording
  }
}
