// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import Swiftlet
import SwiftletGraph
internal import SwiftletManifest
internal import SwiftletSignal

/// `swiftlet render`: renders the graph that `run` hosts, without a server and faster than real time.
struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Render a manifest to files, faster than real time.",
    discussion: """
      Capture nodes get the sound files of --input, midi-in nodes its MIDI files. The files of --output get the sound \
      of a playback node, and taps record as they do live. The render lasts as long as the longest input or player, \
      unless --for or --range sets another length; --tail extends it. The latency of plugins is compensated: sound \
      that enters at the first frame leaves at the first frame. Files appear when they are complete; ^C leaves none.

        swiftlet render vocal.yaml --input mic=me.wav -o mix.wav -o mix.mp3 --tail 2
        swiftlet render song.yaml -o song.flac --range 0:10..0:45.5 --stems parts
      """)

  @OptionGroup var manifest: ManifestOptions

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "The input file of a capture or midi-in node. May be repeated.", valueName: "node=file"),
    completion: .file(), transform: expecting("node=file, as in mic=voice.wav", NodeFile.init))
  var input: [NodeFile] = []

  @Option(
    name: .shortAndLong, parsing: .singleValue,
    help: ArgumentHelp(
      "The output file of a playback node; the node is optional if there is only one. May be repeated.",
      valueName: "[node=]file"),
    completion: .file(), transform: expecting("a file, or node=file, as in desk=mix.wav", OutputFile.init))
  var output: [OutputFile] = []

  @Option(
    help: ArgumentHelp(
      "The folder for stems: one file for each input of the mix, as it sounds in the mix.",
      valueName: "folder"),
    completion: .directory)
  var stems: String?

  @Option(
    help: ArgumentHelp(
      "The sounds that get files of their own: buses (default), each wire into the mix; or tracks, each capture "
        + "node, player and track.", valueName: "kind"),
    transform: expecting("buses or tracks", ResolvedManifest.StemKind.init(rawValue:)))
  var stemsOf = ResolvedManifest.StemKind.buses

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The range to write, as in 0:10..0:45.5 or 5|1..9|1.", valueName: "from..to"),
    transform: TimeRange.init)
  var range: TimeRange?

  @Option(
    name: .customLong("for"), parsing: .unconditional,
    help: ArgumentHelp("The duration.", valueName: "seconds"),
    transform: expecting(Seconds.expected, Seconds.init))
  var seconds: Seconds?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Additional time at the end for the decay of echoes.", valueName: "seconds"),
    transform: expecting(Seconds.expected, Seconds.init))
  var tail: Seconds?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The sample rate; default: that of the first sound file, otherwise 48000.", valueName: "hertz"),
    transform: expecting("hertz", in: 1000...1_536_000, as: 48_000))
  var rate: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Frames in a block; default: the manifest's 'block', otherwise 256 with plugins and 4096 without.",
      valueName: "frames"),
    transform: expecting("frames", in: 1...65_536, as: 256))
  var block: Int?

  @OptionGroup var format: RenderFormat

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "The tags of the files: \(FileTags.writable.joined(separator: ", ")). May be repeated.",
      valueName: "name=text"),
    transform: expecting(TagOption.expected, TagOption.init))
  var tag: [TagOption] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The loudness of the files in LUFS, as in -16: "
        + LoudnessTarget.named.map { "\($0.0) is \(Digits.short($0.1.loudness))" }.joined(separator: ", ")
        + ".",
      valueName: "lufs"),
    transform: expecting(
      "LUFS from -70 to 0, as in -16, or \(LoudnessTarget.named.map(\.0).joined(separator: ", "))",
      LoudnessTarget.init(_:)))
  var loudness: LoudnessTarget?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The limit of the true peak for --loudness; default: -1.", valueName: "dbtp"),
    transform: expecting("dBTP from -36 to 0, as in -1") {
      Quantity($0)?.value(in: .decibels).flatMap { (-36...0).contains($0) ? $0 : nil }
    })
  var truePeak: Double?

  @Flag(help: "Replace existing files.")
  var overwrite = false

  @OptionGroup var takes: TakeOptions

  @OptionGroup var crash: CrashOptions

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if truePeak != nil && loudness == nil {
      throw ValidationError("--true-peak requires --loudness")
    }
    if stemsOf != .buses && stems == nil { throw ValidationError("--stems-of requires --stems") }
    if range != nil && seconds != nil { throw ValidationError("--range and --for exclude each other") }
  }

  func run() throws {
    let console = common.console
    let resolved = try manifest.resolve(console)
    let job = try RenderJob(options: self, manifest: resolved, file: manifest.path, console: console)
    try job.run()
  }
}
