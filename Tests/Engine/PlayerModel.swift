// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The commands to a player in the tests of player states.
enum PlayerCommand: CaseIterable {
  case play, playLater, pause, stop, seek, seekPastEnd, schedule, clear, loopForever, loopOnce, loopTwice,
    detach

  /// The delay of `playLater` and the targets of `seek` and `seekPastEnd`, in frames.
  static let delay = 130, target = 150, farTarget = 10_050
}

/// An error that a player's command throws.
enum PlayerRefusal { case notAttached, nothingScheduled }

/// A slow and simple model of a player that processes one frame at a time.
///
/// On a pause, an audio player fades for 40 frames, during which its time advances; it removes items that were played.
/// A MIDI player pauses at once and keeps its one item.
struct PlayerModel {
  /// The lengths of one pass of an item and of a fade at 8 kHz, in frames.
  static let length = 400, fade = 40

  /// An item: its position, counted across its passes, and the number of passes; nil loops for ever.
  struct Item {
    var position = 0, passes: Int? = 1, hasBegun = false
    var end: Int { passes.map { $0 * PlayerModel.length } ?? .max }
  }

  private enum State: Equatable {
    case stopped, running
    case pausing(left: Int)
  }

  let isMIDI: Bool
  private(set) var frame = 0
  /// For each frame: the frame of an item that plays, nil for silence; and whether a fade covers it.
  private(set) var heard: [Int?] = [], isFading: [Bool] = []
  private var items = [Item()]
  private var isAttached = true, plays = false, start: Int?, hasPaused = false
  private var state = State.stopped
  /// The end of the last fade.
  private var fadeEnd = 0
  /// MIDI only: whether the end was reached, and whether no play command is pending.
  private var hasEnded = false, isFulfilled = false

  init(isMIDI: Bool) { self.isMIDI = isMIDI }

  var position: Int { isAttached ? items.first?.position ?? 0 : 0 }
  var duration: Int? { isAttached ? items.first.flatMap { $0.passes == nil ? nil : $0.end } : nil }
  var isPlaying: Bool { isAttached && plays && !items.isEmpty && !(isMIDI && isFulfilled) }
  var isStill: Bool { state == .stopped }

  /// Applies a command, which takes effect from the next frame on.
  mutating func take(_ command: PlayerCommand) -> PlayerRefusal? {
    switch command {
    case .pause, .stop: (plays, hasPaused) = (false, true)
    case .clear:
      fadeOver()
      (items, plays, state) = ([], false, .stopped)
    case .detach:
      // The plan without the node is adopted after the node's sound has faded.
      fadeEnd = frame + (isMIDI ? 1300 : 5 * Self.fade)
      (isAttached, plays, state) = (false, false, .stopped)
    default:
      guard isAttached else { return .notAttached }
      return takeAttached(command)
    }
    return nil
  }

  private mutating func takeAttached(_ command: PlayerCommand) -> PlayerRefusal? {
    switch command {
    case .play, .playLater:
      if isMIDI, hasEnded { items[0].position = 0 }
      (plays, hasEnded, isFulfilled) = (true, false, false)
      start = command == .play ? nil : frame + PlayerCommand.delay
    case .schedule: items.append(Item())
    case .seek, .seekPastEnd:
      guard !items.isEmpty else { return .nothingScheduled }
      fadeOver()
      hasEnded = false
      items[0].position = min(command == .seek ? PlayerCommand.target : PlayerCommand.farTarget, items[0].end)
    case .loopForever: return loop(nil)
    case .loopOnce: return loop(1)
    case .loopTwice: return loop(2)
    case .pause, .stop, .clear, .detach: break
    }
    return nil
  }

  private mutating func loop(_ passes: Int?) -> PlayerRefusal? {
    guard let item = items.first else { return .nothingScheduled }
    fadeOver()
    let position = item.position < item.end ? item.position % Self.length : Self.length
    (items[0].position, items[0].passes) = (hasEnded ? 0 : position, passes)
    hasEnded = false
    return nil
  }

  /// Crossfades from the current sound to the following sound.
  private mutating func fadeOver() { if !isMIDI, state != .stopped { fadeEnd = frame + Self.fade } }

  mutating func run(_ count: Int) { for _ in 0..<count { step() } }

  private mutating func step() {
    let isDue = plays && start ?? frame <= frame
    switch state {
    case .running:
      if isDue { hasPaused = false }
      if hasPaused { state = isMIDI ? .stopped : .pausing(left: Self.fade) }
    case .stopped, .pausing: break
    }
    if state != .running, isDue, !(isMIDI && isFulfilled) {
      if !isMIDI, items.first.map({ $0.position > 0 }) ?? false { fadeEnd = frame + Self.fade }
      if hasEnded { items[0].position = 0 }
      (state, hasPaused, hasEnded) = (.running, false, false)
    }
    hasPaused = hasPaused && state == .running
    var sound: Int?
    let fades = state != .running && state != .stopped
    if state != .stopped { sound = play() } else { dropEnded() }
    if case .pausing(let left) = state { state = left == 1 ? .stopped : .pausing(left: left - 1) }
    heard.append(sound)
    isFading.append(frame < fadeEnd || fades)
    frame += 1
  }

  /// Plays one frame of the first item.
  private mutating func play() -> Int? {
    while let item = items.first {
      if item.position >= item.end {
        if isMIDI { return end(at: frame) }
        items.removeFirst()
        continue
      }
      // An endless loop ends at its next loop point if another item waits, and crossfades into that item.
      if item.passes == nil, items.count > 1, item.hasBegun, item.position % Self.length == 0 {
        items.removeFirst()
        fadeOver()
        continue
      }
      items[0].position += 1
      items[0].hasBegun = true
      if items[0].position == item.end, !isMIDI { items.removeFirst() }
      if items.first?.position == item.end, isMIDI { end(at: frame + 1) }
      return item.position % Self.length
    }
    return nil
  }

  /// Removes items that have begun and were moved to their end; used while the player is stopped.
  private mutating func dropEnded() {
    while !isMIDI, let item = items.first, item.hasBegun, item.position >= item.end { items.removeFirst() }
  }

  @discardableResult private mutating func end(at frame: Int) -> Int? {
    (state, hasEnded) = (.stopped, true)
    // A play command for a later frame is still pending.
    isFulfilled = start ?? frame <= frame
    return nil
  }
}
