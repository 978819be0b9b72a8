// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletManifest

/// `swiftlet bench`: measures the cost of a block, node by node.
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measure what a block of a manifest costs, node by node.",
    discussion: """
      The graph is rendered offline, its capture nodes receive noise, and each step is timed. Plugins are also run \
      without a host, in series, alternating with the graph; the difference is the host's cost. Numbers are medians \
      of many rounds.
      """)

  @OptionGroup var manifest: ManifestOptions

  @Option(
    help: ArgumentHelp("Frames in a block; default: 64.", valueName: "frames"),
    transform: expecting("frames", in: 1...8192, as: 64))
  var block = 64

  @Option(
    help: ArgumentHelp("The sample rate; default: 48000.", valueName: "hertz"),
    transform: expecting("hertz", in: 1000...1_536_000, as: 48_000))
  var rate = 48_000

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("The duration of the measurement; default: 2.", valueName: "seconds"),
    transform: expecting(Seconds.expected, Seconds.init))
  var seconds = Seconds(2)

  @Option(
    help: ArgumentHelp(
      "Also make this many edits while the graph plays, and print their cost.", valueName: "count"),
    transform: expecting("edits", in: 2...1000, as: 10))
  var edits: Int?

  @Option(
    help: ArgumentHelp(
      "With --edits: also attach and connect this LV2 plugin, and print what that costs besides creating it.",
      valueName: "uri"))
  var plugin: String?

  @Option(
    help: ArgumentHelp(
      "With --plugin: also measure these edits in a graph of 252 nodes that plays on a private JACK server.",
      valueName: "rate/period"),
    transform: expecting(DummyRate.expected, DummyRate.init))
  var dummy: DummyRate?

  @Option(
    help: ArgumentHelp(
      "Also play the timeline's tracks as one item, seek and edit this many times, and print the delay until that is audible.",
      valueName: "count"),
    transform: expecting("seeks", in: 1...1000, as: 20))
  var seeks: Int?

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var crash: CrashOptions

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if plugin != nil, edits == nil { throw ValidationError("--plugin requires --edits; add it") }
    if dummy != nil, plugin == nil { throw ValidationError("--dummy requires --plugin; add it") }
  }

  func run() throws {
    let console = common.console
    let resolved = try manifest.resolve(console)
    let bench = try Bench(resolved, file: manifest.path, rate: rate, block: block)
    var costs = try bench.measure(seconds: seconds.value, console: console)
    if let edits { costs.edit = try bench.measureEdits(edits, attaching: plugin) }
    if let edits, let plugin, let dummy {
      costs.liveEdit = try Bench.measureLiveEdits(edits, attaching: plugin, on: dummy)
    }
    if let seeks { costs.composition = try bench.measureComposition(seeks) }
    #if DEBUG
      console.warning(
        "this program was built without optimisation: effects are far slower than they should be")
    #endif
    let results = Results()
    if json {
      try results.json(costs.json)
    } else {
      for line in costs.lines { try results.line(line) }
    }
  }
}
