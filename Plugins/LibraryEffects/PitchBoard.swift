// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal
internal import Synchronization

/// What the two sides of a pitch shifter share: sound that goes there, and sound that comes back.
@safe struct PitchBoard: ~Copyable {
  /// Where the pitch heads from a frame of the dry ring on.
  struct Turn: BitwiseCopyable {
    var frame: Int
    /// In semitones.
    var pitch: Float
    /// How many frames it takes.
    var length: Int
  }

  /// Sound on its way there, and sound that is done.
  let dry: FrameRing, wet: FrameRing
  let turns: RecordRing<Turn>
  /// How often it was to begin anew, from which frame of the dry ring on, and how often it has.
  private let asked = Atomic(0), askedFrame = Atomic(0), begun = Atomic(0)
  /// The frame of the wet ring that the last beginning's first dry frame became.
  private let wetStart = Atomic(0)

  init(channelCount: Int, capacity: Int) {
    dry = FrameRing(channelCount: channelCount, capacity: capacity)
    wet = FrameRing(channelCount: channelCount, capacity: capacity)
    turns = RecordRing(capacity: 1024, filler: Turn(frame: 0, pitch: 0, length: 0))
  }

  /// Has the pitch move with the next frame that is written. A thousand turns that nobody has seen yet are
  /// enough. Audio thread.
  @_noLocks @_noAllocation func turn(to pitch: Float, over length: Int) {
    _ = turns.push(Turn(frame: dry.writePosition, pitch: pitch, length: length))
  }

  /// Has all begin anew with the next frame that is written. Audio thread.
  @_noLocks @_noAllocation func startAnew() {
    askedFrame.store(dry.writePosition, ordering: .relaxed)
    asked.store(asked.load(ordering: .relaxed) + 1, ordering: .releasing)
  }

  /// The frame of the wet ring at which the sound since the last beginning starts; −1 while it has not
  /// begun. Audio thread.
  var start: Int {
    @_noLocks @_noAllocation get {
      begun.load(ordering: .acquiring) == asked.load(ordering: .relaxed)
        ? wetStart.load(ordering: .relaxed) : -1
    }
  }

  /// The frame to begin anew at, and which beginning it is; nil where all goes on. Working thread.
  func beginning() -> (frame: Int, number: Int)? {
    let number = asked.load(ordering: .acquiring)
    return number == begun.load(ordering: .relaxed) ? nil : (askedFrame.load(ordering: .relaxed), number)
  }

  /// Says that what is written to the wet ring from now on belongs to that beginning. Working thread.
  func begin(_ number: Int) {
    wetStart.store(wet.writePosition, ordering: .relaxed)
    begun.store(number, ordering: .releasing)
  }
}
