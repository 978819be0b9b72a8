// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletPlayback
internal import SwiftletTimeline
internal import Synchronization

/// Overlapping items. Only the items that begin soon are prefetched, however many are scheduled.
extension PlayerSchedule {
  /// The most overlapping clips that are held at once. The rest of the audio thread's clips is for items that follow
  /// each other.
  private static let mostOverlaps = PlayerSource.mostClips / 2

  /// The time in frames between prefetching an item and its start: one block, the time to open files, and one second.
  private var prefetchFrames: Int64 { Int64(span) + Int64(sampleRate) }

  /// Whether an item with this start must be prefetched now. The time of a beat is unknown, so such an item always
  /// is.
  func isSoon(_ start: ClipStart) -> Bool {
    switch start {
    case .next, .beat: true
    case .frame(let frame): frame < engineFrame.load(ordering: .relaxed) &+ prefetchFrames
    case .playerTime(let time): time < source.ownTime &+ prefetchFrames
    }
  }

  /// Throws if an item would overlap more items than the player can hold.
  func checkOverlaps(_ item: Item, among state: State) throws(ScheduleError) {
    guard state.items.count >= Self.mostOverlaps, let (isFrame, frames) = reach(of: item) else { return }
    let others = state.items.values.compactMap { other -> Range<Int64>? in
      guard other.entrance == .overlaps, let (isOtherFrame, others) = reach(of: other) else { return nil }
      return isFrame == isOtherFrame && frames.overlaps(others) ? others : nil
    }
    guard others.count >= Self.mostOverlaps else { return }
    // The number of simultaneous items can only rise at a frame where one is prefetched.
    let crowds = others.map { other in
      let frame = max(other.lowerBound, frames.lowerBound)
      return others.count { $0.contains(frame) }
    }
    guard crowds.max() ?? 0 >= Self.mostOverlaps else { return }
    throw .tooManyOverlap(
      most: Self.mostOverlaps, within: Duration(MediaTime(frames: prefetchFrames, at: sampleRate)))
  }

  /// The frames from prefetching an item to its end, in the engine's time or the player's time; nil for a start on a
  /// beat or after the items before.
  private func reach(of item: Item) -> (isFrame: Bool, frames: Range<Int64>)? {
    let (isFrame, asked): (Bool, Int64)
    switch item.start {
    case .next, .beat: return nil
    case .frame(let frame): (isFrame, asked) = (true, frame)
    case .playerTime(let time): (isFrame, asked) = (false, time)
    }
    let start = min(max(asked, -1 << 60), 1 << 60)
    let length = Int64(min(max(item.layout.length ?? .max, 1), 1 << 60))
    return (isFrame, start - prefetchFrames..<start + length)
  }
}
