// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletFiles
internal import SwiftletManifest

/// `swiftlet render`: the same graph as `run`, with no server and faster than real time.
struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Render a manifest to files, faster than real time.",
    discussion: """
      Capture nodes hear the sound files of --input, midi-in nodes its MIDI files; playback nodes write those of \
      --output, and taps record as they do live. It lasts as long as the longest input or player, unless --for \
      says otherwise, and --tail longer. The latency of plugins is taken out: what comes in at the first frame \
      goes out at the first frame.

        swiftlet render vocal.yaml --input mic=me.wav --output desk=mix.wav --tail 2
      """)

  @OptionGroup var manifest: ManifestOptions

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("What a capture or midi-in node hears; may be said often.", valueName: "node=file"),
    completion: .file(), transform: expecting("node=file, as in mic=voice.wav", NodeFile.init))
  var input: [NodeFile] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Where a playback node's sound goes; may be said often.", valueName: "node=file"),
    completion: .file(), transform: expecting("node=file, as in desk=mix.wav", NodeFile.init))
  var output: [NodeFile] = []

  @Option(
    name: .customLong("for"), help: ArgumentHelp("How long.", valueName: "seconds"),
    transform: expecting(Seconds.expected, Seconds.init))
  var seconds: Seconds?

  @Option(
    help: ArgumentHelp("How much longer, for echoes to die away.", valueName: "seconds"),
    transform: expecting(Seconds.expected, Seconds.init))
  var tail: Seconds?

  @Option(
    help: ArgumentHelp(
      "Frames a second; else those of the first sound file, else 48000.", valueName: "hertz"),
    transform: expecting("hertz", in: 1000...1_536_000, as: 48_000))
  var rate: Int?

  @Option(
    help: ArgumentHelp("Frames in a block; 1024 where nothing is said.", valueName: "frames"),
    transform: expecting("frames", in: 1...65_536, as: 1024))
  var block = 1024

  @Option(
    help: ArgumentHelp(
      "How samples of --output are stored: \(RecordingFormat.names.joined(separator: ", ")).",
      valueName: "format"),
    transform: expecting(RecordingFormat.names.joined(separator: ", ")) {
      RecordingFormat.names.contains($0) ? $0 : nil
    })
  var format: String?

  @Option(
    help: ArgumentHelp(
      "Frames a second in the files of --output; those of the graph where nothing is said.",
      valueName: "hertz"),
    transform: expecting("hertz", in: RecordingFormat.rates, as: 22_050))
  var fileRate: Int?

  @Option(
    help: ArgumentHelp("How well lossy files sound, from 0, smallest, to 1, best.", valueName: "0-1"),
    transform: expecting("a number from 0 to 1, as in 0.5") {
      Double($0).flatMap { (0...1).contains($0) ? $0 : nil }
    })
  var quality: Double?

  @Option(
    help: ArgumentHelp("Bits a second of lossy files, in place of --quality.", valueName: "bits"),
    transform: expecting("bits a second", in: 6000...100_000_000, as: 192_000))
  var bitRate: Int?

  @Flag(help: "Replace files that are there.")
  var overwrite = false

  @OptionGroup var takes: TakeOptions

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if quality != nil && bitRate != nil { throw ValidationError("--quality and --bit-rate: say one of them") }
  }

  /// What a file of --output is to be.
  ///
  /// - Throws: ``FileError`` where such a file cannot be that.
  func outputFormat(_ path: String) throws(FileError) -> RecordingFormat {
    let asked: CodingQuality? = bitRate.map { .bitRate($0) } ?? quality.map { .quality($0) }
    return try RecordingFormat(path: path, named: format, rate: fileRate, quality: asked)
  }

  func run() throws {
    let console = common.console
    let resolved = try manifest.resolve(console)
    var job = try RenderJob(options: self, manifest: resolved, file: manifest.path, console: console)
    try job.run()
  }
}
