// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What a program does to a player in the tests of its states.
enum PlayerCommand: CaseIterable {
  case play, playLater, pause, stop, seek, seekPastEnd, schedule, clear, loopForever, loopOnce, loopTwice,
    detach

  /// How long `playLater` waits, and where `seek` and `seekPastEnd` go, in frames.
  static let delay = 130, place = 150, farPlace = 10_050
}

/// What a command of a player throws.
enum PlayerRefusal { case notAttached, nothingScheduled }

/// A slow and simple model of a player: it takes one frame after the other.
///
/// A player of sound fades for 40 frames where it pauses, while its time goes on, and its items are gone once they were
/// played. A player of a MIDI file pauses at once, and its one item stays.
struct PlayerModel {
  /// How many frames one pass of an item has, and how many a fade has at 8 kHz.
  static let length = 400, fade = 40

  /// An item: where it is, counted through its passes, and how many there are; nil is for ever.
  struct Item {
    var place = 0, passes: Int? = 1, hasBegun = false
    var end: Int { passes.map { $0 * PlayerModel.length } ?? .max }
  }

  private enum State: Equatable {
    case standing, running
    case pausing(left: Int)
  }

  let isMIDI: Bool
  private(set) var frame = 0
  /// What each frame plays: a frame of an item; nil for silence. And whether a fade covers it.
  private(set) var heard: [Int?] = [], isFading: [Bool] = []
  private var items = [Item()]
  private var isAttached = true, plays = false, start: Int?, hasPaused = false
  private var state = State.standing
  /// The frame before which fades may be heard.
  private var fadeEnd = 0
  /// For MIDI: whether the end was reached, and whether a command to play came since.
  private var hasEnded = false, isFulfilled = false

  init(isMIDI: Bool) { self.isMIDI = isMIDI }

  var position: Int { isAttached ? items.first?.place ?? 0 : 0 }
  var duration: Int? { isAttached ? items.first.flatMap { $0.passes == nil ? nil : $0.end } : nil }
  var isPlaying: Bool { isAttached && plays && !items.isEmpty && !(isMIDI && isFulfilled) }
  var isStill: Bool { state == .standing }

  /// Takes a command, which holds from the next frame on.
  mutating func take(_ command: PlayerCommand) -> PlayerRefusal? {
    switch command {
    case .pause, .stop: (plays, hasPaused) = (false, true)
    case .clear:
      fadeOver()
      (items, plays, state) = ([], false, .standing)
    case .detach:
      // The plan without the node comes once its sound has faded.
      fadeEnd = frame + (isMIDI ? 1300 : 5 * Self.fade)
      (isAttached, plays, state) = (false, false, .standing)
    default:
      guard isAttached else { return .notAttached }
      return takeAttached(command)
    }
    return nil
  }

  private mutating func takeAttached(_ command: PlayerCommand) -> PlayerRefusal? {
    switch command {
    case .play, .playLater:
      if isMIDI, hasEnded { items[0].place = 0 }
      (plays, hasEnded, isFulfilled) = (true, false, false)
      start = command == .play ? nil : frame + PlayerCommand.delay
    case .schedule: items.append(Item())
    case .seek, .seekPastEnd:
      guard !items.isEmpty else { return .nothingScheduled }
      fadeOver()
      hasEnded = false
      items[0].place = min(command == .seek ? PlayerCommand.place : PlayerCommand.farPlace, items[0].end)
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
    let place = item.place < item.end ? item.place % Self.length : Self.length
    (items[0].place, items[0].passes) = (hasEnded ? 0 : place, passes)
    hasEnded = false
    return nil
  }

  /// What sounds fades into what comes.
  private mutating func fadeOver() { if !isMIDI, state != .standing { fadeEnd = frame + Self.fade } }

  mutating func run(_ count: Int) { for _ in 0..<count { step() } }

  private mutating func step() {
    let isDue = plays && start ?? frame <= frame
    switch state {
    case .running:
      if isDue { hasPaused = false }
      if hasPaused { state = isMIDI ? .standing : .pausing(left: Self.fade) }
    case .standing, .pausing: break
    }
    if state != .running, isDue, !(isMIDI && isFulfilled) {
      if !isMIDI, items.first.map({ $0.place > 0 }) ?? false { fadeEnd = frame + Self.fade }
      if hasEnded { items[0].place = 0 }
      (state, hasPaused, hasEnded) = (.running, false, false)
    }
    hasPaused = hasPaused && state == .running
    var sound: Int?
    let fades = state != .running && state != .standing
    if state != .standing { sound = play() } else { dropEnded() }
    if case .pausing(let left) = state { state = left == 1 ? .standing : .pausing(left: left - 1) }
    heard.append(sound)
    isFading.append(frame < fadeEnd || fades)
    frame += 1
  }

  /// Plays one frame of the first item.
  private mutating func play() -> Int? {
    while let item = items.first {
      if item.place >= item.end {
        if isMIDI { return end(at: frame) }
        items.removeFirst()
        continue
      }
      // What loops for ever plays to its next loop point, if another item waits, and fades under that.
      if item.passes == nil, items.count > 1, item.hasBegun, item.place % Self.length == 0 {
        items.removeFirst()
        fadeOver()
        continue
      }
      items[0].place += 1
      items[0].hasBegun = true
      if items[0].place == item.end, !isMIDI { items.removeFirst() }
      if items.first?.place == item.end, isMIDI { end(at: frame + 1) }
      return item.place % Self.length
    }
    return nil
  }

  /// A sound that has begun and was moved to its end ends at once, also while the player stands still.
  private mutating func dropEnded() {
    while !isMIDI, let item = items.first, item.hasBegun, item.place >= item.end { items.removeFirst() }
  }

  @discardableResult private mutating func end(at frame: Int) -> Int? {
    (state, hasEnded) = (.standing, true)
    // A command to play from a later frame is not fulfilled yet.
    isFulfilled = start ?? frame <= frame
    return nil
  }
}
