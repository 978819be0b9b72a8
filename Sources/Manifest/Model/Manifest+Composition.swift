// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
public import Swiftlet

extension Manifest {
  /// Creates a manifest that plays a composition with a mix: a node for each track, wired to a stereo playback node
  /// named `desk`.
  ///
  /// Its ``yaml`` is the composition in a readable and editable form. ``ResolvedManifest/composition()`` and
  /// ``ResolvedManifest/mix()`` convert it back.
  ///
  /// - Parameters:
  ///   - composition: The composition.
  ///   - mix: The mix.
  ///   - tempo: The tempo map. It does not change the clips' times.
  ///   - catalog: The descriptions of the effects whose parameters the mix automates.
  /// - Throws: The errors of ``setTimeline(_:mix:against:)``.
  public init(
    _ composition: Composition, mix: AudioMix = AudioMix(), tempo: TempoMap? = nil,
    against catalog: ManifestCatalog = .thisMachine
  ) throws(ManifestError) {
    var output = "desk"
    while composition.track(TrackID(output)) != nil { output += "-out" }
    self.init(tempo: tempo, nodes: [Node(output, .playback(2))])
    try setTimeline(composition, mix: mix, against: catalog)
    wires = composition.tracks.map { Wire(from: End($0.id.name), to: End(output)) }
  }

  /// Replaces the tracks, the video and all automation except lanes of wires by those of a composition and a mix.
  /// Other nodes, wires, tempo and transport stay.
  ///
  /// If one track ducks under another with the values of ``Ducking/init()``, the manifest refers to the other track
  /// by name, so that the ducking follows later changes of its clips.
  ///
  /// - Parameters:
  ///   - composition: The composition.
  ///   - mix: The mix.
  ///   - catalog: The descriptions of the effects whose parameters the mix automates.
  /// - Throws: Everything that a manifest cannot express: names that are no lower-case words or that other nodes
  ///   have, volumes above 15.8, ducking of nodes that are no tracks. Then the manifest is unchanged.
  public mutating func setTimeline(
    _ composition: Composition, mix: AudioMix = AudioMix(), against catalog: ManifestCatalog = .thisMachine
  ) throws(ManifestError) {
    var writer = TimelineMaker(composition, nodes: nodes.filter { !$0.isTrack }, catalog: catalog)
    let tracks = composition.tracks.map { writer.node($0, mix[$0.id]) }
    let video = composition.video.clips.map { Clip($0) }
    let master = writer.moves(mix.master, of: "master")
    let moving = writer.lanes(of: mix)
    guard writer.problems.isEmpty else { throw ManifestError(writer.problems) }
    let ofWires = lanes.filter { if case .wire = $0.target { true } else { false } }
    nodes = writer.nodes + tracks
    (self.video, self.master, lanes) = (video, master, moving + ofWires)
    declick = mix.declick
  }
}

extension Manifest.Clip {
  /// Creates a clip with explicit times, which do not depend on the clip before.
  fileprivate init(_ segment: Segment) {
    let (source, range) = (segment.source, segment.range)
    let isAsLong = range.lowerBound + (source.upperBound - source.lowerBound) == range.upperBound
    self.init(
      Manifest.Text(segment.asset.path), from: source.lowerBound, to: source.upperBound, at: range.lowerBound,
      until: isAsLong ? nil : range.upperBound, keepsPitch: segment.keepsPitch)
  }
}

/// Converts a composition and its mix to a manifest's parts, and collects what a manifest cannot express.
private struct TimelineMaker {
  let composition: Composition
  /// All nodes but tracks.
  let nodes: [Manifest.Node]
  let catalog: ManifestCatalog
  private(set) var problems: [Problem] = []

  init(_ composition: Composition, nodes: [Manifest.Node], catalog: ManifestCatalog) {
    self.composition = composition
    self.nodes = nodes
    self.catalog = catalog
  }

  private mutating func note(_ message: String) {
    problems.append(Problem(file: "composition", message: message))
  }

  mutating func node(_ track: Track, _ mix: TrackMix) -> Manifest.Node {
    let name = track.id.name
    if !Word.isValid(name) {
      let better = Word.made(from: name).map { "; '\($0)' would do" } ?? ""
      note("found the track '\(Document.short(name))'; a manifest's names are \(Word.expected)\(better)")
    }
    if nodes.contains(where: { $0.name == name }) {
      note("found the track '\(name)', and a node of that name; expected each name once")
    }
    check([track.volume], "the volume of '\(name)'")
    var made = Manifest.Track(
      track.segments.map { Manifest.Clip($0) }, mix: moves(mix, of: name), isEnabled: track.isEnabled,
      volume: track.volume)
    made.declick = mix.declick
    return Manifest.Node(name, .track(made))
  }

  /// Returns the automation of a track's mix, or of the master's.
  mutating func moves(_ mix: TrackMix, of name: String) -> [Manifest.MixSegment] {
    check(Self.values(mix.volume, usually: 1), "a volume of '\(Document.short(name))'")
    for pan in Self.values(mix.pan, usually: 0) where !(-1...1 ~= pan) {
      note("found a pan of \(pan) of '\(Document.short(name))'; expected -1 to 1")
    }
    var moves = Self.moves(mix.volume, usually: 1) { .volume(from: $0, to: $1) }
    var pans = Self.moves(mix.pan, usually: 0) { .pan(from: $0, to: $1, law: nil) }
    // The law applies to all pans of the track, so the first one states it.
    if mix.panLaw != .usual, case .pan(let from, let to, _)? = pans.first?.kind {
      pans[0].kind = .pan(from: from, to: to, law: mix.panLaw)
    }
    moves += pans
    guard let ducking = mix.ducking else { return moves }
    let voice = composition.tracks.first { other in
      other.isEnabled && other.id.name != name && !other.segments.isEmpty
        && Ducking().automation(under: other.segments.map(\.range)) == ducking
    }
    if let voice {
      return moves + [Manifest.MixSegment(.ducking(under: Manifest.Text(voice.id.name), Ducking()))]
    }
    check(Self.values(ducking, usually: 1), "a ducking of '\(Document.short(name))'")
    return moves + Self.moves(ducking, usually: 1) { .ducked(from: $0, to: $1) }
  }

  /// Returns the lanes of parameters, and of volumes and pans of nodes that are no tracks.
  mutating func lanes(of mix: AudioMix) -> [Manifest.Lane] {
    var lanes = mix.lanes.sorted { $0.key.description < $1.key.description }.map { path, lane in
      let info = parameter(path), usual = initial(of: path, info)
      return Manifest.Lane(
        .node(Manifest.Text(path.node), parameter: path.parameter),
        Self.segments(lane, usually: usual) { Self.text($0, info) })
    }
    for (id, trackMix) in mix.tracks.sorted(by: { $0.key < $1.key }) where composition.track(id) == nil {
      if trackMix.ducking != nil {
        note(
          "found a ducking of '\(Document.short(id.name))', which is not a track; expected a track that ducks"
        )
      }
      if trackMix.panLaw != .usual, trackMix.pan != Automation(0) {
        note(
          "found a pan law of '\(Document.short(id.name))', which is not a track; expected a pan law of a track or wire"
        )
      }
      for (symbol, lane, usual) in [
        (Checker.volume, trackMix.volume, Float(1)), (Checker.pan, trackMix.pan, 0),
      ]
      where lane != Automation(usual) {
        lanes.append(
          Manifest.Lane(
            .node(Manifest.Text(id.name), parameter: symbol),
            Self.segments(lane, usually: usual) { Self.text($0, nil) }))
      }
    }
    return lanes.filter { !$0.segments.isEmpty }
  }

  private mutating func check(_ values: [Float], _ what: String) {
    for value in values where !Limits.factor.contains(Self.exact(value)) {
      note("found \(what) of \(value); expected a factor from 0 to \(Quantity(Limits.factor.upperBound))")
    }
  }

  private static func exact(_ value: Float) -> Double { Double("\(value)") ?? Double(value) }
}

extension TimelineMaker {
  /// Returns the entries of an automation. The first one sets the initial value, unless that is the default or an
  /// entry at zero sets it.
  private static func steps(_ automation: Automation, usually usual: Float?) -> [Automation.Entry] {
    let isStated = automation.entries.first?.range.lowerBound == .zero || automation.initial == usual
    var first = Automation(automation.initial)
    // A finite value at zero never throws.
    if !isStated { try? first.set(automation.initial, at: .zero) }
    return first.entries + automation.entries
  }

  private static func values(_ automation: Automation, usually usual: Float) -> [Float] {
    steps(automation, usually: usual).flatMap { [$0.from, $0.to] }
  }

  private static func moves(
    _ automation: Automation, usually usual: Float, _ kind: (Float?, Float) -> Manifest.MixSegment.Kind
  ) -> [Manifest.MixSegment] {
    steps(automation, usually: usual).map { entry in
      Manifest.MixSegment(
        kind(entry.isRamp ? entry.from : nil, entry.to), in: entry.range, curve: entry.curve)
    }
  }

  private static func segments(
    _ automation: Automation, usually usual: Float?, _ text: (Float) -> String
  ) -> [Manifest.LaneSegment] {
    steps(automation, usually: usual).map { entry in
      Manifest.LaneSegment(
        from: entry.isRamp ? Manifest.Text(text(entry.from)) : nil, to: Manifest.Text(text(entry.to)),
        in: entry.range, curve: entry.curve)
    }
  }

  /// Returns a value in the syntax of `set`.
  private static func text(_ value: Float, _ parameter: ParameterInfo?) -> String {
    switch parameter?.curve {
    case .toggle: value > 0 ? "true" : "false"
    case .choice: parameter?.choices.first { $0.value == value }?.name ?? "\(value)"
    case .integer, .linear, .logarithmic, nil: "\(Quantity(exact(value)))"
    }
  }

  /// Returns the description of a parameter of an effect or plugin; nil if it is unknown.
  private func parameter(_ path: ParameterPath) -> ParameterInfo? {
    let info: ProcessorInfo? =
      switch nodes.first(where: { $0.name == path.node })?.kind {
      case .effect(let name): catalog.effect(name.text)
      case .lv2(let uri): catalog.plugin(uri.text)
      case .capture, .playback, .midiIn, .midiOut, .mixer, .player, .track, nil: nil
      }
    guard let info else { return nil }
    if let known = info.parameters.first(where: { $0.symbol == path.parameter }) { return known }
    return info.bands?.parameters.first { path.parameter.hasSuffix("].\($0.symbol)") }
  }

  /// Returns the value of a parameter before its first lane entry; nil if the manifest alone does not determine it.
  private func initial(of path: ParameterPath, _ parameter: ParameterInfo?) -> Float? {
    let node = nodes.first { $0.name == path.node }
    guard let parameter else {
      return path.parameter == Checker.volume ? 1 : path.parameter == Checker.pan ? 0 : nil
    }
    guard node?.preset == nil, parameter.symbol == path.parameter else { return nil }
    guard let set = node?.settings.first(where: { $0.parameter.text == path.parameter }) else {
      return parameter.initial
    }
    guard case .text(let text) = set.value else { return nil }
    return try? Checker.read(text.text, as: parameter).get()
  }
}
