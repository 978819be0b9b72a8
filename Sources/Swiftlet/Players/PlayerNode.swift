// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletPlayback
public import SwiftletSignal
public import SwiftletStretch
public import SwiftletTimeline
internal import Synchronization

/// Plays files, parts of files and buffers by a schedule: one after the other without a gap, with crossfades, or at a
/// moment that is exact to the frame.
///
/// ```swift
/// let player = try engine.attachPlayer()
/// try engine.connect(player, output)
/// try player.schedule(.file("intro.wav"))
/// try player.schedule(.file("bed.flac", loop: .forever), crossfade: .seconds(2))
/// try player.play()
/// ```
///
/// Files may have any sample rate and any number of channels, and are streamed from disk. A file is opened when it is
/// scheduled, so that an error is thrown there. The player has its own time: frames since its start, which are not
/// counted while it is paused. Pausing, stopping, seeking and interrupting fade over 5 ms. Every function may be
/// called from any thread or task, and from closures that the player calls.
///
/// A player that follows the transport has the transport's time: its items lie on frames of the transport, from 0 on,
/// and are heard while the transport rolls. They stay until ``clear()``, since the transport may come back;
/// `play(at:)` and ``Player/pause()`` decide whether they are heard.
///
/// ``gain`` is a parameter; ``setStretch(_:at:)`` changes speed and pitch.
public final class PlayerNode: AudioNode, Player, @unchecked Sendable {
  /// Whether the player follows the transport.
  package var followsTransport: Bool { scheduler.streamPlayer != nil }
  let scheduler: any SchedulePlayer

  /// Adds a stopped player with an empty schedule to an engine.
  ///
  /// - Parameters:
  ///   - channels: the number of channels; default: 2. Sound of another width is converted as wires do: one channel
  ///     is copied to all, many are mixed to their mean in one, otherwise channels without a partner are dropped.
  ///   - name: the node's name, unique in the engine.
  ///   - enablesStretch: whether sound passes the stretcher from its first frame on; default: false. A change of
  ///     speed or pitch is then heard exactly a fifth of a second later, so that players that change it on one frame
  ///     stay together. This costs some processor time, and a little sound quality, at the usual speed, too.
  ///   - followsTransport: whether the player follows the position and the state of the transport; default: false.
  ///     Before it is played, the engine's timeline must follow the transport or be its timebase source: see
  ///     ``AudioEngine/setTransportRole(_:)``. The position in the schedule is the transport's time multiplied by the
  ///     speed.
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/file(_:)`` for more channels than can be stretched.
  package init(
    _ engine: AudioEngine, channels: Int = 2, name: String? = nil, enablesStretch: Bool = false,
    followsTransport: Bool = false
  ) throws(EngineError) {
    let kind: any SchedulePlayer.Type = followsTransport ? TransportSchedule.self : PlayerSchedule.self
    let scheduler = try readingFile { () throws(FileError) in
      try kind.init(
        channels: channels, sampleRate: engine.sampleRate, longestBlock: engine.longestBlock,
        isOffline: engine.isOffline, isReady: enablesStretch, engine.prefetchThread)
    }
    self.scheduler = scheduler
    let node = try engine.attach(scheduler, channels: channels, name: name)
    super.init(name: node.name, id: node.id, engine: engine)
  }

  /// Creates another handle of a player.
  init(_ scheduler: any SchedulePlayer, name: String, id: NodeID, engine: AudioEngine) {
    self.scheduler = scheduler
    super.init(name: name, id: id, engine: engine)
  }

  /// The player as a node.
  package var node: AudioNode { self }

  /// The player's level; default: 0 dB.
  public var gain: NodeParameter<Level> { NodeParameter(self, StreamSource.gain) }

  /// The parameters by name: `gain`, `speed`, `varispeed` and `pitch`.
  public var parameters: NodeParameters { NodeParameters(node: self) }

  /// A new stream of the events of all items, from now on. It ends when the node is detached or the engine is closed.
  public var events: AsyncStream<PlayerEvent> { scheduler.listeners.stream() }

  /// Fades out, removes all scheduled items, and resets the player's time to 0. All items end as
  /// ``PlayerEvent/Ending/stopped``.
  public func clear() {
    clearEnginePause()
    scheduler.endAll(at: node.engine.now.frame, isOver: false)
  }

  /// The item that plays or is paused; nil between items.
  public var currentItem: PlayerItem? { scheduler.currentItem.map(PlayerItem.init) }

  /// The length of an item with all its loops; nil for one that loops for ever or has ended.
  public func duration(of item: PlayerItem) -> MediaTime? {
    length(of: item).map { MediaTime(frames: Int64($0), at: engine.sampleRate) }
  }

  /// As ``duration(of:)``, in frames at the engine's rate.
  package func length(of item: PlayerItem) -> Int? { scheduler.entry(of: item.number)?.layout.length }

  /// The player's own time: the time that it has run since its start or since it was cleared, exact to the frame. For
  /// a player that follows the transport, the transport's time multiplied by its speed.
  public var time: MediaTime { MediaTime(frames: scheduler.time, at: engine.sampleRate) }

  /// Returns the player's own time at a time of the engine; nil while the player stands still.
  public func playerTime(for time: AudioTime) -> MediaTime? {
    let rate = engine.sampleRate
    return scheduler.timeOffset.map { MediaTime(frames: time.frame(at: rate) - $0, at: rate) }
  }

  /// Returns the engine's time at a time of the player's own, if the player runs on until then; nil while it stands
  /// still.
  public func engineTime(for time: MediaTime) -> AudioTime? {
    let rate = engine.sampleRate,
      time = AudioTime(frame: time.frames(at: rate), sampleRate: rate).frame(at: rate)
    return scheduler.timeOffset.map { AudioTime(frame: time + $0, sampleRate: rate) }
  }

  /// The number of times that frames were not read from disk in time.
  public var underrunCount: Int { scheduler.underruns.count }

  /// Changes speed and pitch. The current item changes within a quarter of a second, later items on their first
  /// frame.
  ///
  /// - Parameters:
  ///   - stretch: speed, varispeed and pitch.
  ///   - time: the frame of the change; default: now.
  /// - Throws: ``EngineError/notAttached(_:)``, ``EngineError/graph(_:)`` if too many changes wait.
  public func setStretch(_ stretch: Stretch, at time: AudioTime? = nil) throws(EngineError) {
    let stretch = Stretch(speed: stretch.speed, varispeed: stretch.varispeed, pitch: stretch.pitch)
    _ = try attachedPlayer()
    try node.set("speed", to: Float(stretch.speed), over: .zero, at: time)
    try node.set("varispeed", to: Float(stretch.varispeed), over: .zero, at: time)
    try node.set("pitch", to: Float(stretch.pitch), over: .zero, at: time)
    scheduler.setStretch(to: stretch)
  }

  override func setLoop(_ loop: PlayerItem.Loop) throws(EngineError) {
    guard let number = scheduler.nearestItem, let entry = scheduler.entry(of: number) else {
      throw .schedule(node: name, .nothingScheduled)
    }
    let layout = try checked(try inspect(entry.sound).extent, .frames(entry.layout.part), loop)
    _ = try readingFile { () throws(FileError) in
      try scheduler.change(number, to: layout, loop, playing: nil)
    }
  }
}
