// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
public import Swiftlet

extension Manifest {
  /// A manifest that plays a composition, as a mix says: its tracks, wired to a stereo way out called `desk`.
  ///
  /// Its ``yaml`` is the composition as people read and edit it; ``ResolvedManifest/composition()`` and
  /// ``ResolvedManifest/mix()`` lead back.
  ///
  /// - Parameters:
  ///   - tempo: how bars and beats lie in time, for whoever goes on writing.
  ///   - catalog: what is known of the effects whose parameters the mix moves.
  /// - Throws: all that a manifest cannot say, as ``setTimeline(_:mix:against:)``.
  public init(
    _ composition: Composition, mix: AudioMix = AudioMix(), tempo: TempoMap? = nil,
    against catalog: ManifestCatalog = .thisMachine
  ) throws(ManifestError) {
    var desk = "desk"
    while composition.track(TrackID(desk)) != nil { desk += "-out" }
    self.init(tempo: tempo, nodes: [Node(desk, .playback(2))])
    try setTimeline(composition, mix: mix, against: catalog)
    wires = composition.tracks.map { Wire(from: End($0.id.name), to: End(desk)) }
  }

  /// Puts the tracks and the picture of a composition in place of those that are there, and a mix in place of all
  /// that moved, but for lanes of wires. Other nodes and all wires stay; tempo and transport do, too.
  ///
  /// Where a track makes room for another one as ``Ducking/init()`` does, it says so by that one's name, and goes on
  /// to do so wherever its pieces are moved.
  ///
  /// - Parameter catalog: what is known of the effects whose parameters the mix moves.
  /// - Throws: all that a manifest cannot say: names that are no lower-case words, or that other nodes have; volumes
  ///   above 15.8; ducking of nodes that are no tracks. Then nothing has changed.
  public mutating func setTimeline(
    _ composition: Composition, mix: AudioMix = AudioMix(), against catalog: ManifestCatalog = .thisMachine
  ) throws(ManifestError) {
    var writer = TimelineMaker(composition, nodes: nodes.filter { !$0.isTrack }, catalog: catalog)
    let tracks = composition.tracks.map { writer.node($0, mix[$0.id]) }
    let video = composition.video.clips.map { Piece($0) }
    let master = writer.moves(mix.master, of: "master")
    let moving = writer.lanes(of: mix)
    guard writer.problems.isEmpty else { throw ManifestError(writer.problems) }
    let ofWires = lanes.filter { if case .wire = $0.target { true } else { false } }
    nodes = writer.nodes + tracks
    (self.video, self.master, lanes) = (video, master, moving + ofWires)
  }
}

extension Manifest.Piece {
  /// A piece whose times are all said, so that it means the same wherever it stands.
  fileprivate init(_ segment: Segment) {
    let (source, place) = (segment.source, segment.place)
    let isAsLong = place.lowerBound + (source.upperBound - source.lowerBound) == place.upperBound
    self.init(
      Manifest.Text(segment.asset.path), from: source.lowerBound, to: source.upperBound, at: place.lowerBound,
      until: isAsLong ? nil : place.upperBound, keepsPitch: segment.keepsPitch)
  }
}

/// Says a composition and its mix as a manifest does, and notes what cannot be said.
private struct TimelineMaker {
  let composition: Composition
  /// All that is no track.
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
    return Manifest.Node(
      name,
      .track(
        Manifest.Track(
          track.segments.map { Manifest.Piece($0) }, mix: moves(mix, of: name), isEnabled: track.isEnabled,
          volume: track.volume)))
  }

  /// What a mix says of a track, or of all.
  mutating func moves(_ mix: TrackMix, of name: String) -> [Manifest.Move] {
    check(Self.values(mix.volume, usually: 1), "a volume of '\(Document.short(name))'")
    for pan in Self.values(mix.pan, usually: 0) where !(-1...1 ~= pan) {
      note("found a pan of \(pan) of '\(Document.short(name))'; expected -1 to 1")
    }
    var moves = Self.moves(mix.volume, usually: 1) { .volume(from: $0, to: $1) }
    var pans = Self.moves(mix.pan, usually: 0) { .pan(from: $0, to: $1, law: nil) }
    // One law for all of them, so it is said once.
    if mix.panLaw != .usual, case .pan(let from, let to, _)? = pans.first?.kind {
      pans[0].kind = .pan(from: from, to: to, law: mix.panLaw)
    }
    moves += pans
    guard let ducking = mix.ducking else { return moves }
    let voice = composition.tracks.first { other in
      other.isEnabled && other.id.name != name && !other.segments.isEmpty
        && Ducking().automation(under: other.segments.map(\.place)) == ducking
    }
    if let voice {
      return moves + [Manifest.Move(.ducking(under: Manifest.Text(voice.id.name), Ducking()))]
    }
    check(Self.values(ducking, usually: 1), "a ducking of '\(Document.short(name))'")
    return moves + Self.moves(ducking, usually: 1) { .ducked(from: $0, to: $1) }
  }

  /// The parameters that move, and the levels of nodes that are no tracks.
  mutating func lanes(of mix: AudioMix) -> [Manifest.Lane] {
    var lanes = mix.lanes.sorted { $0.key.description < $1.key.description }.map { path, lane in
      let info = parameter(path), usual = initial(of: path, info)
      return Manifest.Lane(
        .node(Manifest.Text(path.node), parameter: path.parameter),
        Self.turns(lane, usually: usual) { Self.text($0, info) })
    }
    for (id, said) in mix.tracks.sorted(by: { $0.key < $1.key }) where composition.track(id) == nil {
      if said.ducking != nil {
        note(
          "found a ducking of '\(Document.short(id.name))', which is no track; expected a track that makes room"
        )
      }
      if said.panLaw != .usual, said.pan != Automation(0) {
        note(
          "found a pan law of '\(Document.short(id.name))', which is no track; expected one of a track or a wire"
        )
      }
      for (symbol, lane, usual) in [(Checker.volume, said.volume, Float(1)), (Checker.pan, said.pan, 0)]
      where lane != Automation(usual) {
        lanes.append(
          Manifest.Lane(
            .node(Manifest.Text(id.name), parameter: symbol),
            Self.turns(lane, usually: usual) { Self.text($0, nil) }))
      }
    }
    return lanes.filter { !$0.turns.isEmpty }
  }

  private mutating func check(_ values: [Float], _ what: String) {
    for value in values where !Limits.factor.contains(Self.exact(value)) {
      note("found \(what) of \(value); expected a factor from 0 to \(Quantity(Limits.factor.upperBound))")
    }
  }

  private static func exact(_ value: Float) -> Double { Double("\(value)") ?? Double(value) }
}

extension TimelineMaker {
  /// The steps and ways of an automation, the first from where it is before all that is said.
  private static func steps(_ automation: Automation, usually usual: Float?) -> [Automation.Entry] {
    let isSaid = automation.entries.first?.range.lowerBound == .zero || automation.initial == usual
    var first = Automation(automation.initial)
    // A finite value at the start is never refused.
    if !isSaid { try? first.set(automation.initial, at: .zero) }
    return first.entries + automation.entries
  }

  private static func values(_ automation: Automation, usually usual: Float) -> [Float] {
    steps(automation, usually: usual).flatMap { [$0.from, $0.to] }
  }

  private static func moves(
    _ automation: Automation, usually usual: Float, _ kind: (Float?, Float) -> Manifest.Move.Kind
  ) -> [Manifest.Move] {
    steps(automation, usually: usual).map { entry in
      Manifest.Move(kind(entry.isRamp ? entry.from : nil, entry.to), in: entry.range, curve: entry.curve)
    }
  }

  private static func turns(
    _ automation: Automation, usually usual: Float?, _ text: (Float) -> String
  ) -> [Manifest.Turn] {
    steps(automation, usually: usual).map { entry in
      Manifest.Turn(
        from: entry.isRamp ? Manifest.Text(text(entry.from)) : nil, to: Manifest.Text(text(entry.to)),
        in: entry.range, curve: entry.curve)
    }
  }

  /// A value as `set` takes it.
  private static func text(_ value: Float, _ parameter: ParameterInfo?) -> String {
    switch parameter?.curve {
    case .toggle: value > 0 ? "true" : "false"
    case .choice: parameter?.choices.first { $0.value == value }?.name ?? "\(value)"
    case .integer, .linear, .logarithmic, nil: "\(Quantity(exact(value)))"
    }
  }

  /// What is known of a parameter of an effect or a plugin.
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

  /// Where a value stands before anything is said of it; nil where the manifest alone does not tell.
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
