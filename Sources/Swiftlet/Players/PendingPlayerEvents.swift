// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles

/// A scheduled item that has not ended, with the data that its events need.
protocol ScheduledItem {
  var sound: ClipSound { get }
  /// Called with each of the item's events.
  var onEvent: (@Sendable (PlayerEvent) -> Void)? { get }
  /// Whether it was reported as read to its end.
  var isConsumed: Bool { get }
}

/// The events of a schedule's items that have not been sent yet.
struct PendingPlayerEvents {
  let sampleRate: Double
  private(set) var waiting: [SchedulePlayer.PendingEvent] = []

  init(sampleRate: Double) { self.sampleRate = sampleRate }

  /// Queues an event.
  ///
  /// - Parameter frame: the frame of the event; nil, the default, is the frame at which it is sent.
  mutating func add(
    _ kind: PlayerEvent.Kind, _ number: Int, _ item: some ScheduledItem, at frame: Int64? = nil
  ) {
    let time = AudioTime(frame: frame ?? .min, sampleRate: sampleRate)
    waiting.append((PlayerEvent(item: PlayerItem(number: number), kind: kind, time: time), item.onEvent))
  }

  /// Queues an event for each file that an item can no longer read.
  mutating func addLosses(_ number: Int, _ item: some ScheduledItem, at frame: Int64? = nil) {
    for loss in item.sound.takeLosses() { add(.fileLost(loss), number, item, at: frame) }
  }

  /// Queues the end events of an item.
  ///
  /// - Parameter isHeard: whether the last frame is heard at `frame`. Otherwise `playedBack` is returned instead of
  ///   queued, to be sent once that frame is heard.
  mutating func addEnd(
    _ ending: PlayerEvent.Ending, _ number: Int, _ item: some ScheduledItem, at frame: Int64? = nil,
    isHeard: Bool = true
  ) -> SchedulePlayer.PendingEvent? {
    addLosses(number, item, at: frame)
    if !item.isConsumed { add(.consumed, number, item, at: frame) }
    add(.rendered(ending), number, item, at: frame)
    add(.playedBack(ending), number, item, at: frame)
    return isHeard ? nil : waiting.removeLast()
  }

  /// Returns and removes the queued events.
  mutating func take(at position: Int64) -> [SchedulePlayer.PendingEvent] {
    defer { waiting = [] }
    return waiting.map { $0.event.time.frame == .min ? ($0.event.moved(to: position), $0.onEvent) : $0 }
  }
}
