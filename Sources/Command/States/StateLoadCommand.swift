// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import Foundation
internal import SwiftletLV2
internal import SwiftletManifest

/// `swiftlet state load`: adds a state to a plugin's node in a manifest.
struct StateLoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "Set the initial state of a plugin in a manifest.",
    discussion: """
      Writes a copy of the manifest that has the key 'state' at the node; all else stays, comments included. The copy \
      goes to standard output, or to the file of --output. Write that file into the manifest's folder, since paths are \
      relative to it. The node's preset and parameters are applied after its state.
      """)

  @Argument(help: "The folder of the state.", completion: .directory)
  var folder: String

  @Option(
    help: ArgumentHelp("The manifest: a file, or the name of an installed one.", valueName: "manifest"),
    completion: .file(extensions: ["yaml", "yml"]))
  var into: String

  @Option(
    help: ArgumentHelp("The node; default: the one whose plugin the state is for.", valueName: "node"))
  var node: String?

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The output file; default: standard output.", valueName: "file"),
    completion: .file(extensions: ["yaml"]))
  var output: String?

  @OptionGroup var common: CommonOptions

  func run() throws {
    guard case let states = try StateFolder.requireStates(in: folder), states[0].node == nil else {
      throw Failure(.badInput, "'\(folder)' holds several states; name the folder of one, such as '\(first)'")
    }
    let contents = try StateContents(folder: folder)
    let text = try ManifestText(contentsOf: ManifestFinder.path(of: into))
    let name = try node ?? Self.node(with: contents.plugin, in: Manifest(text))
    let edited = try text.settingState(Self.path(from: output ?? text.file, to: folder), of: name)
    // Checks the manifest as if it were at its output path: the state must fit the plugin, and its relative path must
    // be valid there.
    var checked = edited
    if let output { checked.file = output }
    let resolved = try checked.check(against: .thisMachine)
    for warning in resolved.warnings { common.console.placed(Advice.text(warning)) }
    guard let output else { return try Results().write(edited.text) }
    try TextFile.write(edited.text, to: output)
    common.console.note("'\(name)' in '\(output)' starts with the state in '\(folder)'")
  }

  private var first: String { StateFolder.states(in: folder).first?.path ?? folder }

  /// Returns the name of the only node with a plugin.
  private static func node(with plugin: String, in manifest: Manifest) throws -> String {
    let nodes = manifest.nodes.filter {
      if case .lv2(let uri) = $0.kind { uri.text == plugin } else { false }
    }
    guard let node = nodes.first, nodes.count == 1 else {
      let reason = nodes.isEmpty ? "no node" : "several nodes: " + nodes.map(\.name).joined(separator: ", ")
      throw Failure(
        .badInput, "the state is for the plugin <\(plugin)>, which is that of \(reason); use --node")
    }
    return node.name
  }

  /// Returns a folder's path relative to the manifest's folder; absolute if they have only the root in common.
  private static func path(from manifest: String, to folder: String) -> String {
    let here = URL(filePath: manifest).standardizedFileURL.path.split(separator: "/").dropLast()
    let there = URL(filePath: folder).standardizedFileURL.path.split(separator: "/")
    let common = zip(here, there).prefix { $0 == $1 }.count
    guard common > 0 else { return "/" + there.joined(separator: "/") }
    let steps = Array(repeating: "..", count: here.count - common) + there.dropFirst(common)
    return steps.joined(separator: "/") + "/"
  }
}
