// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

extension ManifestParser {
  /// Parses the timeline. Its tracks become nodes.
  mutating func timeline(_ document: Document, into manifest: inout Manifest) {
    let entries = reader.entries(document, as: TimelineKey.self, of: "the timeline")
    manifest.tempo = tempoMap(entries[.tempo]?.value, entries[.meter]?.value)
    if let transport = entries[.transport] {
      let choice = reader.choice(transport.value, "a transport", of: Manifest.TransportChoice.self)
      manifest.transport = choice ?? .own
    }
    if let loop = entries[.loop] { manifest.loop = reader.range(loop.value) }
    if let start = entries[.start] {
      manifest.start = reader.choice(start.value, "a start", of: Manifest.TimelineStart.self) ?? .now
    }
    for entry in [entries[.loop], entries[.start]].compactMap(\.self) where manifest.transport != .own {
      reader.problems.error(
        entry.keyPosition,
        "found '\(entry.key)' beside 'transport: \(manifest.transport.rawValue)'; expected it where the timeline has "
          + "its own time: JACK's transport starts and loops for all programs")
    }
    if let lanes = entries[.lanes] { manifest.lanes = self.lanes(lanes.value) }
    if let master = entries[.master] { manifest.master = moves(master.value, "the master's mix") }
    if let declick = entries[.declick] { manifest.declick = self.declick(declick.value) ?? .zero }
    if let video = entries[.video] { manifest.video = clips(video.value) }
    guard let tracks = entries[.tracks] else { return }
    for entry in named(tracks.value, "tracks by name") {
      if let track = track(entry) {
        manifest.nodes.append(Manifest.Node(entry.key, .track(track), position: entry.keyPosition))
      } else {
        unclear.insert(entry.key)
      }
    }
  }

  private mutating func track(_ entry: Document.Entry) -> Manifest.Track? {
    let what = "the track '\(Document.short(entry.key))'"
    if case .sequence = entry.value.content { return trackClips(entry.value).map { Manifest.Track($0) } }
    let before = reader.problems.errorCount
    let entries = reader.entries(entry.value, as: TrackKey.self, of: what)
    guard let trackClips = entries[.pieces].flatMap({ self.trackClips($0.value) }) else { return nil }
    var track = Manifest.Track(trackClips)
    if let enabled = entries[.enabled] {
      track.isEnabled = reader.toggle(enabled.value, "whether the track is audible") ?? true
    }
    if let volume = entries[.volume] { track.volume = reader.level(volume.value) ?? 1 }
    if let mix = entries[.mix] { track.mix = moves(mix.value, "the mix of the track") }
    if let declick = entries[.declick] { track.declick = self.declick(declick.value) }
    return reader.problems.errorCount == before ? track : nil
  }

  /// Parses the length of the glide that smooths steps.
  private mutating func declick(_ document: Document) -> MediaTime? {
    guard let time = reader.time(document) else { return nil }
    guard time >= .zero, time <= .seconds(1) else {
      reader.problems.error(document.position, "found \(time); expected 0 to 1 s")
      return nil
    }
    return time
  }

  private mutating func trackClips(_ document: Document) -> [Manifest.Clip]? {
    guard let items = reader.list(document, "clips, each { file: … }") else { return nil }
    let trackClips = items.map { clip($0) }
    guard trackClips.allSatisfy({ $0 != nil }) else { return nil }
    return trackClips.compactMap(\.self)
  }

  /// Parses a clip of a track, or of the video, which accepts only some of the keys.
  private mutating func clip(
    _ document: Document, as keys: [TrackClipKey] = Array(TrackClipKey.allCases), of what: String = "a clip",
    _ expected: String = "the path of a sound file"
  ) -> Manifest.Clip? {
    let before = reader.problems.errorCount
    let entries = reader.entries(document, as: keys, of: what)
    guard let file = entries[.file].flatMap({ reader.text($0.value, expected) }) else {
      return nil
    }
    var clip = Manifest.Clip(file, position: document.position)
    for (key, entry) in entries {
      switch key {
      case .file: break
      case .from: clip.from = reader.time(entry.value) ?? .zero
      case .to: clip.to = reader.time(entry.value)
      case .at: clip.at = reader.time(entry.value)
      case .lasts: clip.lasts = reader.time(entry.value)
      case .until: clip.until = reader.time(entry.value)
      case .keepsPitch: clip.keepsPitch = reader.toggle(entry.value, "whether the pitch is kept") ?? true
      }
    }
    if let until = entries[.until], entries[.lasts] != nil { twoEnds(until) }
    return reader.problems.errorCount == before ? clip : nil
  }

  private mutating func clips(_ document: Document) -> [Manifest.Clip] {
    let keys = ClipKey.allCases.compactMap { TrackClipKey(rawValue: $0.rawValue) }
    return reader.list(document, "clips of movies, each { file: … }")?.compactMap {
      clip($0, as: keys, of: "a clip", "the path of a movie")
    } ?? []
  }

  private mutating func twoEnds(_ until: Document.Entry) {
    reader.problems.error(until.keyPosition, "found 'until' beside 'lasts'; expected one of them")
  }

  private mutating func moves(_ document: Document, _ what: String) -> [Manifest.MixSegment] {
    reader.list(document, what)?.compactMap { move($0) } ?? []
  }

  private mutating func move(_ document: Document) -> Manifest.MixSegment? {
    let before = reader.problems.errorCount
    let entries = reader.entries(document, as: MoveKey.self, of: "the mix of a track")
    let kinds = MoveKey.Kind.allCases.filter { entries[$0.key] != nil }
    guard let kind = kinds.first, kinds.count == 1 else {
      if reader.problems.errorCount == before {
        reader.problems.error(
          document.position,
          "found \(kinds.isEmpty ? "none" : "more than one") of volume, pan, ducking and under; expected one")
      }
      return nil
    }
    for (key, entry) in entries where key != kind.key && !kind.others.contains(key) {
      reader.problems.error(
        entry.keyPosition, "found '\(key.rawValue)' beside '\(kind.key.rawValue)', where it has no meaning")
    }
    let curve = entries[.curve].flatMap { self.curve($0.value) } ?? Automation.Curve.linear
    let law = entries[.panLaw].flatMap {
      reader.choice($0.value, "a pan law", of: PanLaw.self)
    }
    let moved: Manifest.MixSegment? =
      switch kind {
      case .volume:
        ends(entries[.volume], as: { $0.level($1) }).flatMap { ends in
          range(
            (entries[.at], entries[.from], entries[.to]), hasStart: ends.from != nil, document.position
          ).map {
            Manifest.MixSegment(
              .volume(from: ends.from, to: ends.to), in: $0, curve: curve, position: document.position)
          }
        }
      case .pan:
        ends(
          entries[.pan],
          as: { $0.number($1, -1...1, .none, "a pan").map { Float($0) } }
        )
        .flatMap { ends in
          range(
            (entries[.at], entries[.from], entries[.to]), hasStart: ends.from != nil, document.position
          ).map {
            Manifest.MixSegment(
              .pan(from: ends.from, to: ends.to, law: law), in: $0, curve: curve, position: document.position)
          }
        }
      case .ducked:
        ends(entries[.ducking], as: { $0.level($1) }).flatMap { ends in
          range(
            (entries[.at], entries[.from], entries[.to]), hasStart: ends.from != nil, document.position
          ).map {
            Manifest.MixSegment(
              .ducked(from: ends.from, to: ends.to), in: $0, curve: curve, position: document.position)
          }
        }
      case .ducking: ducking(entries, document.position)
      }
    return reader.problems.errorCount == before ? moved : nil
  }

  /// Parses one value, or a list of a start and an end value.
  mutating func ends<Value>(
    _ entry: Document.Entry?, as value: (inout ShapeReader, Document) -> Value?
  ) -> (from: Value?, to: Value)? {
    guard let entry else { return nil }
    guard case .sequence(let items) = entry.value.content else {
      return value(&reader, entry.value).map { (nil, $0) }
    }
    guard items.count == 2 else {
      reader.problems.error(
        entry.value.position, "found a list of \(items.count); expected one value, or two: [ start, end ]")
      return nil
    }
    guard let from = value(&reader, items[0]), let to = value(&reader, items[1]) else { return nil }
    return (from, to)
  }

  /// Parses a time, which becomes an empty range, or a range of time.
  mutating func range(
    _ entries: (at: Document.Entry?, from: Document.Entry?, to: Document.Entry?), hasStart: Bool,
    _ position: TextPosition
  ) -> Range<MediaTime>? {
    switch entries {
    case (let at?, nil, nil) where !hasStart:
      return reader.time(at.value).map { $0..<$0 }
    case (nil, let from?, let to?):
      guard let start = reader.time(from.value), let end = reader.time(to.value) else { return nil }
      guard start < end else {
        reader.problems.error(
          to.value.position, "found an end at \(end), which is not after \(start), where it starts")
        return nil
      }
      return start..<end
    default:
      reader.problems.error(
        position, "expected 'at: TIME' with one value, or 'from: TIME, to: TIME' with one or two")
      return nil
    }
  }

  mutating func curve(_ document: Document) -> Automation.Curve? {
    if let text = document.text, let curve = Automation.Curve(text) { return curve }
    reader.problems.error(
      document.position,
      "found \(document.found); expected linear, dB, exponential, s-curve, equal-power, step or bezier X1 Y1 X2 Y2"
    )
    return nil
  }

  private mutating func ducking(_ entries: [MoveKey: Document.Entry], _ position: TextPosition) -> Manifest
    .MixSegment?
  {
    guard let under = entries[.under].flatMap({ reader.text($0.value, "the name of a track") }) else {
      return nil
    }
    var depth: Double?, lengths: [MoveKey: MediaTime] = [:]
    if let by = entries[.by] { depth = reader.number(by.value, MoveKey.by) }
    for key in [MoveKey.attack, .release, .hold, .ahead] {
      lengths[key] = entries[key].flatMap { reader.time($0.value) }
    }
    do throws(AutomationError) {
      let ducking = try Ducking(
        depth: depth.map { Float($0) } ?? Ducking().depth, attack: lengths[.attack],
        release: lengths[.release],
        hold: lengths[.hold], lookAhead: lengths[.ahead])
      return Manifest.MixSegment(.ducking(under: under, ducking), position: position)
    } catch {
      reader.problems.error(position, "\(error)")
      return nil
    }
  }
}
