// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletPlayback
internal import SwiftletStretch
internal import Synchronization

extension TransportSchedule {
  var isOver: Bool { state.withLock(\.isOver) }
  var isPlayRequested: Bool { player.isPlaying }

  var isPlaying: Bool {
    guard player.isPlaying, player.offset != nil else { return false }
    let here = source.position
    return state.withLock { $0.items.values.contains { ($0.clip.end ?? .max) > here } }
  }

  var currentItem: Int? { current?.number }
  var position: Int { current.map { source.position - $0.start } ?? 0 }
  var time: Int64 { Int64(source.position) }
  var timeOffset: Int64? { player.offset }
  var underruns: (count: Int, frames: Int) { source.underruns }

  /// The item at the transport's position. Of several, the one that ends last.
  private var current: ClipSequence.PlacedClip? {
    let here = source.position
    return state.withLock { state in
      let clips = state.items.values.map(\.clip).filter { $0.start <= here && here < $0.end ?? .max }
      return clips.max { ($0.end ?? .max, $0.number) < ($1.end ?? .max, $1.number) }
    }
  }

  func play(at frame: Int64?) { player.play(at: frame) }
  func pause() { player.pause() }

  func entry(of number: Int) -> Entry? {
    state.withLock { $0.items[number].map { ($0.sound, $0.clip.layout, $0.loop) } }
  }

  /// The item at the position of the transport, or else the next one after it.
  var nearestItem: Int? {
    let here = source.position
    return current?.number
      ?? state.withLock { state in
        state.items.values.map(\.clip).filter { $0.start >= here }.min { $0.start < $1.start }?.number
      }
  }

  /// Always throws: the transport sets the position.
  func seek(to frame: Int, _ name: String) throws(EngineError) {
    throw .schedule(node: name, .followsTransport)
  }

  func soundFrame(of number: Int) -> Int? {
    let here = source.position
    return state.withLock { state in
      state.items[number].map { $0.clip.layout.soundFrame(of: max(here - $0.clip.start, 0)) }
    }
  }

  /// Applies from the item's start, as if the item had always had this layout.
  func change(
    _ number: Int, to layout: ClipLayout, _ loop: PlayerItem.Loop, playing sound: NewSound?
  ) -> Bool {
    let isChanged = state.withLock { state in
      guard let item = state.items[number] else { return false }
      let old = item.clip
      guard sound != nil || old.layout != layout else { return true }
      var clip = ClipSequence.PlacedClip(
        number, sound?.sound ?? old.sound, layout, start: old.start, sound?.opened ?? old.opened)
      clip.fadeIn = old.fadeIn
      clip.version = old.version
      if sound != nil {
        clip.version += 1
        // A later item still cuts this one off, unless the new sound ends before that.
        if let cut = item.cut, cut.end < clip.end ?? .max { clip.end(at: cut) }
      }
      state.items[number]?.clip = clip
      state.items[number]?.loop = loop
      show(state, changedFrom: old.start)
      return true
    }
    prefetchThread.fill(source)
    return isChanged
  }

  /// Does nothing: the node's parameters change the source's speed and pitch.
  func setStretch(to stretch: Stretch) {}

  func endAll(at frame: Int64, isOver: Bool) {
    state.withLock { state in
      player.pause()
      for number in state.items.keys.sorted() { end(number, .stopped, &state) }
      show(state, changedFrom: 0)
      state.isOver = state.isOver || isOver
    }
  }

  func reopenSchedule() {
    state.withLock { $0.isOver = false }
    listeners.reopen()
  }

  func hasUnheard(waits: Bool) -> Bool { false }

  func takePlayerEvents(position: Int64, now: Int64, late: Int64?, waits: Bool) -> [PendingEvent] {
    state.withLock { state in
      for (number, error) in sequence.takeFailures() { end(number, .failed(error), &state) }
      for (number, item) in state.items { state.pending.addLosses(number, item) }
      reportProgress(&state)
      return state.pending.take(at: position)
    }
  }

  /// Reports starts and loop passes since the last call.
  private func reportProgress(_ state: inout State) {
    // Read before the position, so that frames played after a seek are reported from the seek's target on.
    let beginning = source.lastBeginning, here = source.position
    if beginning.count != state.beginnings {
      (state.beginnings, state.reported) = (beginning.count, beginning.frame)
    }
    guard here > state.reported, let offset = player.offset else { return }
    let passed = state.reported..<here, now = source.lanes == nil ? nil : source.timelinePosition
    let pace = now == nil ? source.requestedPlaybackRate : source.playbackRate
    state.reported = here
    var found: [(position: Int, kind: PlayerEvent.Kind, number: Int, item: Item)] = []
    for (number, item) in state.items where item.clip.overlaps(passed) {
      let layout = item.clip.layout, start = item.clip.start
      if passed.contains(start) { found.append((start, .began, number, item)) }
      let repetitions = layout.repetitions
      var point = repetitions.point(from: max(passed.lowerBound - start, 0)), count = 0
      while let there = point, start + there < min(here, item.clip.end ?? .max), count < 1000 {
        found.append((start + there, .looped(repetitions.begun(at: there)), number, item))
        point = repetitions.point(from: there + 1)
        count += 1
      }
    }
    for (position, kind, number, item) in found.sorted(by: { $0.position < $1.position }) {
      // Approximates a varying speed by the current one.
      let timelineFrame = now.map { $0 - Int64((Double(here - position) / pace).rounded()) }
      let frame = offset + (timelineFrame ?? Int64((Double(position) / pace).rounded(.up)))
      state.pending.add(kind, number, item, at: frame)
    }
  }
}

extension ClipSequence.PlacedClip {
  /// Ends the item where another item cuts it off.
  mutating func end(at cut: TransportSchedule.Cut) {
    (end, fadeOut, isCut) = (cut.end, cut.fadeOut, cut.isCut)
  }
}
