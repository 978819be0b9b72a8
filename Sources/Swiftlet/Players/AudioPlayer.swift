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
/// The player makes a JACK client for itself, or plays on your engine. Players on one engine that start on one
/// frame stay together. Neither ``pause()`` nor ``stop()`` rewinds; a sound that has played to its end begins again.
///
/// A player that follows the transport is at the transport's position: its sound begins at the start of the
/// transport, loops included. `play(at:)` and ``pause()`` decide whether it is heard while the transport rolls. Every
/// function may be called from any thread or task, and from closures that the player calls.
public final class AudioPlayer: Sendable {
  /// The engine that the player plays on.
  public var engine: AudioEngine { player.engine }
  /// The node that plays: to connect, tap or meter it, and to schedule more.
  public let player: PlayerNode
  /// The node that the player is connected to. Default: an output node of its own.
  public let output: AudioNode

  let sound: ClipSound
  let extent: SoundExtent
  /// The length of the sound in frames at the engine's rate.
  var frameCount: Int { extent.length }
  let state = Mutex(State())
  private let ownsEngine: Bool, ownsOutput: Bool

  struct State {
    var item: PlayerItem?
    /// The sound that was opened to be measured; nil once it is played.
    var opened: ReusableSound?
    /// The frame to continue from after a stop.
    var position = 0
    var loop = PlayerItem.Loop.once
    /// The volume that was set last, and the same level in decibels as the player's gain.
    var volume: Float = 1, level: Float = 0
    var rate = 1.0
  }

  /// Opens a file, and a JACK client of its own, which is closed with the player.
  ///
  /// - Parameters:
  ///   - file: any file that ``AudioFile`` reads.
  ///   - name: the client's name, with a number appended if it is taken; default: `player`.
  ///   - server: the server's name; default: `JACK_DEFAULT_SERVER`, otherwise JACK's default server.
  ///   - enablesRate: whether sound passes the stretcher from its first frame on; default: false.
  ///   - followsTransport: whether it plays where JACK's transport is, while that rolls; default: false.
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

  /// Opens a file on your engine.
  ///
  /// - Parameters:
  ///   - file: any file that ``AudioFile`` reads.
  ///   - engine: the engine that it plays on.
  ///   - output: the node that it is connected to; default: an output node of its own.
  ///   - enablesRate: whether sound passes the stretcher from its first frame on. A new rate is then heard exactly a
  ///     fifth of a second later, so that players that change it on one frame stay together. This costs some
  ///     processor time, and a little sound quality, at the usual rate, too. Default: false.
  ///   - followsTransport: whether it plays where the transport is, while that rolls. Before it is played, the
  ///     engine's timeline must follow the transport or be its timebase source: see
  ///     ``AudioEngine/setTransportRole(_:)``. Default: false.
  /// - Throws: ``EngineError/file(_:)``, ``EngineError/graph(_:)``, ``EngineError/jack(_:)``.
  public convenience init(
    _ file: some FileLocation, on engine: AudioEngine, to output: AudioNode? = nil, enablesRate: Bool = false,
    followsTransport: Bool = false
  ) throws(EngineError) {
    try self.init(
      .file(try file.enginePath), engine, output, enablesRate, followsTransport, ownsEngine: false)
  }

  /// Plays a buffer, as a JACK client of its own, which is closed with the player.
  ///
  /// - Parameters:
  ///   - buffer: the sound.
  ///   - sampleRate: the rate to play the buffer at, in hertz; nil, the default, is the buffer's own rate, or the
  ///     engine's if it has none.
  ///   - name: the client's name, with a number appended if it is taken; default: `player`.
  ///   - server: the server's name; default: `JACK_DEFAULT_SERVER`, otherwise JACK's default server.
  ///   - enablesRate: whether sound passes the stretcher from its first frame on; default: false.
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

  /// Plays a buffer on an existing engine.
  ///
  /// - Parameters:
  ///   - buffer: the sound.
  ///   - sampleRate: the rate to play the buffer at, in hertz; nil, the default, is the buffer's own rate, or the
  ///     engine's if it has none.
  ///   - engine: the engine that it plays on.
  ///   - output: the node that it is connected to; default: an output node of its own.
  ///   - enablesRate: whether sound passes the stretcher from its first frame on; default: false.
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
    // Checked before the player is attached, so that an error leaves nothing to undo.
    if let output { try engine.use([output]) }
    let (extent, channels, kept) = try readingFile { () throws(FileError) in
      let open = try engine.open(sound), extent = open.extent, channels = open.channelCount
      return (extent, channels, ReusableSound(open))
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
  /// Creates an engine for one player or recorder, as a JACK client with the first free name.
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
