// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import Synchronization

/// A source whose ring another processor reads: what it does itself when it plays. Audio thread.
extension StreamSource {
  /// Takes the reading side; false while the filler has it, or wants it.
  @_noLocks @_noAllocation func hold() -> Bool {
    guard handover.takeForAudio() else { return false }
    adopt()
    return true
  }

  /// Gives the reading side back.
  @_noLocks @_noAllocation func giveBack() {
    unsafe audio.pointee.status.ringShift = nil
    // In this order: the filler goes on from what was told.
    publish()
    handover.giveBack()
  }

  /// Says at which absolute frame the next frame of the ring is played, those counted that come too late; nil while
  /// it stands still.
  ///
  /// - Parameter owed: how many frames are late: the ring ran dry where there are more than at the last call.
  @_noLocks @_noAllocation func stand(at frame: Int64?, owed: Int) {
    let before = unsafe audio.pointee.owed
    if owed > before { countUnderrun(owed &- before) }
    var shift: Int64?
    if let frame { shift = frame &- Int64(ring.readPosition &+ owed) }
    let isSame = unsafe shift == audio.pointee.status.ringShift
    if isSame, owed == before { return }
    unsafe audio.pointee.owed = owed
    unsafe audio.pointee.status.ringShift = shift
    publish()
  }

  /// What can be read now, and where in the sound that is.
  var view: ClipView {
    @_noLocks @_noAllocation get {
      // The end is read first: frames beyond it are never there before it is known.
      let left = untilEnd ?? .max
      return unsafe ClipView(
        available: min(ring.readable, left), untilEnd: left, isAskedFor: !handover.goal.isStay,
        place: place, advance: audio.pointee.mark.advance)
    }
  }

  /// The frame of the file that comes next, also where the filler has just gone elsewhere.
  private var place: Int {
    @_noLocks @_noAllocation get {
      var filling = unsafe audio.pointee.filling
      if fillings.version() != filling.number, fillings.read(into: &filling) { return filling.frame }
      return unsafe audio.pointee.status.position
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
