// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletPlayback
internal import SwiftletStretch
internal import Synchronization

extension PlayerSchedule {
  var isOver: Bool { state.withLock(\.isOver) }
  var isPlayRequested: Bool { goesOn.withLock { $0 || source.isPlayRequested } }
  var time: Int64 { source.ownTime }
  var timeOffset: Int64? { source.ownTimeOffset }
  var underruns: (count: Int, frames: Int) { source.underruns }

  func play(at frame: Int64?) {
    aim(at: frame)
    goesOn.withLock { goesOn in
      goesOn = false
      source.play(at: frame)
    }
  }

  func pause() {
    goesOn.withLock { goesOn in
      goesOn = false
      source.pause()
    }
  }

  func resumePlaying() {
    // The next frames must be read again for the new start only if the player follows lanes.
    let reads = requestedLanes.withLock { $0 != nil }
    goesOn.withLock { goesOn in
      goesOn = reads
      if !reads { source.play() }
    }
  }

  /// Resumes the player if ``resumePlaying()`` has requested that. The prefetch thread.
  func resumeWhenRead() {
    guard goesOn.withLock({ $0 }) else { return }
    aim(at: nil)
    // A pause during `aim(at:)` has withdrawn the request.
    goesOn.withLock { goesOn in
      if goesOn { source.play() }
      goesOn = false
    }
  }

  func entry(of number: Int) -> Entry? {
    state.withLock { state in
      collectNotes(&state)
      return state.items[number].map { ($0.sound, $0.layout, $0.loop) }
    }
  }

  var isPlaying: Bool {
    state.withLock { state in
      collectNotes(&state)
      return isPlayRequested && !state.items.isEmpty
    }
  }

  /// The item that has begun and not ended. Of several, the one that ends last; in a crossfade, the one that fades
  /// in.
  var currentItem: Int? {
    state.withLock { state in
      collectNotes(&state)
      return current(state)
    }
  }

  /// The item that plays, or else the first of those that have not begun.
  var nearestItem: Int? {
    state.withLock { state in
      collectNotes(&state)
      return nearest(state)
    }
  }

  private func nearest(_ state: State) -> Int? { current(state) ?? state.items.keys.min() }

  private func current(_ state: State) -> Int? {
    let begun = state.items.filter(\.value.hasBegun)
    // Items before the last one that did not overlap are fading out.
    let first = begun.filter { $0.value.entrance != .overlaps }.keys.max() ?? 0
    let heard = begun.filter { $0.key >= first }.map { number, item in
      (left: item.layout.length.map { $0 - position(of: item) } ?? .max, number: number)
    }
    return heard.max { ($0.left, $0.number) < ($1.left, $1.number) }?.number
  }

  var position: Int {
    state.withLock { state in
      collectNotes(&state)
      guard let number = nearest(state), let item = state.items[number] else { return 0 }
      return position(of: item)
    }
  }

  func seek(to frame: Int, _ name: String) throws(EngineError) {
    try state.withLock { state throws(EngineError) in
      collectNotes(&state)
      guard !state.isOver else { throw .notAttached(name) }
      guard let number = nearest(state), let item = state.items[number] else {
        throw .schedule(node: name, .nothingScheduled)
      }
      let target = min(max(frame, 0), item.layout.length ?? 1 << 50)
      state.items[number]?.position = target
      state.items[number]?.repetitions = item.layout.repetitions.begun(at: target)
      state.items[number]?.since = nil
      guard let clip = item.clip else { return }
      let isFree = item.since == nil && !item.isLate && !source.hasTaken(clip)
      if isFree, let unread = source.source(of: clip) {
        // The audio thread has not begun to read this clip. Moving it in place keeps one clip per item, however often
        // an item is moved before the next cycle.
        unread.seek(to: target)
        return prefetchThread.fill(unread)
      }
      do throws(FileError) {
        try replace(number, &state)
      } catch {
        state.items[number] = item
        throw .file(error)
      }
    }
  }

  func soundFrame(of number: Int) -> Int? {
    state.withLock { state in
      collectNotes(&state)
      return state.items[number].map { $0.layout.soundFrame(of: position(of: $0)) }
    }
  }

  func position(of item: Item) -> Int {
    if item.isLate { return item.position }
    return item.clip.flatMap { source.source(of: $0)?.position } ?? item.position
  }

  func change(
    _ number: Int, to layout: ClipLayout, _ loop: PlayerItem.Loop, playing sound: NewSound?
  ) throws(FileError) -> Bool {
    try state.withLock { state throws(FileError) in
      collectNotes(&state)
      guard let item = state.items[number] else { return false }
      let here = position(of: item), old = item.layout, frame = old.soundFrame(of: here)
      let newPosition: Int
      if sound == nil {
        let passed = frame - layout.part.lowerBound
        newPosition = min(max(passed, 0), layout.length ?? passed)
      } else {
        // The new sound continues in the current loop pass.
        newPosition =
          old == layout ? here : layout.frame(of: frame, inRepetition: old.repetitions.begun(at: here))
      }
      state.items[number]?.layout = layout
      state.items[number]?.loop = loop
      state.items[number]?.position = newPosition
      if let sound {
        state.items[number]?.sound = sound.sound
        state.items[number]?.opened = sound.opened
      }
      state.items[number]?.repetitions = layout.repetitions.begun(at: newPosition)
      // The current clip plays on until the replacement begins, unless another replacement is already waiting.
      state.items[number]?.since = item.isLate ? item.since : here
      guard item.clip != nil else { return true }
      do throws(FileError) {
        try replace(number, &state)
        return true
      } catch {
        state.items[number] = item
        throw error
      }
    }
  }

  /// Sets speed and pitch. Clips that are handed over and have not begun are read again.
  func setStretch(to stretch: Stretch) {
    state.withLock { state in
      collectNotes(&state)
      guard state.stretch != stretch else { return }
      state.stretch = stretch
      state.course = state.lanes.map { SpeedCourse($0, stretch, sampleRate: sampleRate) }
      for number in state.items.keys.sorted() {
        guard let item = state.items[number], item.clip != nil, !item.hasBegun else { continue }
        // If the item begins in the meantime, the replacement continues from there.
        state.items[number]?.since = item.position
        // If the file cannot be opened or there is no room, the existing clip changes its speed while it plays.
        _ = try? hand(over: number, as: .replaces, &state)
      }
    }
  }
}
