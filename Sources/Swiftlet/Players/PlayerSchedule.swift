// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletStretch
internal import SwiftletTimeline
internal import Synchronization

/// What a player with a schedule knows on the control side: all that was scheduled, and what is told of it.
///
/// The next few items are made ready and handed to the audio thread; the others are opened when their turn is
/// near, by the thread that reads files.
final class PlayerSchedule: SchedulePlayer {
  /// An item that has not ended.
  struct Item: ScheduledItem {
    var sound: ClipSound
    /// The sound as it was opened to be looked at, until it is played.
    var opened: OpenedSound?
    var layout: ClipLayout
    var loop: PlayerItem.Loop
    var start: ClipStart
    var entrance: ClipEntrance
    var crossfade: Int
    var tell: (@Sendable (PlayerEvent) -> Void)?
    /// The clip that plays it, once it was handed over, and the frame that the clip begins with.
    var clip: Int?
    var place = 0
    /// How far the clip before was when the next was asked for, where that goes on from there.
    var since: Int?
    /// Whether the clip is another than was asked for, since there was no room for one more.
    var isLate = false
    var hasBegun = false, isConsumed = false
    /// How many turns of its loop have been told.
    var turns = 0
  }

  struct State {
    var items: [Int: Item] = [:]
    var lastItem = 0, lastClip = 0
    /// The item that each clip plays.
    var clips: [Int: Int] = [:]
    var stretch = Stretch()
    /// The lanes of speed and pitch that its clips follow, and what they make of the speed.
    var lanes: StreamSource.Lanes?, course: SpeedCourse?
    /// What waits to be told, and what waits to be heard.
    var news: ScheduleNews
    var unheard: [(news: News, frame: Int64)] = []
    var isOver = false
  }

  /// The files that wait to be played, or are.
  var paths: [String] { state.withLock { $0.items.values.flatMap(\.sound.paths) } }
  var channelCount: Int { source.channelCount }

  let source: PlayerSource
  var processor: Processor { source }
  var streamPlayer: StreamPlayer? { nil }
  let filler: StreamFiller
  let state: Mutex<State>
  let sampleRate: Double
  /// How many frames a clip has room for; of as many the beginning is handed over ahead.
  let room: Int
  let isOffline: Bool
  /// For how many frames items have to last that are made ready together.
  let span: Int
  /// Whether its sound is ready for other speeds from the first frame on.
  let isReady: Bool
  let listeners = Listeners<PlayerEvent>()
  /// The lanes that it is to follow; the clips are told of them by whoever next has the state.
  let askedLanes = Mutex<StreamSource.Lanes?>(nil)
  /// Whether it is to go on once the filler's thread has read what begins then.
  let goesOn = Mutex(false)
  /// The engine's next frame, and by how much its timeline is ahead of it.
  let engineFrame = Atomic(Int64(0)), engineShift = Atomic(Int64(0))

  /// How many clips wait with the audio thread at least, and how many it is given at most.
  private static let ahead = 3
  private static let most = PlayerSource.mostClips - 4
  /// How many turns of a loop are told together: shorter ones than that are no loops but tones.
  static let mostTurns = 1000
  /// How many items that are far away keep their files open.
  private static let mostOpen = 16

  init(
    channels: Int, sampleRate: Double, longestBlock: Int, isOffline: Bool, isReady: Bool,
    _ filler: StreamFiller
  ) {
    source = PlayerSource(channelCount: channels, sampleRate: sampleRate)
    self.filler = filler
    self.sampleRate = sampleRate
    state = Mutex(State(news: ScheduleNews(sampleRate: sampleRate)))
    self.isOffline = isOffline
    self.isReady = isReady
    room = max(1 << 16, 2 * longestBlock)
    // A block, and, where nobody waits for us, what passes while files are opened.
    span = longestBlock + (isOffline ? 0 : Int(sampleRate / 10))
    filler.add { [weak self] in
      self?.followLanes()
      self?.handOver()
      self?.goOnWhenRead()
      return self != nil
    }
  }

  func add(_ item: Item) throws(ScheduleError) -> Int? {
    let number = try state.withLock { state throws(ScheduleError) -> Int? in
      guard !state.isOver else { return nil }
      try check(item, among: state)
      state.lastItem += 1
      state.items[state.lastItem] = item
      return state.lastItem
    }
    handOver()
    guard let number else { return nil }
    state.withLock { state in
      if state.items.values.count(where: { $0.opened != nil && $0.clip == nil }) > Self.mostOpen {
        state.items[number]?.opened = nil
      }
    }
    return number
  }

  /// Sees that the audio thread never has to play more items before the next are made ready than it can hold.
  private func check(_ item: Item, among state: State) throws(ScheduleError) {
    if item.entrance == .overlaps { return try checkOverlaps(item, among: state) }
    guard item.entrance == .follows, state.items.count >= Self.most else { return }
    let last = state.items.keys.sorted().suffix(Self.most).compactMap { state.items[$0] }
    let frames = last.reduce(0) { $0 + min(max(($1.layout.length ?? span) - $1.crossfade, 0), span) }
    guard frames < span else { return }
    throw .tooDense(most: Self.most, within: Duration(MediaTime(frames: Int64(span), at: sampleRate)))
  }

  /// Makes the next items ready and hands them over. The filler's thread, or whoever schedules.
  func handOver() {
    state.withLock { state in
      guard !state.isOver, state.items.values.contains(where: { $0.clip == nil || $0.isLate }) else { return }
      // What follows waits for all items before it, so the audio thread has to know those.
      var waiting = 0, frames = 0, knowsAll = true
      for number in state.items.keys.sorted() {
        guard let item = state.items[number] else { continue }
        if item.clip == nil {
          let isNear =
            switch item.entrance {
            case .follows: knowsAll && (waiting < Self.ahead || frames < room)
            case .overlaps: isSoon(item.start)
            case .interrupts, .interruptsAtLoop, .replaces: true
            }
          do throws(FileError) {
            guard isNear, state.clips.count < Self.most, try hand(over: number, as: item.entrance, &state)
            else {
              knowsAll = false
              continue
            }
          } catch {
            end(number, .failed(error), at: nil, &state)
            continue
          }
        } else if item.isLate, (try? replace(number, &state)) == nil {
          // It cannot be opened again: what is there plays on.
          state.items[number]?.isLate = false
        }
        if !item.hasBegun, item.entrance != .overlaps {
          waiting += 1
          frames += min(item.layout.length ?? room, room)
        }
      }
    }
  }

  /// The sound of an item: the one that was opened to be looked at, where that has not been played.
  private func reopen(_ item: Item) throws(FileError) -> sending OpenSound {
    if let opened = item.opened?.take() { return opened }
    return try item.sound.open(at: sampleRate, isOffline: isOffline)
  }

  /// Opens an item and hands it over; false where the audio thread has not taken earlier ones yet.
  ///
  /// - Parameter place: how far the clip is that plays it already, where the new one goes on from there.
  @discardableResult
  func hand(over number: Int, as entrance: ClipEntrance, _ state: inout State) throws(FileError) -> Bool {
    guard let item = state.items[number], source.hasRoom else { return false }
    let start = state.course == nil ? nil : starts(state, from: nil)[number]
    let clipSource = try filler.makeSource(
      try reopen(item), item.layout, channelCount: source.channelCount, from: item.place, room: room,
      isOffline: isOffline, state.stretch, isReady: isReady
    ) { source in
      guard let lanes = state.lanes else { return }
      keepTime(of: source)
      if let start { source.aim = start }
      source.lanes = lanes
    }
    state.lastClip += 1
    var clip = Clip(number: state.lastClip, item: number, length: item.layout.length ?? .max)
    clip.start = item.start
    clip.entrance = entrance
    clip.crossfade = item.crossfade
    clip.since = item.since
    clip.turns = item.layout.turns
    (clip.speed, clip.varispeed, clip.pitch) = (
      Float(state.stretch.speed), Float(state.stretch.varispeed), Float(state.stretch.pitch)
    )
    guard source.hand(over: clip, clipSource) else { return false }
    state.clips[clip.number] = number
    state.items[number]?.clip = clip.number
    state.items[number]?.opened = nil
    return true
  }

  /// Hands another part of an item over in place of the one that plays or waits, or has it done as soon as there is
  /// room for it.
  func replace(_ number: Int, _ state: inout State) throws(FileError) {
    let isLate = try !hand(over: number, as: .replaces, &state)
    state.items[number]?.isLate = isLate
  }

  /// An item has ended; where nobody says when, it is told with the next news.
  func end(_ number: Int, _ ending: PlayerEvent.Ending, at frame: Int64?, _ state: inout State) {
    guard let item = state.items.removeValue(forKey: number) else { return }
    // What has been rendered to its end is reported once that is heard.
    let isHeard = ending != .finished && ending != .interrupted
    let last = state.news.addEnd(ending, number, item, at: frame, isHeard: frame == nil || isHeard)
    if let last, let frame { state.unheard.append((last, frame)) }
  }

  /// Ends all items: the player was stopped, or is no more.
  func endAll(at frame: Int64, isOver: Bool) {
    state.withLock { state in
      takeNotes(&state)
      pause()
      source.stop()
      for number in state.items.keys.sorted() { end(number, .stopped, at: frame, &state) }
      state.isOver = state.isOver || isOver
    }
  }

  func revive() {
    state.withLock { $0.isOver = false }
    listeners.reopen()
  }
}
