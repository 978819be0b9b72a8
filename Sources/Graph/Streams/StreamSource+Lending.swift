// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import Synchronization

/// How a player reads a source. Audio thread.
extension StreamSource {
  /// Takes the reading side; false while the filler has it, or wants it.
  @_noLocks @_noAllocation func hold() -> Bool {
    guard handover.takeForAudio() else { return false }
    unsafe audio.pointee.status.hasEnded = false
    adopt()
    return true
  }

  /// Gives the reading side back.
  ///
  /// - Parameter hasEnded: whether the stream was played to its end.
  @_noLocks @_noAllocation func giveBack(hasEnded: Bool) {
    unsafe audio.pointee.status.hasEnded = hasEnded
    unsafe audio.pointee.status.ringShift = nil
    // In this order: the filler goes on from what was told.
    publish()
    handover.giveBack()
  }

  /// Asks for what there was no room for, and tells whether nothing else is to be done before it plays.
  @_noLocks @_noAllocation func attend() -> Bool {
    askAgain()
    return handover.goal.isStay
  }

  /// Has the filler go back to the beginning, unless it is to go elsewhere.
  @_noLocks @_noAllocation func rewind() { handover.seekUnlessSought(to: .frame(0)) }

  /// Says at which absolute frame the next frame of the ring is played, those counted that come too late; nil while
  /// it stands still.
  ///
  /// - Parameters:
  ///   - owed: how many frames are late.
  ///   - missed: how many of them were to be played just now, and were not there.
  @_noLocks @_noAllocation func stand(at frame: Int64?, owed: Int, missed: Int) {
    if missed > 0 {
      unsafe audio.pointee.status.underruns &+= 1
      unsafe audio.pointee.status.missedFrames &+= missed
    }
    var shift: Int64?
    if let frame { shift = frame &- Int64(ring.readPosition &+ owed) }
    let isSame = unsafe shift == audio.pointee.status.ringShift
    if isSame, missed == 0 { return }
    unsafe audio.pointee.status.ringShift = shift
    publish()
  }

  /// What can be read now, and where in the sound that is.
  var view: ClipView {
    @_noLocks @_noAllocation get {
      var seen = ClipView(), filling = unsafe audio.pointee.filling
      // The end is read first: frames beyond it are never there before it is known.
      if let end = handover.end { seen.untilEnd = end - ring.readPosition }
      seen.available = min(ring.readable, seen.untilEnd)
      seen.goal = handover.goal
      seen.advance = unsafe audio.pointee.mark.advance
      let isOfSong = unsafe audio.pointee.status.songlessFilling != filling.number
      if isOfSong, let shift = filling.songShift { seen.song = Int64(ring.readPosition) &+ shift }
      seen.isRefilled = fillings.version() != filling.number
      let isRead = seen.isRefilled ? fillings.read(into: &filling) : false
      seen.place = unsafe isRead ? filling.frame : audio.pointee.status.position
      return seen
    }
  }

  /// Leaves frames behind that were read, or come too late.
  @_noLocks @_noAllocation func pass(_ count: Int) {
    askAgain()
    ring.skip(count)
    move()
    publish()
  }
}
