// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
public import SwiftletTimeline
internal import Synchronization

/// A composition with its mix that is scheduled on a ``PlayerNode``, and can be edited while it plays.
///
/// ```swift
/// let show = try player.schedule(.composition(song, mix: mix))
/// try player.seek(to: .seconds(90))
/// try show.edit { song, mix in try mix["music"].setVolume(0.5, at: .zero) }
/// try show.undo()
/// ```
///
/// The item plays the sum of the tracks, bit for bit as ``ExportSession`` renders it, also after a seek. A file that
/// can no longer be read is silent (``PlayerEvent/Kind/fileLost(_:)``), and everything else plays on. Any thread.
public final class CompositionItem: Sendable {
  /// The content of an item: a composition and its mix, the part that is played, and how often.
  @nonexhaustive public enum Content: Sendable {
    /// A copy of a composition; its picture is not used.
    case composition(
      Composition, mix: AudioMix = AudioMix(), part: PlayerItem.Part = .whole,
      loop: PlayerItem.Loop = .once)
  }

  /// A version of the composition and its mix.
  private struct Version {
    var composition: Composition, mix: AudioMix
  }
  private struct State {
    var history: History<Version>
    /// The version that plays.
    var sound: CompositionSound
    /// The number of edits. An edit is refused if the number has changed since it began.
    var changes = 0
  }
  private let state: Mutex<State>
  private let player: PlayerNode
  private let part: PlayerItem.Part

  /// The item in the player's events and in ``PlayerNode/currentItem``.
  public let item: PlayerItem

  fileprivate init(
    _ item: PlayerItem, of player: PlayerNode, _ sound: CompositionSound, _ part: PlayerItem.Part
  ) {
    self.item = item
    self.player = player
    self.part = part
    let version = Version(composition: sound.composition, mix: sound.mix)
    state = Mutex(State(history: History(version, limit: 100), sound: sound))
  }

  /// The composition as it plays now.
  public var composition: Composition { state.withLock { $0.history.value.composition } }

  /// The mix as it plays now.
  public var mix: AudioMix { state.withLock { $0.history.value.mix } }

  /// Edits the composition and the mix, whether the item plays, waits or is paused. The position stays, and the sound
  /// crossfades over 5 ms to the edited one as soon as that has been read: within 50 ms on a warm disk.
  ///
  /// The closure gets copies, and no lock is held while it runs.
  ///
  /// - Throws: the closure's error, as ``EngineError/closure(_:)`` unless it is an ``EngineError``;
  ///   ``EngineError/conflict(_:)`` if another edit was made meanwhile; ``ScheduleError/itemEnded``; and as the
  ///   player's `schedule`. Then nothing has changed.
  public func edit(_ body: (inout Composition, inout AudioMix) throws -> Void) throws(EngineError) {
    let (before, changes) = state.withLock { ($0.history.value, $0.changes) }
    var version = before
    do { try body(&version.composition, &version.mix) } catch {
      throw (error as? EngineError) ?? .closure(error)
    }
    let clamped = version.mix.clamp(master: player.name), edited = version
    try state.withLock { state throws(EngineError) in
      guard state.changes == changes else { throw .conflict(player.name) }
      try play(edited, &state)
      state.history.edit { $0 = edited }
      state.changes += 1
    }
    for event in clamped { player.engine.broadcaster.send(event) }
  }

  /// Undoes the last edit, in the same way as ``edit(_:)``. The last 100 edits can be undone.
  ///
  /// - Returns: false if there is no edit to undo.
  /// - Throws: as ``edit(_:)``.
  @discardableResult public func undo() throws(EngineError) -> Bool { try step { $0.undo() } }

  /// Repeats the edit that was taken back last.
  ///
  /// - Returns: false if there is none to repeat.
  /// - Throws: as ``edit(_:)``.
  @discardableResult public func redo() throws(EngineError) -> Bool { try step { $0.redo() } }

  private func step(_ move: (inout History<Version>) -> Bool) throws(EngineError) -> Bool {
    try state.withLock { state throws(EngineError) in
      var history = state.history
      guard move(&history) else { return false }
      try play(history.value, &state)
      state.history = history
      state.changes += 1
      return true
    }
  }

  /// Replaces the version that plays.
  private func play(_ version: Version, _ state: inout State) throws(EngineError) {
    let sound = try player.sound(of: version.composition, version.mix, after: state.sound)
    try player.change(item, to: .composition(sound), part)
    state.sound = sound
  }
}

extension PlayerNode {
  /// Schedules a composition with its mix.
  ///
  /// The item has the player's clock: it plays, pauses, stops, seeks, changes its speed and ends as any other item
  /// does. Tracks and lanes are in time on the first frame after a seek. The mix may have lanes of the tracks'
  /// `volume` and `pan`; parameters of nodes follow the engine's timeline, see ``AudioEngine/apply(_:master:)``.
  /// Levels and pans outside their ranges are clamped, and reported as
  /// ``EngineEvent/clamped(node:parameter:asked:used:)``.
  ///
  /// - Parameters:
  ///   - content: the composition, its mix, and how often it is played: `.composition(song, mix: mix, loop: .forever)`.
  ///   - time: when it begins; default: when the items scheduled before have ended.
  ///   - entrance: whether it overlaps the items scheduled before, waits for them, or interrupts them. Default: with
  ///     a time and without a crossfade, it overlaps them; otherwise it waits for them.
  ///   - crossfade: the duration for which it and the item before it sound together, at equal power; default: 0.
  ///   - onEvent: called with each of its events; see ``PlayerEvent``.
  /// - Throws: ``EngineError/file(_:)``, which names the file and the track; ``EngineError/schedule(node:_:)``,
  ///   ``ScheduleError/silentComposition`` among them; ``EngineError/unknownNode(_:nearest:)`` and
  ///   ``EngineError/unknownParameter(node:parameter:nearest:)`` for other lanes of the mix;
  ///   ``EngineError/graph(_:)`` for a pan of the master if the player does not have two channels;
  ///   ``EngineError/notAttached(_:)``.
  @discardableResult
  public func schedule(
    _ content: CompositionItem.Content, at time: PlayerItem.Time? = nil,
    entrance: PlayerItem.Entrance? = nil, crossfade: Duration = .zero,
    onEvent: (@Sendable (PlayerEvent) -> Void)? = nil
  ) throws(EngineError) -> CompositionItem {
    switch content {
    case .composition(let composition, let mix, let part, let loop):
      var used = mix
      let clamped = used.clamp(master: name), sound = try sound(of: composition, used)
      let item = try add(.composition(sound), part, time, loop, entrance, crossfade, onEvent)
      for event in clamped { engine.broadcaster.send(event) }
      return CompositionItem(item, of: self, sound, part)
    }
  }

  /// Checks a composition and its mix, and makes a sound with the player's channel count from them.
  fileprivate func sound(
    of composition: Composition, _ mix: AudioMix, after earlier: CompositionSound? = nil
  ) throws(EngineError) -> CompositionSound {
    let ends = composition.tracks.map { $0.duration.frames(at: engine.sampleRate) }
    guard ends.contains(where: { $0 > 0 }) else { throw .schedule(node: name, .silentComposition) }
    let known = composition.tracks.map(\.id.name)
    for path in mix.lanes.keys.sorted(by: { $0.description < $1.description }) {
      guard known.contains(path.node) else {
        throw .unknownNode(path.node, nearest: NearestName.nearest(to: path.node, among: known))
      }
      guard CompositionSound.lanes.contains(path.parameter) else {
        throw .unknownParameter(
          node: path.node, parameter: path.parameter,
          nearest: NearestName.nearest(to: path.parameter, among: CompositionSound.lanes))
      }
    }
    guard mix.master.pan == TrackMix().pan || scheduler.channelCount == 2 else {
      throw .graph(.panNeedsStereo(destination: name))
    }
    return CompositionSound(composition, mix: mix, channelCount: scheduler.channelCount, after: earlier)
  }
}
