// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletGraph
internal import SwiftletLV2

extension ManifestText {
  /// Reads and checks the manifest, and reports all errors at once.
  ///
  /// Relative paths are relative to the manifest's file. The default client name is made from the file's name.
  ///
  /// - Throws: All errors, together with the warnings, in the order of the text.
  public func check(against catalog: ManifestCatalog = .thisMachine) throws(ManifestError) -> ResolvedManifest
  {
    let path = ManifestPath(Self.openDescriptor(file) == nil ? file : "stdin")
    return try Checker.resolve(
      Draft(self), against: catalog, name: ClientName.made(from: path.stem), directory: path.directory)
  }
}

extension Manifest {
  /// Checks a manifest that the program has created.
  ///
  /// - Parameters:
  ///   - catalog: The available effects, plugins and files. The default is this machine's.
  ///   - file: The manifest's name in messages.
  ///   - directory: The folder for relative paths; empty for the current directory.
  /// - Throws: All errors, together with the warnings.
  public func check(
    against catalog: ManifestCatalog = .thisMachine, file: String, directory: String = ""
  ) throws(ManifestError) -> ResolvedManifest {
    try Checker.resolve(Draft(self, file: file), against: catalog, name: "swiftlet", directory: directory)
  }
}

/// Resolves all names of a manifest, and collects errors and warnings.
struct Checker {
  let catalog: ManifestCatalog
  let directory: String
  let manifest: Manifest
  var problems: Problems
  /// The names of nodes with errors. References to them are not reported.
  var unclear: Set<String>
  /// The resolved tracks of the timeline.
  var tracks: [String: ResolvedTrack] = [:]
  var nodes: [ResolvedManifest.Node] = []
  var nodeIndices: [String: Int] = [:]
  /// The source of each resolved node.
  var sources: [Manifest.Node] = []
  var wires: [ResolvedManifest.Wire] = []
  /// The source of each resolved wire.
  var wireSources: [Manifest.Wire] = []
  /// The ends of each resolved wire.
  var wireEnds: Set<[ResolvedManifest.End]> = []
  var taps: [ResolvedManifest.Tap] = []
  var lanes: [ResolvedManifest.Lane] = []

  static func resolve(
    _ draft: Draft, against catalog: ManifestCatalog, name: String, directory: String
  ) throws(ManifestError) -> ResolvedManifest {
    var checker = Checker(
      catalog: catalog, directory: directory, manifest: draft.manifest, problems: draft.problems,
      unclear: draft.unclear)
    checker.resolveTracks()
    let video = checker.resolvedVideo()
    for node in draft.manifest.nodes { checker.add(node) }
    for wire in draft.manifest.wires { checker.add(wire) }
    let routes = Routes(nodeCount: checker.nodes.count, wires: checker.wires)
    checker.checkLoops(routes)
    checker.settleWidths(routes)
    checker.checkChannels()
    for lane in draft.manifest.lanes { checker.add(lane) }
    let master = checker.declicked(checker.mix(of: draft.manifest.master)) ?? TrackMix()
    checker.warnOfIdleSettings()
    checker.warnOfDoubledSound()
    checker.tryEffects()
    for tap in draft.manifest.taps { checker.add(tap) }
    checker.checkTakes()
    checker.checkSession()
    if !checker.problems.hasErrors { checker.findUnused() }
    let problems = checker.problems.sorted
    guard !checker.problems.hasErrors else { throw ManifestError(problems) }
    return ResolvedManifest(
      name: draft.manifest.name ?? name, blockLength: draft.manifest.blockLength,
      session: draft.manifest.session,
      tempo: draft.manifest.tempo, nodes: checker.nodes, wires: checker.wires,
      taps: checker.taps, video: video, transport: checker.transport, lanes: checker.lanes, master: master,
      warnings: problems)
  }
}

extension Checker {
  /// Resolves a node: its kind, its values, and its buses except widths that depend on wires.
  private mutating func add(_ source: Manifest.Node) {
    guard nodeIndices[source.name] == nil, !unclear.contains(source.name) else {
      problems.error(source.position, "found a second node '\(source.name)'; expected each name once")
      return
    }
    guard var node = resolved(source) else {
      unclear.insert(source.name)
      return
    }
    node.isBypassed = source.isBypassed
    node.stretch = source.stretch
    if let algorithm = source.algorithm { node.algorithm = self.algorithm(algorithm, node) }
    node.gain = source.gain
    node.ceiling = source.ceiling
    node.connection = source.connection
    if case .effect(let info) = node.kind {
      name(source.files, info, on: &node)
      set(source, info, on: &node)
    }
    if case .plugin(let info) = node.kind {
      let isolation = source.isolation ?? manifest.isolation
      if isolation != .none {
        node.isAlone = isolation == .alone
        node.isolation = PluginIsolation(
          onFailure: source.onFailure ?? .mute, deadline: source.deadline.map { $0 / 1000 })
      } else if source.onFailure != nil || source.deadline != nil {
        let key = source.onFailure == nil ? NodeKey.deadline : .onFailure
        problems.warning(
          source.position,
          "'\(key.rawValue)' of '\(source.name)' has no effect, since its plugin is not isolated")
      }
      if let use = source.programChange { change(programsBy: use, info, source, on: &node) }
      if let state = source.state { node.state = self.state(state, of: info.id) }
      set(source, info, on: &node)
    }
    checkConnection(source, node)
    nodeIndices[source.name] = nodes.count
    nodes.append(node)
    sources.append(source)
  }

  private mutating func resolved(_ source: Manifest.Node) -> ResolvedManifest.Node? {
    func node(
      _ kind: ResolvedManifest.Kind, inputs: [ResolvedManifest.Bus] = [], outputs: [ResolvedManifest.Bus] = []
    ) -> ResolvedManifest.Node {
      ResolvedManifest.Node(
        name: source.name, kind: kind, inputs: inputs, outputs: outputs, position: source.position)
    }
    let sound = { (symbol: String, channels: Int) in
      ResolvedManifest.Bus(symbol: symbol, format: .audio(channels: channels))
    }
    let events = ResolvedManifest.Bus(symbol: "events", format: .events)
    switch source.kind {
    case .capture(let channels): return node(.capture, outputs: [sound("out", channels)])
    case .playback(let channels): return node(.playback, inputs: [sound("in", channels)])
    case .midiIn: return node(.midiIn, outputs: [events])
    case .midiOut: return node(.midiOut, inputs: [events])
    case .mixer(let channels):
      return node(.mixer, inputs: [sound("in", channels)], outputs: [sound("out", channels)])
    case .player(let file):
      let path = ManifestPath.joined(directory, file.text)
      switch catalog.player(path) {
      case .sound(_, .zero):
        problems.error(
          file.position, "found the sound file '\(Document.short(path))', which has a length of 0 frames")
        return nil
      case .sound(let channels, _):
        return node(.player(path: path, loop: source.loop), outputs: [sound("out", channels)])
      case .problem(let reason, let remedy):
        problems.error(
          file.position, "found the sound file '\(Document.short(path))', which \(reason)", remedy: remedy)
        return nil
      }
    case .track(let track):
      guard let resolved = tracks[source.name], let mix = mix(of: track, source.name) else { return nil }
      guard track.volume >= 0, track.volume.isFinite else {
        problems.error(source.position, "\(CompositionError.badVolume(track.volume))")
        return nil
      }
      let channels = mix.pan == Automation(0) ? resolved.channelCount : max(resolved.channelCount, 2)
      return node(
        .track(
          Track(
            TrackID(source.name), isEnabled: track.isEnabled, volume: track.volume,
            segments: resolved.segments),
          mix: mix),
        outputs: [sound("out", channels)])
    case .effect(let name):
      guard let info = catalog.effect(name.text) else {
        problems.unknown(
          name.position, "found no effect '\(Document.short(name.text))'", name.text,
          among: catalog.effectNames)
        return nil
      }
      return node(.effect(info), inputs: Widths.buses(info.inputs), outputs: Widths.buses(info.outputs))
    case .lv2(let uri):
      return plugin(uri).map {
        node(.plugin($0), inputs: Widths.buses($0.inputs), outputs: Widths.buses($0.outputs))
      }
    }
  }

  /// Returns the stretch algorithm of a player, or of an effect that has a choice; nil after reporting an error.
  private mutating func algorithm(_ asked: Manifest.Text, _ node: ResolvedManifest.Node) -> StretchAlgorithm?
  {
    var names = StretchAlgorithm.allCases.map(\.rawValue)
    if case .effect(let info) = node.kind { names = info.algorithms }
    guard !names.isEmpty else {
      problems.error(
        asked.position,
        "found the algorithm '\(Document.short(asked.text))' in 'engine'; '\(node.name)' has no choice of algorithms"
      )
      return nil
    }
    guard names.contains(asked.text), let algorithm = StretchAlgorithm(rawValue: asked.text) else {
      problems.unknown(
        asked.position, "'\(node.name)' has no stretch algorithm '\(Document.short(asked.text))'", asked.text,
        among: names)
      return nil
    }
    guard catalog.algorithms.contains(algorithm) else {
      problems.error(
        asked.position,
        "'\(node.name)' needs the stretch algorithm '\(algorithm)': \(StretchAlgorithm.howToBuild)")
      return nil
    }
    return algorithm
  }

  private mutating func change(
    programsBy use: ProgramChangeUse, _ info: ProcessorInfo, _ source: Manifest.Node,
    on node: inout ResolvedManifest.Node
  ) {
    node.programChange = use
    guard use == .preset else { return }
    let lack =
      if !info.inputs.contains(where: { $0.content == .events }) {
        "takes no MIDI"
      } else if info.presets.isEmpty, !info.hasPrograms {
        "has no presets"
      } else {
        ""
      }
    guard !lack.isEmpty else { return }
    problems.warning(
      source.position,
      "'\(NodeKey.programChange.rawValue)' of '\(source.name)' has no effect, since its plugin \(lack)")
  }

  private mutating func plugin(_ uri: Manifest.Text) -> ProcessorInfo? {
    guard let info = catalog.plugin(uri.text) else {
      let near = NearestName.nearest(to: uri.text, among: catalog.pluginURIs())
      let hint = near.map { "did you mean '\($0)'?" } ?? "check its URI"
      problems.error(
        uri.position, "found no installed plugin '\(Document.short(uri.text))'; \(hint)",
        remedy: near == nil ? .pluginList : nil)
      for reason in catalog.unreadableBundles() {
        problems.warning(uri.position, "a bundle of plugins cannot be read and is ignored: \(reason)")
      }
      return nil
    }
    if let reason = info.refusal ?? catalog.libraryFault(uri.text) {
      problems.error(uri.position, "found the plugin '\(info.name)', which cannot be used: \(reason)")
      return nil
    }
    return info
  }

  /// Warns about more ports than channels. One channel may go to several ports.
  private mutating func checkConnection(_ source: Manifest.Node, _ node: ResolvedManifest.Node) {
    guard let channels = (node.inputs + node.outputs).first?.format.channelCount, channels > 1 else { return }
    for case .ports(let names) in source.connection?.alternatives ?? [] where names.count > channels {
      problems.warning(
        source.position,
        "'\(source.name)' is connected to \(names.count) ports and has \(channels) channels; the last are left out"
      )
    }
  }
}
