// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import Synchronization

/// A source whose ring another processor reads: what it does itself when it plays. Audio thread.
extension StreamSource {
  /// Takes the reading side; false while the filler has it, or wants it.
  @_noLocks @_noAllocation func hold() -> Bool {
    guard target.load(ordering: .acquiring) < 0 else { return false }
    let taken = holder.compareExchange(
      expected: Holder.nobody, desired: Holder.audio, ordering: .acquiringAndReleasing)
    if taken.exchanged { adopt() }
    return taken.exchanged
  }

  /// Gives the reading side back.
  @_noLocks @_noAllocation func giveBack() {
    playShift.store(.min, ordering: .relaxed)
    holder.store(Holder.nobody, ordering: .releasing)
  }

  /// Says at which absolute frame the next frame of the ring is played, those counted that come too late; nil while
  /// it stands still.
  ///
  /// - Parameter owed: how many frames are late: the ring ran dry where there are more than at the last call.
  @_noLocks @_noAllocation func stand(at frame: Int64?, owed: Int) {
    let before = late.load(ordering: .relaxed)
    if owed > before {
      dry.add(1, ordering: .relaxed)
      missed.add(owed &- before, ordering: .relaxed)
    }
    if owed != before { late.store(owed, ordering: .relaxed) }
    var shift = Int64.min
    if let frame { shift = frame &- Int64(ring.readPosition &+ owed) }
    if playShift.load(ordering: .relaxed) != shift { playShift.store(shift, ordering: .relaxed) }
  }

  /// What can be read now, and where in the sound that is.
  var view: ClipView {
    @_noLocks @_noAllocation get {
      // The end is read first: frames beyond it are never there before it is known.
      let last = end.load(ordering: .acquiring)
      let position = ring.readPosition
      return ClipView(
        available: available, untilEnd: last == .max ? .max : last - position,
        isAskedFor: target.load(ordering: .acquiring) >= 0, place: place.load(ordering: .relaxed),
        advance: pace)
    }
  }

  /// Leaves frames behind that were read, or come too late.
  @_noLocks @_noAllocation func pass(_ count: Int) {
    askAgain()
    ring.skip(count)
    move()
  }
}
