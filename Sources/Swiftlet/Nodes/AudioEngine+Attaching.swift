// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles
internal import SwiftletGraph
public import SwiftletJack
public import SwiftletSignal

extension AudioEngine {
  /// Adds an input: a JACK input port for each channel; offline, what `render` is given.
  ///
  /// - Parameters:
  ///   - channels: 1 to 64.
  ///   - rule: which ports of other clients its ports are connected to; default: those of the sound card.
  ///   - name: unique in the engine, and the name of its ports; default: `capture`.
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/jack(_:)``.
  public func attachInput(
    channels: Int = 1, connect rule: ConnectionRule = .automatic, name: String? = nil
  ) throws(EngineError) -> InputNode {
    InputNode(try attach(.capture(channels: channels, connect: rule), name: name))
  }

  /// Adds an output: a JACK output port for each channel, behind a guard against runaway levels; offline, what `render`
  /// returns.
  ///
  /// - Parameters:
  ///   - channels: 1 to 64.
  ///   - rule: which ports of other clients its ports are connected to; default: those of the sound card.
  ///   - ceiling: the highest true peak that a limiter lets through, from −36 to 0 dBFS; the sound is then delayed by
  ///     the limiter's look-ahead. Default: no limiter.
  ///   - name: unique in the engine, and the name of its ports; default: `playback`.
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/jack(_:)``.
  public func attachOutput(
    channels: Int = 2, connect rule: ConnectionRule = .automatic, ceiling: Level? = nil, name: String? = nil
  ) throws(EngineError) -> OutputNode {
    OutputNode(
      try attach(.playback(channels: channels, connect: rule, ceiling: ceiling?.decibels), name: name))
  }

  /// Adds an input of events: a JACK MIDI input port.
  ///
  /// - Throws: as ``attachInput(channels:connect:name:)``.
  public func attachMIDIInput(
    connect rule: ConnectionRule = .automatic, name: String? = nil
  ) throws(EngineError) -> InputNode {
    InputNode(try attach(.midiInput(connect: rule), name: name))
  }

  /// Adds an output of events: a JACK MIDI output port.
  ///
  /// - Throws: as ``attachOutput(channels:connect:ceiling:name:)``.
  public func attachMIDIOutput(
    connect rule: ConnectionRule = .automatic, name: String? = nil
  ) throws(EngineError) -> OutputNode {
    OutputNode(try attach(.midiOutput(connect: rule), name: name))
  }

  /// Adds a mixer.
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  public func attachMixer(channels: Int = 2, name: String? = nil) throws(EngineError) -> MixerNode {
    MixerNode(try attach(.mixer(channels: channels), name: name))
  }

  /// Adds a stopped player with an empty schedule: see ``PlayerNode``.
  ///
  /// - Parameters:
  ///   - channels: the number of channels; default: 2. Sound of another width is converted: one channel is copied to
  ///     all, many are mixed to their mean in one, otherwise channels without a partner are dropped.
  ///   - enablesStretch: whether sound passes the stretcher from its first frame on; default: false. A change of
  ///     speed or pitch is then heard exactly a fifth of a second later, so that players that change on one frame
  ///     stay together.
  ///   - followsTransport: whether the player plays at the transport's position while that rolls; default: false.
  ///     Before it is played, the engine's timeline must follow the transport or be its timebase source: see
  ///     ``setTransportRole(_:)``.
  ///   - name: unique in the engine; default: `player`.
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/file(_:)`` for more channels than can be stretched.
  public func attachPlayer(
    channels: Int = 2, enablesStretch: Bool = false, followsTransport: Bool = false, name: String? = nil
  ) throws(EngineError) -> PlayerNode {
    try PlayerNode(
      self, channels: channels, name: name, enablesStretch: enablesStretch, followsTransport: followsTransport
    )
  }

  /// Adds a player of a Standard MIDI File, which stands still at its beginning: see ``MIDIPlayerNode``.
  ///
  /// - Parameters:
  ///   - file: a path or a `file:` URL.
  ///   - loop: how often the file plays; default: once.
  ///   - name: unique in the engine; default: `midi-player`.
  /// - Throws: ``EngineError/file(_:)``, ``EngineError/graph(_:)``,
  ///   ``EngineError/schedule(node:_:)`` for a loop that is not possible.
  public func attachMIDIPlayer(
    _ file: some FileLocation, loop: Loops = .once, name: String? = nil
  ) throws(EngineError) -> MIDIPlayerNode {
    MIDIPlayerNode(try attach(.midiPlayer(try file.enginePath, loop: loop, plays: false), name: name))
  }
}
