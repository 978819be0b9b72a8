// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import Swiftlet
internal import SwiftletManifest

/// `swiftlet graph`: draws the graph, or prints the plan that the audio thread runs.
struct GraphCommand: ParsableCommand {
  /// The output format.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case svg, dot, plan
  }

  static let configuration = CommandConfiguration(
    commandName: "graph", abstract: "Draw a manifest's graph, or print the plan that it compiles to.",
    discussion: """
      A picture shows nodes with their channels and latencies, wires with their gains, and taps with their files. \
      SVG is drawn by Graphviz. A plan is what the audio thread does in a cycle, a line for each step.

      With --automation the timeline is drawn instead: the clips of each track with their waveforms, before and after \
      the mix, under the curves of volume, ducking and pan; and the lanes of parameters.
      """)

  @OptionGroup var manifest: ManifestOptions

  @Option(
    help: ArgumentHelp(
      "svg, dot or plan; default: according to the file's extension, otherwise svg.", valueName: "format"))
  var format: Format?

  @Flag(help: "Draw the timeline: clips and automation.")
  var automation = false

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("The output file; an existing picture is replaced.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "The sample rate for latencies; default: 48000.", valueName: "hertz"),
    transform: expecting("hertz", in: 1000...1_536_000, as: 48_000))
  var rate = 48_000

  @OptionGroup var common: CommonOptions

  func run() throws {
    let resolved = try manifest.resolve(common.console)
    let text = automation ? try timeline(of: resolved).svg : try graph(of: resolved)
    if let output { try TextFile.replace(output, with: text) } else { try Results().write(text) }
  }

  private func graph(of resolved: ResolvedManifest) throws -> String {
    let session = try open(resolved)
    return
      switch format ?? ending ?? .svg
    {
    case .plan:
      session.engine.planText.split(separator: "\n").map { PrintableText.escaped(String($0)) + "\n" }.joined()
    case .dot: Picture(session).dot() + "\n"
    case .svg: try Graphviz.svg(of: Picture(session))
    }
  }

  private func timeline(of resolved: ResolvedManifest) throws -> TimelinePicture {
    // A preset may change parameters, so a session with the preset loaded gives their initial values.
    let session = resolved.lanes.isEmpty ? nil : try open(resolved)
    let picture = try TimelinePicture(resolved) { node, parameter in
      session?.nodes[node][parameter]
    } waveform: { path, range, columns in
      try BlockingCall.value { () async throws(FileError) in
        try await AudioAsset(path).waveform(in: range, columns: columns)
      }
    }
    guard let picture else {
      throw Failure(
        .badInput,
        "\(manifest.path.shortened()) has no timeline, which --automation draws; add the key 'timeline'")
    }
    return picture
  }

  func validate() throws {
    if automation, (format ?? ending ?? .svg) != .svg {
      throw ValidationError("--automation draws SVG; leave --format out, or end the file in .svg")
    }
    guard format == nil, let output, let word = Self.ending(of: output), ending == nil else { return }
    throw ValidationError(
      "no picture is written as .\(word.shortened()); end '\(output.shortened())' in .svg, .dot or .plan,"
        + " or use --format")
  }

  /// The format of the output file's extension; nil if it names none.
  private var ending: Format? {
    output.flatMap(Self.ending(of:)).flatMap { Format(rawValue: $0.lowercased()) }
  }

  private static func ending(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    return name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) }
  }

  private func open(_ manifest: ResolvedManifest) throws -> Session {
    var changes = Session.Options()
    changes.records = false
    do throws(EngineError) {
      return try Session(manifest, on: .offline(sampleRate: Double(rate)), changes)
    } catch {
      throw Failure(error, in: manifest, file: self.manifest.path)
    }
  }
}
