// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletPlayback
internal import SwiftletSignal
internal import SwiftletStretch
public import SwiftletTimeline
internal import Synchronization

extension AudioPlayer {
  /// Starts the engine if it is in JACK, and reads the first frames, so that `play(at:)` begins without delay.
  ///
  /// - Throws: ``EngineError/file(_:)``, ``EngineError/jack(_:)``, ``EngineError/notAttached(_:)``.
  public func prepare() throws(EngineError) {
    if engine.jackClient != nil { try engine.start() }
    try state.withLock { state throws(EngineError) in
      if let item = state.item, player.isScheduled(item) { return }
      // Resets the player's own time, so that the item waits for the start time of `play(at:)`.
      player.clear()
      state.item = try player.add(
        sound, opened: state.opened, .whole, nil, state.loop, .waits, .zero, from: startFrame(state)
      ) { [weak self] event in self?.take(event) }
      state.opened = nil
    }
  }

  /// Plays from the current position: the beginning, the position of the pause or stop, or that of a seek. While the
  /// sound plays, the call changes nothing.
  ///
  /// - Parameter time: the start time; default, and for a time that has passed: at once.
  /// - Throws: as ``prepare()``, and as `play(at:)` of ``PlayerNode`` if it follows the transport.
  public func play(at time: AudioTime? = nil) throws(EngineError) {
    try prepare()
    try player.play(at: time)
  }

  /// Plays from a time of the machine's clock on.
  ///
  /// - Throws: as ``prepare()``, and ``ScheduleError/noClock`` on an offline engine.
  public func play(at instant: ContinuousClock.Instant) throws(EngineError) {
    try prepare()
    try player.play(at: instant)
  }

  /// Fades out over 5 ms and pauses. The position stays, and the next frames stay in memory.
  public func pause() { player.pause() }

  /// Fades out over 5 ms and stops. The position stays, and the frames in memory are released.
  public func stop() {
    state.withLock { state in
      if let item = state.item, let frame = player.soundFrame(of: item) { state.position = frame }
      state.item = nil
      player.clear()
    }
  }

  /// Whether the sound plays; false once it has ended.
  public var isPlaying: Bool { player.isPlaying }

  /// The length of the sound, without its loops.
  public var duration: MediaTime { MediaTime(frames: Int64(frameCount), at: engine.sampleRate) }

  /// The position in the sound. While the sound does not play, the position from which it will continue.
  public var currentTime: MediaTime {
    let frame = state.withLock { $0.item.flatMap(player.soundFrame) ?? $0.position }
    return MediaTime(frames: Int64(frame), at: engine.sampleRate)
  }

  /// Moves to a time in the sound, in the first pass of its loop; while it plays, with a fade of 5 ms.
  ///
  /// - Parameter time: a time before the beginning counts as the beginning, one past the end as the end.
  /// - Throws: ``EngineError/file(_:)``, ``EngineError/notAttached(_:)``; ``ScheduleError/followsTransport`` for a
  ///   player that follows the transport: use ``AudioEngine/locateTransport(to:)``.
  public func seek(to time: MediaTime) throws(EngineError) {
    guard !player.followsTransport else { throw .schedule(node: player.node.name, .followsTransport) }
    let frame = min(max(Int(time.frames(at: engine.sampleRate)), 0), frameCount)
    try state.withLock { state throws(EngineError) in
      state.position = frame
      if let item = state.item, player.isScheduled(item) { try player.seek(to: frame) }
    }
  }

  /// Sets how often the sound plays, and which part of it loops. While it plays, passes are counted from now on.
  ///
  /// - Throws: ``EngineError/schedule(node:_:)``, ``EngineError/file(_:)``, ``EngineError/notAttached(_:)``.
  public func loop(_ loop: PlayerItem.Loop) throws(EngineError) {
    try player.check(loop, on: extent)
    try state.withLock { state throws(EngineError) in
      state.loop = loop
      if let item = state.item, player.isScheduled(item) { try player.change(item, to: loop, on: extent) }
    }
  }

  /// Plays the sound `times` times: 2 is twice.
  ///
  /// - Throws: as ``loop(_:)``.
  package func loop(times: Int) throws(EngineError) { try loop(.times(times)) }

  /// The volume as a factor: 1 leaves the sound as it is, 0 is silence. During a ramp, its target. The value is also
  /// that of the ``PlayerNode/gain`` of ``player``.
  public var volume: Float {
    let gain = player.gain.value.decibels, (volume, level) = state.withLock { ($0.volume, $0.level) }
    return gain == level ? volume : Decibels.fader(gain)
  }

  /// Moves the volume along a straight line.
  ///
  /// - Parameters:
  ///   - volume: a factor from 0, silence, to 15.8, which is 24 dB; 1 leaves the sound as it is. A value out of range
  ///     is clamped, and reported as ``EngineEvent/clamped(node:parameter:asked:used:)``.
  ///   - duration: the duration of the ramp; default: 20 ms.
  /// - Throws: ``EngineError/notANumber(node:parameter:)``, ``EngineError/notAttached(_:)``.
  public func setVolume(_ volume: Float, over duration: Duration = .milliseconds(20)) throws(EngineError) {
    let range = StreamSource.gain.range, loudest = Decibels.amplitude(range.upperBound)
    guard !volume.isNaN else { throw .notANumber(node: player.node.name, parameter: "volume") }
    let used = min(max(volume, 0), loudest)
    let decibels = min(max(Decibels.level(used), range.lowerBound), range.upperBound)
    try player.node.set("gain", to: decibels, over: duration)
    state.withLock { ($0.volume, $0.level) = (used, decibels) }
    engine.broadcaster.reportClamped("volume", of: player.node.name, from: volume, to: used)
  }

  /// The pan of the connection to ``output``, from −1 (left) to 1 (right). During a ramp, its target.
  public var pan: Float { engine.graph.wire(Graph.Wire(player.node, to: output).id)?.pan ?? 0 }

  /// Moves the pan over 5 ms, to a value from −1 (left) to 1 (right). A value out of range is clamped, and reported
  /// as ``EngineEvent/clamped(node:parameter:asked:used:)``.
  ///
  /// - Throws: ``EngineError/notANumber(node:parameter:)``, ``EngineError/graph(_:)`` for an output that is not stereo.
  public func setPan(_ pan: Float) throws(EngineError) {
    let wire = Graph.Wire(player.node, to: output)
    try MixTarget.wire(Wire(wire.id, in: engine), .pan).ramp(to: pan, over: .zero)
  }

  /// The playback rate as a factor; the pitch stays. The value is also that of the stretch of ``player``.
  public var rate: Double {
    let speed = player.node["speed"] ?? 1, rate = state.withLock { $0.rate }
    return speed == Float(rate) ? rate : Double(speed)
  }

  /// Sets the playback rate; the pitch stays. The change is heard within a quarter of a second, or from the first
  /// frame on if the sound has not begun.
  ///
  /// - Parameters:
  ///   - rate: from 0.25 to 4. A value out of range is clamped, and reported as
  ///     ``EngineEvent/clamped(node:parameter:asked:used:)``.
  ///   - time: the frame of the change; default: now. Players that were made with `enablesRate`
  ///     and change on one frame stay together.
  /// - Throws: ``EngineError/notANumber(node:parameter:)``, ``EngineError/file(_:)``,
  ///   ``EngineError/notAttached(_:)``.
  public func setRate(_ rate: Double, at time: AudioTime? = nil) throws(EngineError) {
    guard !rate.isNaN else { throw .notANumber(node: player.node.name, parameter: "rate") }
    let stretch = Stretch(speed: rate)
    try player.setStretch(stretch, at: time)
    state.withLock { $0.rate = stretch.speed }
    engine.broadcaster.reportClamped(
      "rate", of: player.node.name, from: Float(rate), to: Float(stretch.speed))
  }

  /// A new stream of the player's events from now on.
  package var events: AsyncStream<PlayerEvent> { player.events }

  /// Installs a meter on the player's output, after its volume.
  ///
  /// - Throws: as ``AudioEngine/installMeter(on:bus:side:_:holdingPeaksFor:)``.
  package func installMeter(_ measures: Set<Meter.Measure> = []) throws(EngineError) -> Meter {
    try engine.installMeter(on: player.node, measures)
  }

  /// Removes an item that has ended, so that the next `play(at:)` begins at the start unless it was stopped.
  private func take(_ event: PlayerEvent) {
    guard case .rendered(let ending) = event.kind else { return }
    state.withLock { state in
      guard state.item == event.item else { return }
      state.item = nil
      if ending != .stopped { state.position = 0 }
    }
  }

  /// The frame to begin with: the current position, or 0 if that is the end.
  private func startFrame(_ state: State) -> Int { state.position < frameCount ? state.position : 0 }
}
