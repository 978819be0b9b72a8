// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletGraph
internal import SwiftletManifest

/// `swiftlet show`: describes an effect, a plugin or a sound file.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the parameters of an effect or plugin, or the properties of a sound file.",
    discussion: """
      Of an effect or plugin it shows buses, parameters and presets. Parameters are given as a manifest writes \
      them: symbol, range, unit and default. Of a sound file it shows length, format and tags.

      With --plot an effect that only filters is drawn: a bold line for the whole and a thin one for each band. A \
      node of a manifest, named as in vocal.yaml:tone, is drawn as it is set there. Of a sound file the waveform is \
      drawn.
      """)

  @Argument(
    help:
      "An effect's name, a plugin's URI or name, a manifest's node as in vocal.yaml:tone, or a sound file.")
  var name: String

  @OptionGroup var picture: PlotOptions

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if json && picture.plot != nil { throw ValidationError("--json and --plot exclude each other") }
  }

  func run() throws {
    let catalogue = Catalogue(), word = NodeWord(name)
    if let plot = picture.plot, let word { return try picture.draw(word, to: plot, common.console) }
    // The name of a built-in effect takes precedence over a file with the same name.
    if word == nil, !catalogue.hasEffect(name), let path = SoundPage.path(name) {
      return try show(sound: path)
    }
    let info = try word.map(info(of:)) ?? catalogue.info(of: name)
    if let plot = picture.plot { return try picture.draw(info, to: plot) }
    let (latency, programs) = catalogue.inspect(info)
    let results = Results()
    if json {
      try results.json(JSONValue(info, latency: latency, programs))
    } else {
      for line in CatalogueText.page(info, latency: latency, programs, style: common.resultStyle) {
        try results.line(line)
      }
    }
  }

  /// Prints the description of a sound file, or draws it.
  private func show(sound path: String) throws {
    let page = try SoundPage(path)
    if let plot = picture.plot { return try picture.draw(page, to: plot) }
    let results = Results()
    if json { return try results.json(page.json) }
    for line in page.lines(style: common.resultStyle) { try results.line(line) }
  }

  /// Returns the description of the effect or plugin of a manifest's node.
  private func info(of word: NodeWord) throws -> ProcessorInfo {
    let path = ManifestFinder.path(of: word.manifest)
    let manifest = try ManifestText(contentsOf: path).resolve(common.console)
    guard let node = manifest.nodes.first(where: { $0.name == word.node }) else {
      throw word.missing(among: manifest.nodes.map(\.name))
    }
    switch node.kind {
    case .effect(let info), .plugin(let info): return info
    default: throw Failure(.badInput, "'\(word.node)' is neither an effect nor a plugin")
    }
  }
}
