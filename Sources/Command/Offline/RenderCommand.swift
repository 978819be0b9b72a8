// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletManifest

/// `swiftlet render`: the same graph as `run`, with no server and faster than real time.
struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Render a manifest to files, faster than real time.",
    discussion: """
      Capture nodes hear the sound files of --input, midi-in nodes its MIDI files; playback nodes write those of \
      --output, and taps record as they do live. It lasts as long as the longest input or player, unless --for says otherwise, and --tail longer. The \
      latency of plugins is taken out: what comes in at the first frame goes out at the first frame.
      """)

  @OptionGroup var manifest: ManifestOptions

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("What a capture or midi-in node hears; may be said often.", valueName: "node=file"),
    completion: .file())
  var input: [NodeFile] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Where a playback node's sound goes; may be said often.", valueName: "node=file"),
    completion: .file())
  var output: [NodeFile] = []

  @Option(name: .customLong("for"), help: ArgumentHelp("How long.", valueName: "seconds"))
  var seconds: Seconds?

  @Option(help: ArgumentHelp("How much longer, for echoes to die away.", valueName: "seconds"))
  var tail: Seconds?

  @Option(
    help: ArgumentHelp("Frames a second; else those of the first sound file, else 48000.", valueName: "hertz")
  )
  var rate: Int?

  @Option(help: ArgumentHelp("Frames in a block.", valueName: "frames"))
  var block = 1024

  @Option(
    help: ArgumentHelp("How samples of --output are stored: 16-bit, 24-bit or 32-float.", valueName: "format")
  )
  var format: String?

  @Flag(help: "Replace files that are there.")
  var overwrite = false

  @OptionGroup var takes: TakeOptions

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if let rate, !(1000...1_536_000 ~= rate) { throw ValidationError("--rate is from 1000 to 1536000 Hz") }
    if !(1...65_536 ~= block) { throw ValidationError("--block is from 1 to 65536 frames") }
  }

  func run() throws {
    let console = common.console
    let resolved = try manifest.resolve(console)
    var job = try RenderJob(options: self, manifest: resolved, file: manifest.path, console: console)
    try job.run()
  }
}
