// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal

/// What changes in a sequence after it was read, while that is played.
extension FilledStream {
  /// Reads again what has changed of what waits in the ring, while the audio thread plays on: from where it has changed,
  /// so that what was put there begins on its frame; or, where that is heard just now, from a moment ahead, over 5 ms.
  ///
  /// The new frames are there before the old ones are taken back, so the ring never runs dry for it.
  /// - Parameter changed: the first frame of the sequence that has.
  /// - Returns: false where that cannot be: where nobody plays, or not by a song, or by one that loops. Then the reader may stand anywhere.
  func readAgain(
    from changed: Int, _ state: inout State, into source: StreamSource
  ) throws(FileError) -> Bool {
    guard source.isRead, !source.isSought, !source.isMarked, source.loop == nil,
      let shift = source.songShiftOfRing
    else {
      return false
    }
    let rate = Int(source.sampleRate), fade = max(rate / 200, 1), pace = source.askedPace
    // What was made longer or shorter begins anew, and does not quite meet what was before.
    let isExact = !state.reader.isStretching
    let song = state.course?.frame(of: Double(changed)) ?? Double(changed) / pace
    let due = Int(min(max(song, 0), 0x1p60)) - Int(shift) - (isExact ? 0 : fade)
    // A disk may be slow: then it is tried again from farther ahead.
    for ahead in [rate / 50, rate / 10, rate / 2] {
      let soonest = isOffline ? source.ring.readPosition : source.ring.nextClaims + ahead
      let end = source.ring.writePosition
      // A stretcher has taken more in than it has given: there is always something to fade from.
      let start = max(isExact ? due : min(due, end - fade), soonest)
      guard start < end else { return false }
      let room = source.ring.capacity - (start - source.ring.readPosition)
      let count = min(max(rate / 20, fade), room)
      let memory = ChannelMemory(channelCount: source.channelCount, frameCount: count)
      func place(after frames: Int) -> Double {
        let frame = Double(Int64(start + frames) + shift)
        return max(state.course?.place(at: frame) ?? frame * pace, 0)
      }
      try state.reader.seek(to: Int(place(after: 0).rounded()), at: Double(Int64(start) + shift))
      guard try state.reader.read(into: memory.channels, count: count) == count else { return false }
      guard source.ring.takeBack(to: start) else { continue }
      // The frames that were taken back fade away under the first.
      let overlap = isExact && start == due ? 0 : min(fade, end - start)
      write(count, into: source) { channel, frame, old in
        let new = memory.channels[channel][frame], part = Float(frame + 1) / Float(overlap + 1)
        return frame < overlap ? old * (1 - part) + new * part : new
      }
      for channel in state.last.indices { state.last[channel] = memory.channels[channel][count - 1] }
      (state.place, state.advance) = (place(after: count), nil)
      return true
    }
    return false
  }

  /// Writes frames into the ring, as far as there is room.
  ///
  /// - Parameter sample: makes each sample of the one that lies there.
  func write(
    _ count: Int, into source: StreamSource, _ sample: (_ channel: Int, _ frame: Int, _ old: Float) -> Float
  ) {
    var done = 0
    while done < count, source.ring.writableRun > 0 {
      let run = min(count - done, source.ring.writableRun)
      for channel in 0..<source.channelCount {
        let room = source.ring.room(of: channel).unsafeBase
        for frame in 0..<run { room[frame] = sample(channel, done + frame, room[frame]) }
      }
      source.ring.commit(run)
      done += run
    }
  }
}
