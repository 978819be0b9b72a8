// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import Glibc
internal import Swiftlet
internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletManifest
internal import SwiftletSignal

/// The options of `show` for drawing.
struct PlotOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Draw the effect's frequency response, or the sound's waveform, as SVG. An existing picture is replaced.",
      valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var plot: String?

  @Option(help: ArgumentHelp("Draw it with this preset.", valueName: "name"))
  var preset: String?

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp(
      "Draw it with another value, as in 'bands[2].gain=-3dB'. May be repeated.",
      valueName: "parameter=value"))
  var settings: [String] = []

  func validate() throws {
    if plot == nil && (preset != nil || !settings.isEmpty) {
      throw ValidationError("--set and --preset go with --plot")
    }
  }

  /// Draws an effect in stereo with its defaults, the preset and the settings.
  func draw(_ info: ProcessorInfo, to path: String) throws {
    guard info.origin == .builtIn else { throw nothingToDraw(info.id) }
    let settings = try parsed(for: info.id)
    var bandCount = info.bands?.defaultCount
    if let bands = info.bands {
      let named = settings.compactMap { Self.band($0.parameter, bands.symbol) }.max() ?? 0
      bandCount = min(max(named, bands.defaultCount), bands.count.upperBound)
    }
    let engine = try AudioEngine(.offline(sampleRate: Catalogue.usualRate))
    let node = try engine.attach(.effect(info.id, bands: bandCount), name: info.id)
    try set(node, settings)
    try draw(node, title: info.name, to: path)
  }

  /// Draws a node of a manifest with its initial values, the preset and the settings.
  func draw(_ word: NodeWord, to path: String, _ console: Console) throws {
    let file = ManifestFinder.path(of: word.manifest)
    guard !isSameFile(file, path) else {
      throw Failure(.badCommandLine, "--plot: '\(path)' is the manifest itself; name another file")
    }
    let manifest = try ManifestText(contentsOf: file).resolve(console)
    guard let index = manifest.nodes.firstIndex(where: { $0.name == word.node }) else {
      throw word.missing(among: manifest.nodes.map(\.name))
    }
    let settings = try parsed(for: word.node)
    let session: Session
    do throws(EngineError) {
      var options = Session.Options()
      options.records = false
      session = try Session(manifest, on: .offline(sampleRate: Catalogue.usualRate), options)
    } catch {
      throw Failure(error, in: manifest, file: file)
    }
    let node = session.nodes[index]
    try set(node, settings)
    try draw(node, title: "\(manifest.name): \(word.node)", to: path)
  }

  /// Draws the waveform of a sound file.
  func draw(_ page: SoundPage, to path: String) throws {
    guard preset == nil, settings.isEmpty else {
      throw Failure(
        .badCommandLine, "--set and --preset are for effects; '\(page.info.path.shortened())' is a sound file"
      )
    }
    guard !isSameFile(page.info.path, path) else {
      throw Failure(.badCommandLine, "--plot: '\(path)' is the sound file itself; name another file")
    }
    try put(page.picture().svg, in: path)
  }

  private func draw(_ node: AudioNode, title: String, to path: String) throws {
    guard let picture = ResponsePicture(node, title: title) else { throw nothingToDraw(node.name) }
    try put(picture.svg, in: path)
  }

  /// Writes the picture. The path must end in `.svg`, unless it is a device.
  private func put(_ svg: String, in path: String) throws {
    var status = stat()
    let isDevice = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    guard isDevice || path.lowercased().hasSuffix(".svg") else {
      throw Failure(.badCommandLine, "--plot: the picture is SVG; end '\(path.shortened())' in .svg")
    }
    try TextFile.replace(path, with: svg)
  }

  private func nothingToDraw(_ name: String) -> Failure {
    Failure(.badInput, "'\(name.shortened())' has no frequency response to draw: it does more than filter")
  }

  /// Loads the preset, then applies the settings.
  private func set(_ node: AudioNode, _ settings: [Setting]) throws {
    if let preset { try load(preset, of: node) }
    let parameters = node.parameterInfos
    for setting in settings {
      let (parameter, value) = try setting.resolved(among: parameters)
      try node.set(parameter.symbol, to: Float(value))
    }
  }

  private func load(_ preset: String, of node: AudioNode) throws {
    do throws(EngineError) {
      try node.load(preset: preset)
    } catch {
      switch error {
      // Unknown presets have the same status as unknown parameters of `--set`: a wrong command line.
      case .unknownPreset, .plugin(.unknownPreset): throw Failure(.badCommandLine, "--preset: \(error)")
      default: throw error
      }
    }
  }

  private func parsed(for node: String) throws -> [Setting] {
    try settings.map { word in
      guard let setting = Setting("\(node).\(word)") else {
        throw Failure(
          .badCommandLine, "--set: expected parameter=value, as in gain=-3dB; found '\(word.shortened())'")
      }
      return setting
    }
  }

  /// Returns the band's number, such as 2 for `bands[2].gain`.
  private static func band(_ parameter: String, _ symbol: String) -> Int? {
    guard parameter.hasPrefix("\(symbol)[") else { return nil }
    return Int(parameter.dropFirst(symbol.count + 1).prefix { $0 != "]" })
  }
}
