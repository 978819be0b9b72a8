// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletManifest

/// `swiftlet run`: hosts a manifest as a JACK client that plays, processes and records.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Host a manifest live: a JACK client that plays, processes and records.",
    usage: """
      swiftlet run [<options>] <manifest>
      swiftlet run [<options>] --chain 'gain | delay' [--save <file>]
      """,
    discussion: """
      A chain goes from the first capture port through effects, by name, and plugins, by URI, to the playback ports.

      On a terminal, r records or ends the take, space pauses, t starts or stops the transport, the digits switch \
      effects off and on, ? shows all keys, and q or ^C ends. Recordings are always finished; a second ^C ends at once.

      If the JACK server stops, playback pauses and takes stay open until it is back. Then ports and connections are \
      restored, and playback continues at the same position. The takes mark the gap.

        swiftlet run vocal.yaml                            on your JACK server
        swiftlet run vocal.yaml --dummy --play mic=me.wav  without sound card and microphone
      """)

  @Argument(
    help: "The manifest: a file, the name of an installed one, or - for standard input.",
    completion: .file(extensions: ["yaml", "yml", "json"]))
  var manifest: String?

  @Option(help: ArgumentHelp("Host this chain instead of a manifest.", valueName: "effect | …"))
  var chain: String?

  @Option(help: ArgumentHelp("Write the chain to a new manifest.", valueName: "file"), completion: .file())
  var save: String?

  @OptionGroup var settings: SettingOptions

  @Option(
    name: .customLong("for"), parsing: .unconditional,
    help: ArgumentHelp("End after this time, even if the server is unavailable then.", valueName: "seconds"),
    transform: expecting(Seconds.expected, Seconds.init))
  var seconds: Seconds?

  @Option(
    help: ArgumentHelp(
      "The JACK server. Default: $JACK_DEFAULT_SERVER, otherwise JACK's default server.", valueName: "name")
  )
  var server: String?

  @Option(
    help: ArgumentHelp(
      "Run a private JACK server without a sound card: --dummy, or --dummy=48000/64.",
      valueName: "rate/period"),
    transform: expecting(DummyRate.expected, DummyRate.init))
  var dummy: DummyRate?

  @Option(help: ArgumentHelp("The name of the JACK client.", valueName: "name"))
  var name: String?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Play a file into a capture or midi-in node, repeatedly. The option may be repeated.",
      valueName: "node=file"),
    completion: .file(), transform: expecting("node=file, as in mic=voice.wav", NodeFile.init))
  var play: [NodeFile] = []

  @Flag(help: "Leave all ports unconnected.")
  var noConnect = false

  @Flag(help: "End when the JACK server stops, instead of waiting for its return. --dummy implies this.")
  var noReconnect = false

  @OptionGroup var takes: TakeOptions

  @OptionGroup var crash: CrashOptions

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if manifest == nil && chain == nil { throw ValidationError("name a manifest, or a --chain of effects") }
    if manifest != nil && chain != nil {
      throw ValidationError("a manifest and a --chain exclude each other")
    }
    if save != nil && chain == nil { throw ValidationError("--save goes with --chain") }
    if server != nil && dummy != nil { throw ValidationError("--server and --dummy exclude each other") }
  }

  func run() throws {
    let console = common.console
    let (resolved, file) = try resolve(console)
    let live = LiveRun(options: self, manifest: resolved, file: file, console: console)
    try live.run()
  }

  /// Returns the manifest to host, and the name of its file in messages.
  private func resolve(_ console: Console) throws -> (ResolvedManifest, String) {
    guard let chain else {
      let path = ManifestFinder.path(of: manifest ?? "")
      let resolved = try settings.resolve(ManifestText(contentsOf: path), console)
      return (try renamed(resolved), path)
    }
    let manifest = try Manifest(chain: chain, file: "--chain")
    let resolved = try settings.changed(
      manifest.check(against: .thisMachine, file: "--chain"), console)
    if let save {
      try TextFile.write(manifest.yaml, to: save)
      console.note("the chain is saved in \(save)")
    }
    return (try renamed(resolved), "--chain")
  }

  private func renamed(_ manifest: ResolvedManifest) throws -> ResolvedManifest {
    var manifest = manifest
    if let name {
      if let problem = ClientName.problem(with: name) {
        throw Failure(.badCommandLine, "--name: \(problem), as in --name vocal")
      }
      manifest.name = name
    }
    return manifest
  }
}
