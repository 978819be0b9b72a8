// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletPlayback
internal import SwiftletStretch
internal import Synchronization

/// The control-side schedule of a player that follows the transport: the transport frames of each item.
///
/// Items stay after they have played, since the transport may return to them. They end when the player is cleared, when
/// another item interrupts them before their beginning, or when their sound cannot be read.
final class TransportSchedule: SchedulePlayer {
  /// An item and its position on the transport.
  struct Item: ScheduledItem {
    var clip: ClipSequence.PlacedClip
    var loop: PlayerItem.Loop
    /// The point at which a later item cuts this one off. Kept even if the sound ends before that.
    var cut: Cut?
    var onEvent: (@Sendable (PlayerEvent) -> Void)?

    var sound: ClipSound { clip.sound }
    /// Always false: the transport may return to the item.
    var isConsumed: Bool { false }
  }

  /// The end that a later item imposes, and the fade before it.
  struct Cut {
    let end: Int, fadeOut: Int, isCut: Bool
  }

  struct State {
    var items: [Int: Item] = [:]
    var lastItem = 0
    var pending: PendingPlayerEvents
    /// The transport frame up to which events were reported, and the number of seeks at that time.
    var reported = 0, beginnings = 0
    var isOver = false
  }

  let player: StreamPlayer
  var source: StreamSource { player.stream }
  var processor: Processor { player.source }
  var streamPlayer: StreamPlayer? { player }
  let sequence = ClipSequence()
  let prefetchThread: PrefetchThread
  let state: Mutex<State>
  let sampleRate: Double
  let listeners = Listeners<PlayerEvent>()

  /// - Throws: ``FileError`` if `isReady` is true and there are more channels than can be stretched.
  init(
    channels: Int, sampleRate: Double, longestBlock: Int, isOffline: Bool, isReady: Bool,
    _ prefetchThread: PrefetchThread
  ) throws(FileError) {
    player = StreamPlayer(
      try prefetchThread.makeSource(
        sequence, channelCount: channels, sampleRate: Int(sampleRate.rounded()),
        capacity: max(1 << 16, 2 * longestBlock), isOffline: isOffline, isReady: isReady))
    player.follow(true)
    self.prefetchThread = prefetchThread
    self.sampleRate = sampleRate
    state = Mutex(State(pending: PendingPlayerEvents(sampleRate: sampleRate)))
  }

  /// The paths of all files that are scheduled.
  var paths: [String] { state.withLock { $0.items.values.flatMap(\.clip.sound.paths) } }
  var channelCount: Int { source.channelCount }

  func add(_ item: PlayerSchedule.Item) -> Int? {
    let number = state.withLock { state -> Int? in
      guard !state.isOver else { return nil }
      state.lastItem += 1
      let number = state.lastItem
      let start = schedule(item, &state)
      let clip = ClipSequence.PlacedClip(number, item.sound, item.layout, start: start.frame, item.opened)
      state.items[number] = Item(clip: clip, loop: item.loop, onEvent: item.onEvent)
      state.items[number]?.clip.fadeIn = start.overlap
      show(state, changedFrom: start.frame)
      return number
    }
    if number != nil { prefetchThread.fill(source) }
    return number
  }

  /// Finds the start frame of an item, and shortens or removes items that it cuts off.
  ///
  /// - Returns: the start frame, and the length in frames of the overlap with the previous item.
  private func schedule(_ item: PlayerSchedule.Item, _ state: inout State) -> (frame: Int, overlap: Int) {
    let time: Int? = if case .playerTime(let time) = item.start { Self.possible(time) } else { nil }
    switch item.entrance {
    case .overlaps: return (time ?? source.position, 0)
    case .follows, .replaces:
      guard let last = state.items.values.map(\.clip).max(by: { ($0.end ?? .max) < ($1.end ?? .max) }) else {
        return (time ?? 0, 0)
      }
      let end = last.end ?? point(in: last, from: time ?? source.position)
      let frame = Self.possible(Int64(max(time ?? 0, last.start, end - item.crossfade)))
      let overlap = max(end - frame, 0)
      if last.end == nil {
        cut(last.number, at: overlap > 0 ? end : frame, over: overlap, &state)
      } else if overlap > 0 {
        state.items[last.number]?.clip.fadeOut = overlap
      }
      return (frame, overlap)
    case .interrupts, .interruptsAtLoop:
      let from = time ?? source.position
      let isAtOnce = if case .interrupts = item.entrance { true } else { false }
      let heard = state.items.values.map(\.clip).last { $0.start <= from && from < $0.end ?? .max }
      let frame = isAtOnce ? from : heard.map { point(in: $0, from: from) } ?? from
      clear(from: frame, &state)
      return (frame, 0)
    }
  }

  /// A transport frame clamped to 0...2^60, so that sums do not overflow.
  private static func possible(_ frame: Int64) -> Int { Int(min(max(frame, 0), 1 << 60)) }

  /// The first loop point of an item at or after a transport frame; its end if there is none.
  private func point(in clip: ClipSequence.PlacedClip, from frame: Int) -> Int {
    clip.layout.repetitions.point(from: max(frame - clip.start, 0)).map { clip.start + $0 } ?? clip.end
      ?? frame
  }

  /// Cuts off the items that sound at a frame, and removes those that begin there or later.
  private func clear(from frame: Int, _ state: inout State) {
    for (number, item) in state.items where item.clip.end ?? .max > frame {
      if item.clip.start >= frame {
        end(number, .interrupted, &state)
      } else {
        cut(number, at: frame, over: 0, &state)
      }
    }
  }

  /// Ends an item at a frame: with a crossfade that ends there, or with a fade of 5 ms that begins there.
  private func cut(_ number: Int, at frame: Int, over overlap: Int, _ state: inout State) {
    let fade = overlap > 0 ? overlap : max(Int(sampleRate * 0.005), 1)
    let cut = Cut(end: overlap > 0 ? frame : frame + fade, fadeOut: fade, isCut: overlap == 0)
    state.items[number]?.cut = cut
    state.items[number]?.clip.end(at: cut)
  }

  /// Publishes the items to the reader of the sequence.
  func show(_ state: State, changedFrom frame: Int) {
    sequence.set(state.items.sorted { $0.key < $1.key }.map(\.value.clip), changedFrom: frame)
  }

  /// Removes an item and queues its end events.
  func end(_ number: Int, _ ending: PlayerEvent.Ending, _ state: inout State) {
    if let item = state.items.removeValue(forKey: number) { _ = state.pending.addEnd(ending, number, item) }
  }
}
