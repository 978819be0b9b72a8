// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import Synchronization

/// Lanes of speed and pitch: each clip's are read where its file is read, and for that it has to be known beforehand
/// when it begins.
extension PlayerSchedule {
  /// Has speed and pitch follow lanes from now on; nil lets them be.
  func follow(_ lanes: StreamSource.Lanes?) {
    askedLanes.withLock { $0 = lanes }
    // Where a file is just being opened, whoever does so sees to it next.
    _ = state.withLockIfAvailable { adoptLanes(&$0) }
  }

  /// Tells it where the engine is: the next frame, and that of the timeline. Again and again; never waits.
  func keepTime(_ frame: Int64, timeline: Int64) {
    engineFrame.store(frame, ordering: .relaxed)
    engineShift.store(timeline &- frame, ordering: .relaxed)
  }

  func keepTime(of source: StreamSource) {
    let frame = engineFrame.load(ordering: .relaxed)
    source.keepTime(frame, timeline: frame &+ engineShift.load(ordering: .relaxed))
  }

  private func adoptLanes(_ state: inout State) {
    let lanes = askedLanes.withLock { $0 }
    guard lanes != state.lanes else { return }
    state.lanes = lanes
    state.course = lanes.map { SpeedCourse($0, state.stretch, sampleRate: sampleRate) }
    for clip in state.clips.keys { source.source(of: clip)?.lanes = lanes }
  }

  /// Tells clips of lanes and of the time, and reads anew what turns out to begin at another time than was thought,
  /// while that lasts. The filler's thread.
  func followLanes() {
    state.withLock { state in
      adoptLanes(&state)
      guard state.lanes != nil, !state.isOver else { return }
      takeNotes(&state)
      for clip in state.clips.keys { if let source = source.source(of: clip) { keepTime(of: source) } }
      guard source.isAskedToPlay else { return }
      // It has to be there again in time.
      let soon = engineFrame.load(ordering: .relaxed) + Int64(span)
      for (number, frame) in starts(state, from: nil) where frame > soon {
        if let (source, place) = astray(number, frame, state) { source.seek(to: place) }
      }
    }
  }

  /// The player is to run from a frame on: what begins then is read for that time.
  func aim(at frame: Int64?) {
    state.withLock { state in
      adoptLanes(&state)
      guard state.lanes != nil, !source.isAskedToPlay else { return }
      takeNotes(&state)
      for (number, start) in starts(state, from: frame) {
        guard let (source, place) = astray(number, start, state) else { continue }
        source.seek(to: place)
        filler.fill(source)
      }
    }
  }

  /// The source of an item that was read for another time than it begins at, aimed there, and the frame it begins
  /// with. A thousandth of a second makes no difference that could be heard.
  private func astray(_ number: Int, _ frame: Int64, _ state: State) -> (source: StreamSource, place: Int)? {
    guard let item = state.items[number], !item.hasBegun, !item.isLate, let clip = item.clip,
      let source = source.source(of: clip), !source.isRead, source.lanes != nil
    else { return nil }
    if let aim = source.aim, abs(Double(frame) - Double(aim)) <= sampleRate / 1000 { return nil }
    keepTime(of: source)
    source.aim = frame
    return (source, item.place)
  }

  /// The absolute frames at which items begin that have not, as far as that can be told: those behind a beat, or behind
  /// what has no end, cannot.
  ///
  /// - Parameter frame: when the player runs that stands still; nil is now, or when it was told to.
  func starts(_ state: State, from frame: Int64?) -> [Int: Int64] {
    guard let course = state.course else { return [:] }
    let now = engineFrame.load(ordering: .relaxed), ahead = engineShift.load(ordering: .relaxed)
    let run = max(now, frame ?? (source.isAskedToPlay ? source.plannedStart ?? now : now))
    let offset = source.ownTimeOffset ?? run &- source.ownTime
    /// When an item ends that is at a place at a frame.
    func end(_ item: Item, from place: Int, at frame: Int64) -> Int64? {
      guard let length = item.layout.length else { return nil }
      let last = course.place(at: Double(frame &+ ahead)) + Double(max(length - place, 0))
      return Int64(min(course.frame(of: last), 0x1p60).rounded()) &- ahead
    }
    /// When all items up to one have ended.
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
          item.layout.length.flatMap { filler.end(of: clip, length: $0) }
        }
        last = latest(last, known ?? end(item, from: place(of: item), at: run), item)
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
      last = latest(last, end(item, from: item.place, at: start), item)
    }
    return starts
  }
}
