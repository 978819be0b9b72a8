// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletPlayback
internal import SwiftletSignal

/// Applies changes to a sequence that was already read ahead, while it plays.
extension PrefetchedStream {
  /// Re-reads the changed part of what is in the ring, while the audio thread plays on. Unstretched sound that is not
  /// due yet starts exactly at the changed frame. Otherwise the new frames start with a crossfade of 5 ms, a moment
  /// ahead of the playback position if the change is already due.
  ///
  /// The new frames are read before the old ones are retracted, so the ring does not run dry.
  /// - Parameter changed: the first changed frame of the sequence.
  /// - Returns: false if the ring cannot be patched: the source is not playing, does not follow the transport, or
  ///   follows one that loops. The reader's position is then undefined.
  func readAgain(
    from changed: Int, _ state: inout State, into source: StreamSource
  ) throws(FileError) -> Bool {
    guard source.isRead, !source.isSeekPending, !source.isMarked, source.loop == nil,
      let shift = source.timelineShiftOfRing
    else {
      return false
    }
    let rate = Int(source.sampleRate), fade = max(rate / 200, 1), pace = source.requestedPlaybackRate
    // Stretched sound restarts there, and does not align exactly with the old sound.
    let isExact = !state.reader.isStretching
    let timelineFrame = state.course?.frame(of: Double(changed)) ?? Double(changed) / pace
    let due = Int(min(max(timelineFrame, 0), 0x1p60)) - Int(shift) - (isExact ? 0 : fade)
    // If reading is too slow for the first distance, farther ones are tried.
    for ahead in [rate / 50, rate / 10, rate / 2] {
      let soonest = isOffline ? source.ring.readPosition : source.ring.nextClaims + ahead
      let end = source.ring.writePosition
      // Stretched sound always starts where the ring still holds old sound to crossfade from.
      let start = max(isExact ? due : min(due, end - fade), soonest)
      guard start < end else { return false }
      let space = source.ring.capacity - (start - source.ring.readPosition)
      let count = min(max(rate / 20, fade), space)
      let memory = ChannelMemory(channelCount: source.channelCount, frameCount: count)
      func soundFrame(after frames: Int) -> Double {
        let frame = Double(Int64(start + frames) + shift)
        return max(state.course?.soundFrame(at: frame) ?? frame * pace, 0)
      }
      try state.reader.seek(to: Int(soundFrame(after: 0).rounded()), at: Double(Int64(start) + shift))
      guard try state.reader.read(into: memory.channels, count: count) == count else { return false }
      guard source.ring.takeBack(to: start) else { continue }
      // The retracted frames fade out under the first new ones.
      let overlap = isExact && start == due ? 0 : min(fade, end - start)
      write(count, into: source) { channel, frame, old in
        let new = memory.channels[channel][frame], part = Float(frame + 1) / Float(overlap + 1)
        return frame < overlap ? old * (1 - part) + new * part : new
      }
      for channel in state.last.indices { state.last[channel] = memory.channels[channel][count - 1] }
      (state.position, state.advance) = (soundFrame(after: count), nil)
      return true
    }
    return false
  }

  /// Writes frames into the ring, as far as there is room.
  ///
  /// - Parameter sample: returns each sample, given the old one at its position.
  func write(
    _ count: Int, into source: StreamSource, _ sample: (_ channel: Int, _ frame: Int, _ old: Float) -> Float
  ) {
    var done = 0
    while done < count, source.ring.writableRun > 0 {
      let run = min(count - done, source.ring.writableRun)
      for channel in 0..<source.channelCount {
        let samples = source.ring.writableSamples(of: channel).unsafeBase
        for frame in 0..<run { samples[frame] = sample(channel, done + frame, samples[frame]) }
      }
      source.ring.commit(run)
      done += run
    }
  }
}
