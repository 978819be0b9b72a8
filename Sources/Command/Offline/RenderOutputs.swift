// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletFiles
internal import SwiftletManifest

/// The files that a render makes, and their playback nodes.
struct RenderOutputs {
  /// A file with the sound of a playback node.
  struct File {
    let node: String
    let path: String
    let format: RecordingFormat
    /// The movie container; nil for a sound file.
    var movie: MovieContainer?
    /// The playback node whose mix contains this stem; nil for other files.
    var mix: String?
  }

  /// The files of `--output`, followed by the stems.
  private(set) var files: [File] = []

  /// Finds the node of each file. For stems, adds playback nodes to the manifest.
  ///
  /// - Throws: A ``Failure``, or ``FileError`` if a file does not support its format.
  init(_ options: RenderCommand, _ manifest: inout ResolvedManifest) throws {
    let names = manifest.nodes.filter { $0.kind == .playback }.map(\.name)
    let outputs = try options.output.map { try (node: Self.node(of: $0, names), path: $0.path) }
    let records = !options.takes.noRecord && manifest.taps.contains { $0.recording != nil }
    guard !outputs.isEmpty || options.stems != nil || records else {
      throw Failure(.badCommandLine, "nothing would be written; name a file, as in -o mix.wav")
    }
    let hasPicture = !manifest.video.isEmpty
    let formats = try options.format.formats(of: outputs.map(\.path), hasPicture: hasPicture)
    files = zip(outputs, formats).map { output, format in
      File(
        node: output.node, path: output.path, format: format,
        movie: hasPicture ? options.format.movie(output.path) : nil)
    }
    guard let folder = options.stems else { return }
    if let file = files.first(where: { isSameLocation($0.path, folder) }) {
      throw Failure(
        .badCommandLine, "--stems: '\(file.path.shortened())' is a file that --output makes; name a folder")
    }
    var mixes: [String] = []
    for output in outputs where !mixes.contains(output.node) { mixes.append(output.node) }
    if mixes.isEmpty { mixes = names }
    let kind =
      formats.first?.container
      ?? options.format.format.flatMap { try? ExportPreset(named: $0) }?.format.container
      ?? .wav
    var stems: [(node: String, path: String, mix: String)] = []
    for mix in mixes {
      let prefix = mixes.count > 1 ? mix + "-" : ""
      stems += manifest.addStems(of: mix, by: options.stemsOf).map { stem in
        (stem.playback, "\(folder)/\(prefix)\(stem.name).\(kind.rawValue)", mix)
      }
    }
    guard !stems.isEmpty else {
      throw Failure(
        .badCommandLine,
        "--stems: nothing is wired into a playback node, so there are no stems; wire a node to one")
    }
    let stemFormats = try options.format.formats(of: stems.map(\.path))
    files += zip(stems, stemFormats).map { File(node: $0.node, path: $0.path, format: $1, mix: $0.mix) }
  }

  /// Returns the name of a file's playback node.
  private static func node(of file: OutputFile, _ names: [String]) throws -> String {
    let quoted = names.map { "'\($0)'" }
    if let node = file.node {
      guard names.contains(node) else {
        throw Failure(
          .badCommandLine,
          "--output: there is no playback node '\(node.shortened())'"
            + (names.isEmpty ? "" : "; expected \(quoted.joined(separator: " or "))"))
      }
      return node
    }
    guard let only = names.first, names.count == 1 else {
      throw Failure(
        .badCommandLine,
        names.isEmpty
          ? "--output: the manifest has no playback node for '\(file.path.shortened())'; add one"
          : "--output: there are the playback nodes \(quoted.joined(separator: " and ")); select one, as in "
            + "\(names[0])=\(file.path.shortened())"
      )
    }
    return only
  }
}
