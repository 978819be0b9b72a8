// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import Swiftlet
internal import SwiftletManifest

/// `swiftlet graph`: the graph as a picture, or the plan that the audio thread works through.
struct GraphCommand: ParsableCommand {
  /// What is printed.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case svg, dot, plan
  }

  static let configuration = CommandConfiguration(
    commandName: "graph", abstract: "Draw a manifest's graph, or print the plan that it compiles to.",
    discussion: """
      A picture shows nodes with their channels and latencies, wires with their gains, and taps with their files. \
      SVG is drawn by Graphviz. A plan is what the audio thread does in a cycle, a line for each step.
      """)

  @OptionGroup var manifest: ManifestOptions

  @Option(
    help: ArgumentHelp("svg, dot or plan; else what the file's ending says, else svg.", valueName: "format"))
  var format: Format?

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("Write to a file, in place of what is there.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "The rate that latencies are told for; 48000 where nothing is said.", valueName: "hertz"),
    transform: expecting("hertz", in: 1000...1_536_000, as: 48_000))
  var rate = 48_000

  @OptionGroup var common: CommonOptions

  func run() throws {
    let resolved = try manifest.resolve(common.console)
    let session = try open(resolved)
    let text =
      switch format ?? ending ?? .svg {
      case .plan: session.engine.planText + "\n"
      case .dot: Picture(session).dot + "\n"
      case .svg: try Graphviz.svg(of: Picture(session).dot)
      }
    if let output { try NewFile.replace(output, with: text) } else { try Results().write(text) }
  }

  func validate() throws {
    guard format == nil, let output, let word = Self.ending(of: output), ending == nil else { return }
    throw ValidationError(
      "no picture is written as .\(Clean.line(word)); end '\(Clean.line(output))' in .svg, .dot or .plan,"
        + " or say --format")
  }

  /// What the file's ending says, if anything.
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
      return try Hush.during { () throws(EngineError) in
        try Session(manifest, on: .offline(sampleRate: Double(rate)), changes)
      }
    } catch {
      throw Failure(error, in: manifest, file: self.manifest.path)
    }
  }
}
