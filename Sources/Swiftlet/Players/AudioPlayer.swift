// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles
internal import SwiftletStretch
internal import Synchronization

/// Plays one sound, a file or a buffer, in a few lines.
///
/// ```swift
/// let song = try AudioPlayer("song.flac")
/// try song.loop(.forever)
/// try song.setVolume(0.5, over: .seconds(2))
/// try song.play()
/// ```
///
/// It makes itself a client of the JACK server, or joins an engine that there is. Several players on one engine
/// that are played at one frame stay together for ever. Neither ``pause()`` nor ``stop()`` rewinds; a sound that
/// has played to its end begins anew.
///
/// One that follows the transport is where that is: its sound begins with the song, loops and all. `play(at:)` and
/// ``pause()`` say whether it is heard while the song rolls. Every function may be called from any thread or task, and from whatever it
/// calls.
public final class AudioPlayer: Sendable {
  /// The engine that it plays on.
  public var engine: AudioEngine { player.engine }
  /// What plays: for whoever wants to wire, tap or set its node, or to schedule more.
  public let player: PlayerNode
  /// What its sound goes to: a playback node, unless it was told otherwise.
  public let output: AudioNode

  let sound: ClipSound
  let extent: SoundExtent
  /// How many frames there are, at the engine's rate.
  var frameCount: Int { extent.length }
  let state = Mutex(State())
  private let ownsEngine: Bool, ownsOutput: Bool

  struct State {
    var item: PlayerItem?
    /// The sound as it was opened to be looked at, until it is first played.
    var opened: OpenedSound?
    /// Where it goes on when it has been stopped.
    var place = 0
    var loop = PlayerItem.Loop.once
    /// The volume that was set, and the level in decibels that the player was given for it.
    var volume: Float = 1, level: Float = 0
    var rate = 1.0
  }

  /// Opens a file, for a JACK client of its own, which leaves with it.
  ///
  /// - Parameters:
  ///   - file: any file that ``AudioFile`` reads.
  ///   - name: the client's name, with a number behind it where that is taken.
  ///   - server: the server's name; nil is that of `JACK_DEFAULT_SERVER`, else the default one.
  ///   - enablesRate: as for a player on an engine that there is.
  ///   - followsTransport: whether it plays where JACK's transport is, while that rolls.
  /// - Throws: ``EngineError/file(_:)``, ``EngineError/jack(_:)``.
  public convenience init(
    _ file: some FileLocation, name: String = "player", server: String? = nil, enablesRate: Bool = false,
    followsTransport: Bool = false
  ) throws(EngineError) {
    try self.init(
      .file(try file.enginePath), try AudioEngine(client: name, server: server), nil, enablesRate,
      followsTransport,
      ownsEngine: true)
  }

  /// Opens a file on an engine that there is.
  ///
  /// - Parameters:
  ///   - file: any file that ``AudioFile`` reads.
  ///   - engine: where it plays.
  ///   - output: what it is wired to; nil is a playback node of its own.
  ///   - enablesRate: whether it is ready for other rates from the first frame on: then a new rate is heard a
  ///     fifth of a second later to the frame, so that players which change it at one frame stay together. It
  ///     costs some time, and a little of the sound, at the usual rate, too.
  ///   - followsTransport: whether it plays where the transport is, while that rolls. The engine's own timeline has
  ///     to follow or lead it, before it is played: see ``AudioEngine/setTransportRole(_:)``.
  /// - Throws: ``EngineError/file(_:)``, ``EngineError/graph(_:)``, ``EngineError/jack(_:)``.
  public convenience init(
    _ file: some FileLocation, on engine: AudioEngine, to output: AudioNode? = nil, enablesRate: Bool = false,
    followsTransport: Bool = false
  ) throws(EngineError) {
    try self.init(
      .file(try file.enginePath), engine, output, enablesRate, followsTransport, ownsEngine: false)
  }

  /// Plays a buffer, as a JACK client of its own, which leaves with it.
  ///
  /// - Parameters:
  ///   - buffer: the sound.
  ///   - sampleRate: the rate to play the buffer at, in hertz; nil, the default, is the buffer's own rate, or the
  ///     engine's if it has none.
  ///   - name: the client's name, with a number behind it if it is taken; default: `player`.
  ///   - server: the server's name; default: `JACK_DEFAULT_SERVER`, otherwise JACK's default server.
  ///   - enablesRate: whether it is ready for other rates from the first frame on; default: false.
  ///   - followsTransport: whether it plays where the transport is, while that rolls; default: false.
  /// - Throws: ``EngineError/schedule(node:_:)`` for a buffer without frames, ``EngineError/jack(_:)``.
  public convenience init(
    _ buffer: AudioBuffer, sampleRate: Double? = nil, name: String = "player", server: String? = nil,
    enablesRate: Bool = false, followsTransport: Bool = false
  ) throws(EngineError) {
    let engine = try AudioEngine(client: name, server: server)
    try self.init(
      try ClipSound(buffer, sampleRate ?? buffer.rate(on: engine), engine), engine, nil, enablesRate,
      followsTransport, ownsEngine: true)
  }

  /// Plays a buffer on an engine that there is.
  ///
  /// - Parameters:
  ///   - buffer: the sound.
  ///   - sampleRate: the rate to play the buffer at, in hertz; nil, the default, is the buffer's own rate, or the
  ///     engine's if it has none.
  ///   - engine: the engine that it plays on.
  ///   - output: the node that it is connected to; default: an output node of its own.
  ///   - enablesRate: whether it is ready for other rates from the first frame on; default: false.
  ///   - followsTransport: whether it plays where the transport is, while that rolls; default: false.
  /// - Throws: ``EngineError/schedule(node:_:)`` for a buffer without frames, ``EngineError/graph(_:)``.
  public convenience init(
    _ buffer: AudioBuffer, sampleRate: Double? = nil, on engine: AudioEngine, to output: AudioNode? = nil,
    enablesRate: Bool = false, followsTransport: Bool = false
  ) throws(EngineError) {
    try self.init(
      try ClipSound(buffer, sampleRate ?? buffer.rate(on: engine), engine), engine, output, enablesRate,
      followsTransport, ownsEngine: false)
  }

  init(
    _ sound: ClipSound, _ engine: AudioEngine, _ output: AudioNode?, _ enablesRate: Bool,
    _ followsTransport: Bool, ownsEngine: Bool
  ) throws(EngineError) {
    // Before the player is attached, so that a refusal leaves nothing to undo.
    if let output { try engine.use([output]) }
    let (extent, channels, kept) = try readingFile { () throws(FileError) in
      let open = try engine.open(sound), extent = open.extent, channels = open.channelCount
      return (extent, channels, OpenedSound(open))
    }
    self.sound = sound
    self.ownsEngine = ownsEngine
    ownsOutput = output == nil
    self.extent = extent
    state.withLock { $0.opened = kept }
    if followsTransport && ownsEngine { try engine.setTransportRole(.follow) }
    let player = try PlayerNode(
      engine, channels: channels, enablesStretch: enablesRate, followsTransport: followsTransport)
    self.player = player
    do throws(EngineError) {
      self.output = try output ?? engine.attach(.playback(channels: max(channels, 2)))
      let wire = try engine.connect(player.node, to: self.output)
      engine.core.withLock { $0.directWires.add(wire.id) }
    } catch {
      try? engine.detach(player.node)
      throw error
    }
  }

  deinit {
    if ownsEngine { return engine.close() }
    try? engine.detach(player.node)
    if ownsOutput { try? engine.detach(output) }
  }
}

extension AudioEngine {
  /// An engine of a player's or recorder's own, as a client of the first name that is free.
  convenience init(client name: String, server: String?) throws(EngineError) {
    var number = 1
    while true {
      do throws(EngineError) {
        try self.init(.jack(name: number == 1 ? name : "\(name)-\(number)", server: server))
        return
      } catch {
        guard case .jack(.nameTaken) = error, number < 100 else { throw error }
        number += 1
      }
    }
  }
}

extension AudioBuffer {
  /// The rate to play the buffer at: its own, or the engine's if it has none.
  func rate(on engine: AudioEngine) -> Double { hasRate ? format.sampleRate : engine.sampleRate }
}

extension ClipSound {
  init(_ buffer: AudioBuffer, _ sampleRate: Double, _ engine: AudioEngine) throws(EngineError) {
    guard let kept = KeptSound(buffer.channels, from: sampleRate, to: engine.sampleRate) else {
      throw .schedule(node: "player", .badBuffer)
    }
    self = .memory(kept)
  }
}
