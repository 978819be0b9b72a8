// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import Synchronization

/// The player's side: reading a source. Audio thread only.
extension StreamSource {
  /// Takes the ring's reading side; returns false if the prefetch thread holds or needs it.
  @_noLocks @_noAllocation func hold() -> Bool {
    guard handover.takeForAudio() else { return false }
    unsafe audio.pointee.status.hasEnded = false
    adopt()
    return true
  }

  /// Returns the reading side.
  ///
  /// - Parameter hasEnded: whether the stream was played to its end.
  @_noLocks @_noAllocation func giveBack(hasEnded: Bool) {
    unsafe audio.pointee.status.hasEnded = hasEnded
    unsafe audio.pointee.status.ringShift = nil
    // The status must be published before the ring is returned: the prefetch thread reads it.
    publish()
    handover.giveBack()
  }

  /// Retries parameter changes that did not fit into the queue, and returns whether no seek is pending.
  @_noLocks @_noAllocation func followGoal() -> Bool {
    retryChanges()
    return handover.goal.isStay
  }

  /// Requests a seek to the beginning, unless another seek is pending.
  @_noLocks @_noAllocation func rewind() { handover.seekIfIdle(to: .frame(0)) }

  /// Publishes the absolute frame at which the ring's next frame is played, counting late frames; nil while stopped.
  ///
  /// - Parameters:
  ///   - late: the number of late frames.
  ///   - missed: how many of them were due in this block but missing.
  @_noLocks @_noAllocation func publishPosition(at frame: Int64?, late: Int, missed: Int) {
    if missed > 0 {
      unsafe audio.pointee.status.underruns &+= 1
      unsafe audio.pointee.status.missedFrames &+= missed
    }
    var shift: Int64?
    if let frame { shift = frame &- Int64(ring.readPosition &+ late) }
    let isSame = unsafe shift == audio.pointee.status.ringShift
    if isSame, missed == 0 { return }
    unsafe audio.pointee.status.ringShift = shift
    publish()
  }

  /// The frames that can be read now, and their position in the sound.
  var view: ClipView {
    @_noLocks @_noAllocation get {
      var seen = ClipView(), filling = unsafe audio.pointee.filling
      // The end must be read first: frames beyond it are never in the ring before the end is published.
      if let end = handover.end { seen.untilEnd = end - ring.readPosition }
      seen.available = min(ring.readable, seen.untilEnd)
      seen.goal = handover.goal
      seen.advance = unsafe audio.pointee.mark.advance
      let isOnTimeline = unsafe audio.pointee.status.detachedFilling != filling.number
      if isOnTimeline, let shift = filling.timelineShift {
        seen.timelineFrame = Int64(ring.readPosition) &+ shift
      }
      seen.isRefilled = fillings.version() != filling.number
      let isRead = seen.isRefilled ? fillings.read(into: &filling) : false
      seen.position = unsafe isRead ? filling.frame : audio.pointee.status.position
      return seen
    }
  }

  /// Skips frames that were read or are late.
  @_noLocks @_noAllocation func pass(_ count: Int) {
    retryChanges()
    ring.skip(count)
    move()
    publish()
  }
}
