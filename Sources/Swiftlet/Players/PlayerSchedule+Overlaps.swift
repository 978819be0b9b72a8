// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletTimeline
internal import Synchronization

/// Items that sound over others. However many were scheduled, only those are made ready that begin soon.
extension PlayerSchedule {
  /// How many may be ready or sound at once: the rest of what the audio thread holds is for items that follow each other.
  private static let mostOverlaps = PlayerSource.mostClips / 2

  /// How long before its time an item is made ready, in frames: a block, and a second to open its file.
  private var lead: Int64 { Int64(span) + Int64(sampleRate) }

  /// Whether an item that begins by itself is to be made ready now. When a beat comes is not known beforehand.
  func isSoon(_ start: ClipStart) -> Bool {
    switch start {
    case .next, .beat: true
    case .frame(let frame): frame < engineFrame.load(ordering: .relaxed) &+ lead
    case .playerTime(let time): time < source.ownTime &+ lead
    }
  }

  /// Sees that there is room for an item among those that overlap it.
  func checkOverlaps(_ item: Item, among state: State) throws(ScheduleError) {
    guard state.items.count >= Self.mostOverlaps, let (isFrame, frames) = reach(of: item) else { return }
    let others = state.items.values.compactMap { other -> Range<Int64>? in
      guard other.entrance == .overlaps, let (isOtherFrame, others) = reach(of: other) else { return nil }
      return isFrame == isOtherFrame && frames.overlaps(others) ? others : nil
    }
    guard others.count >= Self.mostOverlaps else { return }
    // There are most of them where one becomes ready.
    let crowds = others.map { other in
      let frame = max(other.lowerBound, frames.lowerBound)
      return others.count { $0.contains(frame) }
    }
    guard crowds.max() ?? 0 >= Self.mostOverlaps else { return }
    throw .tooManyOverlap(most: Self.mostOverlaps, within: Duration(MediaTime(frames: lead, at: sampleRate)))
  }

  /// From when an item is ready until when it sounds, in frames of the engine or of the player; nil on a beat.
  private func reach(of item: Item) -> (isFrame: Bool, frames: Range<Int64>)? {
    let (isFrame, asked): (Bool, Int64)
    switch item.start {
    case .next, .beat: return nil
    case .frame(let frame): (isFrame, asked) = (true, frame)
    case .playerTime(let time): (isFrame, asked) = (false, time)
    }
    let start = min(max(asked, -1 << 60), 1 << 60)
    let length = Int64(min(max(item.layout.length ?? .max, 1), 1 << 60))
    return (isFrame, start - lead..<start + length)
  }
}
