// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletPlayback
internal import SwiftletStretch
internal import SwiftletTimeline
internal import Synchronization

/// The control-side schedule of a player with its own time: all scheduled items and their unsent events.
///
/// The next few items are prefetched and handed to the audio thread. The prefetch thread opens later items shortly
/// before they begin.
final class PlayerSchedule: SchedulePlayer {
  /// An item that has not ended.
  struct Item: ScheduledItem {
    var sound: ClipSound
    /// The sound that was opened to be measured; nil once it is played.
    var opened: ReusableSound?
    var layout: ClipLayout
    var loop: PlayerItem.Loop
    var start: ClipStart
    var entrance: ClipEntrance
    var crossfade: Int
    var onEvent: (@Sendable (PlayerEvent) -> Void)?
    /// The number of the clip that plays the item, or nil until the clip is handed over, and the clip's first frame.
    var clip: Int?
    var position = 0
    /// The position of the previous clip when the replacement was requested, if the replacement continues from there.
    var since: Int?
    /// Whether the clip still plays the old part, because the audio thread had no room for the replacement.
    var isLate = false
    var hasBegun = false, isConsumed = false
    /// The number of loop passes that have been reported.
    var repetitions = 0
  }

  struct State {
    var items: [Int: Item] = [:]
    var lastItem = 0, lastClip = 0
    /// The item number for each clip number.
    var clips: [Int: Int] = [:]
    var stretch = Stretch()
    /// The automation lanes of speed and pitch that the clips follow, and the speed course computed from them.
    var lanes: StreamSource.Lanes?, course: SpeedCourse?
    /// Events that wait to be sent, and end events that wait until their last frame is heard.
    var pending: PendingPlayerEvents
    var unheard: [(pending: PendingEvent, frame: Int64)] = []
    var isOver = false
  }

  /// The paths of all files that are scheduled or playing.
  var paths: [String] { state.withLock { $0.items.values.flatMap(\.sound.paths) } }
  var channelCount: Int { source.channelCount }

  let source: PlayerSource
  var processor: Processor { source }
  var streamPlayer: StreamPlayer? { nil }
  let prefetchThread: PrefetchThread
  let state: Mutex<State>
  let sampleRate: Double
  /// The capacity of a clip's ring in frames, and the total length of the items that are handed over ahead.
  let capacity: Int
  let isOffline: Bool
  /// The least total length, in frames, of the items that are prefetched together.
  let span: Int
  /// Whether clips are read through the stretcher from the first frame on: `enablesStretch`.
  let isReady: Bool
  let listeners = Listeners<PlayerEvent>()
  /// The automation lanes to follow. The next thread that locks `state` passes them to the clips.
  let requestedLanes = Mutex<StreamSource.Lanes?>(nil)
  /// Whether the player resumes as soon as the prefetch thread has read the next frames.
  let goesOn = Mutex(false)
  /// The engine's next frame, and the offset from it to the timeline's frame.
  let engineFrame = Atomic(Int64(0)), engineShift = Atomic(Int64(0))

  /// The least number of clips that wait in the audio thread, and the most that it is given.
  private static let ahead = 3
  private static let most = PlayerSource.mostClips - 4
  /// The most loop passes that are reported at once.
  static let mostReportedLoops = 1000
  /// The most items that keep their files open while they wait.
  private static let mostOpen = 16

  init(
    channels: Int, sampleRate: Double, longestBlock: Int, isOffline: Bool, isReady: Bool,
    _ prefetchThread: PrefetchThread
  ) {
    source = PlayerSource(channelCount: channels, sampleRate: sampleRate)
    self.prefetchThread = prefetchThread
    self.sampleRate = sampleRate
    state = Mutex(State(pending: PendingPlayerEvents(sampleRate: sampleRate)))
    self.isOffline = isOffline
    self.isReady = isReady
    capacity = max(1 << 16, 2 * longestBlock)
    // One block and, unless offline, 100 ms in which files are opened.
    span = longestBlock + (isOffline ? 0 : Int(sampleRate / 10))
    prefetchThread.add { [weak self] in
      self?.followLanes()
      self?.handOver()
      self?.resumeWhenRead()
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

  /// Throws if so many short items are scheduled that the audio thread could play all that it holds before the next
  /// are prefetched.
  private func check(_ item: Item, among state: State) throws(ScheduleError) {
    if item.entrance == .overlaps { return try checkOverlaps(item, among: state) }
    guard item.entrance == .follows, state.items.count >= Self.most else { return }
    let last = state.items.keys.sorted().suffix(Self.most).compactMap { state.items[$0] }
    let frames = last.reduce(0) { $0 + min(max(($1.layout.length ?? span) - $1.crossfade, 0), span) }
    guard frames < span else { return }
    throw .tooDense(most: Self.most, within: Duration(MediaTime(frames: Int64(span), at: sampleRate)))
  }

  /// Prefetches the next items and hands them over. Called by the prefetch thread and by threads that schedule.
  func handOver() {
    state.withLock { state in
      guard !state.isOver, state.items.values.contains(where: { $0.clip == nil || $0.isLate }) else { return }
      // A following item waits for all items before it, so the audio thread must have those first.
      var waiting = 0, frames = 0, knowsAll = true
      for number in state.items.keys.sorted() {
        guard let item = state.items[number] else { continue }
        if item.clip == nil {
          let isNear =
            switch item.entrance {
            case .follows: knowsAll && (waiting < Self.ahead || frames < capacity)
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
          // The file cannot be opened again, so the old clip plays on.
          state.items[number]?.isLate = false
        }
        if !item.hasBegun, item.entrance != .overlaps {
          waiting += 1
          frames += min(item.layout.length ?? capacity, capacity)
        }
      }
    }
  }

  /// Returns the sound of an item: the one that is open if it has not been played, otherwise opens it again.
  private func reopen(_ item: Item) throws(FileError) -> sending OpenSound {
    if let opened = item.opened?.take() { return opened }
    return try item.sound.open(at: sampleRate, isOffline: isOffline)
  }

  /// Opens an item and hands it over. Returns false if the audio thread has not taken earlier clips yet.
  ///
  /// - Parameters:
  ///   - number: the item.
  ///   - entrance: how the clip begins.
  @discardableResult
  func hand(over number: Int, as entrance: ClipEntrance, _ state: inout State) throws(FileError) -> Bool {
    guard let item = state.items[number], source.hasRoom else { return false }
    let start = state.course == nil ? nil : starts(state, from: nil)[number]
    let clipSource = try prefetchThread.makeSource(
      try reopen(item), item.layout, channelCount: source.channelCount, from: item.position,
      capacity: capacity,
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
    clip.repetitions = item.layout.repetitions
    (clip.speed, clip.varispeed, clip.pitch) = (
      Float(state.stretch.speed), Float(state.stretch.varispeed), Float(state.stretch.pitch)
    )
    guard source.hand(over: clip, clipSource) else { return false }
    state.clips[clip.number] = number
    state.items[number]?.clip = clip.number
    state.items[number]?.opened = nil
    return true
  }

  /// Hands over another part of an item in place of the clip that plays or waits. If there is no room, marks the item
  /// as late, so that ``handOver()`` tries again.
  func replace(_ number: Int, _ state: inout State) throws(FileError) {
    let isLate = try !hand(over: number, as: .replaces, &state)
    state.items[number]?.isLate = isLate
  }

  /// Ends an item and queues its end events. If `frame` is nil, the events get the frame at which they are sent.
  func end(_ number: Int, _ ending: PlayerEvent.Ending, at frame: Int64?, _ state: inout State) {
    guard let item = state.items.removeValue(forKey: number) else { return }
    // `playedBack` of an item that was rendered is sent once its last frame is heard.
    let isHeard = ending != .finished && ending != .interrupted
    let last = state.pending.addEnd(ending, number, item, at: frame, isHeard: frame == nil || isHeard)
    if let last, let frame { state.unheard.append((last, frame)) }
  }

  /// Ends all items, after `clear()` or when the node is removed.
  func endAll(at frame: Int64, isOver: Bool) {
    state.withLock { state in
      collectNotes(&state)
      pause()
      source.stop()
      for number in state.items.keys.sorted() { end(number, .stopped, at: frame, &state) }
      state.isOver = state.isOver || isOver
    }
  }

  func reopenSchedule() {
    state.withLock { $0.isOver = false }
    listeners.reopen()
  }
}
