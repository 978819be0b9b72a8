// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletPlayback
internal import Synchronization

/// Automation lanes of speed and pitch. Each clip's lanes are applied where its file is read, so the frame at which
/// the clip begins must be known before.
extension PlayerSchedule {
  /// Makes speed and pitch follow automation lanes from now on; nil ends that.
  func follow(_ lanes: StreamSource.Lanes?) {
    requestedLanes.withLock { $0 = lanes }
    // If another thread holds the lock while it opens a file, that thread adopts the lanes next.
    _ = state.withLockIfAvailable { adoptLanes(&$0) }
  }

  /// Stores the engine's next frame and the timeline's frame. Called repeatedly; never blocks.
  func keepTime(_ frame: Int64, timeline: Int64) {
    engineFrame.store(frame, ordering: .relaxed)
    engineShift.store(timeline &- frame, ordering: .relaxed)
  }

  func keepTime(of source: StreamSource) {
    let frame = engineFrame.load(ordering: .relaxed)
    source.keepTime(frame, timeline: frame &+ engineShift.load(ordering: .relaxed))
  }

  private func adoptLanes(_ state: inout State) {
    let lanes = requestedLanes.withLock { $0 }
    guard lanes != state.lanes else { return }
    state.lanes = lanes
    state.course = lanes.map { SpeedCourse($0, state.stretch, sampleRate: sampleRate) }
    for clip in state.clips.keys { source.source(of: clip)?.lanes = lanes }
  }

  /// Passes the lanes and the engine's time to the clips. Reads a clip again if its predicted start has moved. The
  /// prefetch thread.
  func followLanes() {
    state.withLock { state in
      adoptLanes(&state)
      guard state.lanes != nil, !state.isOver else { return }
      collectNotes(&state)
      for clip in state.clips.keys { if let source = source.source(of: clip) { keepTime(of: source) } }
      guard source.isPlayRequested else { return }
      // The frames must be read again before the item begins.
      let soon = engineFrame.load(ordering: .relaxed) + Int64(span)
      for (number, frame) in starts(state, from: nil) where frame > soon {
        if let (source, position) = misalignedSource(number, frame, state) { source.seek(to: position) }
      }
    }
  }

  /// Reads the items that begin next for a start of the player at a frame.
  func aim(at frame: Int64?) {
    state.withLock { state in
      adoptLanes(&state)
      guard state.lanes != nil, !source.isPlayRequested else { return }
      collectNotes(&state)
      for (number, start) in starts(state, from: frame) {
        guard let (source, position) = misalignedSource(number, start, state) else { continue }
        source.seek(to: position)
        prefetchThread.fill(source)
      }
    }
  }

  /// Returns the source of an item that was read for another start frame, with the corrected start frame set, and the
  /// item's first frame. Returns nil if the difference is at most 1 ms, which is inaudible.
  private func misalignedSource(_ number: Int, _ frame: Int64, _ state: State) -> (
    source: StreamSource, position: Int
  )? {
    guard let item = state.items[number], !item.hasBegun, !item.isLate, let clip = item.clip,
      let source = source.source(of: clip), !source.isRead, source.lanes != nil
    else { return nil }
    if let aim = source.aim, abs(Double(frame) - Double(aim)) <= sampleRate / 1000 { return nil }
    keepTime(of: source)
    source.aim = frame
    return (source, item.position)
  }

  /// Predicts the absolute start frames of the items that have not begun. Items that start on a beat, and items
  /// behind them or behind an endless item, have no prediction.
  ///
  /// - Parameter frame: the frame at which a stopped player starts; nil is the frame of the last `play(at:)`, or now.
  func starts(_ state: State, from frame: Int64?) -> [Int: Int64] {
    guard let course = state.course else { return [:] }
    let now = engineFrame.load(ordering: .relaxed), ahead = engineShift.load(ordering: .relaxed)
    let run = max(now, frame ?? (source.isPlayRequested ? source.plannedStart ?? now : now))
    let offset = source.ownTimeOffset ?? run &- source.ownTime
    /// The frame at which an item ends that is at position `position` at `frame`.
    func end(_ item: Item, from position: Int, at frame: Int64) -> Int64? {
      guard let length = item.layout.length else { return nil }
      let last = course.soundFrame(at: Double(frame &+ ahead)) + Double(max(length - position, 0))
      return Int64(min(course.frame(of: last), 0x1p60).rounded()) &- ahead
    }
    /// The frame at which all items up to and including `item` have ended.
    func latest(_ last: Int64?, _ end: Int64?, _ item: Item) -> Int64? {
      guard item.entrance == .overlaps else { return end }
      guard let last, let end else { return nil }
      return max(last, end)
    }
    var starts: [Int: Int64] = [:], last: Int64? = run
    for number in state.items.keys.sorted() {
      guard let item = state.items[number] else { continue }
      if item.hasBegun {
        let known = item.clip.flatMap { source.source(of: $0) }.flatMap { clip in
          item.layout.length.flatMap { prefetchThread.end(of: clip, length: $0) }
        }
        last = latest(last, known ?? end(item, from: position(of: item), at: run), item)
        continue
      }
      let time: Int64? =
        switch item.start {
        case .next: run
        case .frame(let frame): min(max(frame, -1 << 60), 1 << 60)
        case .playerTime(let time): min(max(time, -1 << 60), 1 << 60) &+ offset
        case .beat: nil
        }
      let free: Int64? =
        switch item.entrance {
        case .follows: last.map { $0 &- Int64(item.crossfade) }
        case .overlaps, .interrupts, .replaces: run
        case .interruptsAtLoop: nil
        }
      guard let time, let free else {
        last = nil
        continue
      }
      let start = max(run, time, free)
      starts[number] = start
      last = latest(last, end(item, from: item.position, at: start), item)
    }
    return starts
  }
}
