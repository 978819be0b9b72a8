// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletManifest

/// Plays a file into a capture or midi-in node in an endless loop, as a JACK client of its own.
struct InputFilePlayer {
  private let engine: AudioEngine

  /// Creates a player for each file.
  static func all(_ files: [NodeFile], into session: Session, server: String?) throws -> [InputFilePlayer] {
    var inputFiles: [InputFilePlayer] = []
    for file in files { inputFiles.append(try InputFilePlayer(file, into: session, server: server)) }
    return inputFiles
  }

  /// Creates a player: opens the file, registers the ports.
  ///
  /// - Throws: A ``Failure`` if the file cannot be played or the server refuses the client.
  private init(_ file: NodeFile, into session: Session, server: String?) throws {
    let client = session.manifest.name
    let target = session.manifest.nodes.first { $0.name == file.node }
    // A take must not overwrite the file that is being played.
    session.engine.protect(file.path, playedBy: file.node)
    let channels = target?.outputs.first?.format.channelCount ?? 1
    do throws(EngineError) {
      engine = try AudioEngine(.jack(name: "\(client)-\(file.node)-player".prefixed(63), server: server))
      engine.reconnects = session.engine.reconnects
      guard target?.kind != .midiIn else {
        let player = try engine.attach(.midiPlayer(file.path, loop: .forever))
        let output = try engine.attach(.midiOutput(connect: .ports(["\(client):\(file.node)"])), name: "out")
        try engine.connect(player, output)
        return
      }
      let player = try engine.attach(.player(file.path, loop: .forever))
      // A node with one channel has one port with the node's name, others have one port per channel.
      let ports =
        channels == 1
        ? ["\(client):\(file.node)"] : (1...channels).map { "\(client):\(file.node)_\($0)" }
      let output = try engine.attach(.playback(channels: channels, connect: .ports(ports)), name: "out")
      try engine.connect(player, output)
    } catch {
      throw Failure(error)
    }
  }

  /// Starts playback.
  func start() throws {
    do throws(EngineError) { try engine.start() } catch { throw Failure(error) }
  }

  /// Leaves the JACK server.
  func close() { engine.close() }
}

extension String {
  /// Returns the longest prefix with at most this number of UTF-8 bytes.
  fileprivate func prefixed(_ bytes: Int) -> String {
    var text = self
    while text.utf8.count > bytes { text.removeLast() }
    return text
  }
}
