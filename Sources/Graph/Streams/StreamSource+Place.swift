// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import Synchronization

/// The goals of a source that are no frames of its file.
enum Goal {
  /// What is added to a frame of the song.
  static var song: Int { 1 << 61 }
}

/// Which frame of the file lies where in the ring: the filler says so wherever the speed changes.
extension StreamSource {
  /// Where in the file a frame of the ring was taken from.
  struct Mark: BitwiseCopyable {
    /// The frame of the ring, counted since it was made.
    var frame: Int
    /// The frame of the file, with its fraction, and how many go by in each from there on.
    var place: Double, advance: Double
  }

  /// How many frames of the file go by in each.
  var pace: Double { @_noLocks @_noAllocation get { unsafe mark.pointee.advance } }

  /// Takes over what holds for the next frame to be read. Audio thread, while it holds the reading side.
  @_noLocks @_noAllocation func adopt() {
    let frame = ring.readPosition
    while let next = marks.peek(), next.frame <= frame {
      unsafe mark.pointee = next
      _ = marks.pop()
    }
  }

  /// Says where in the file it is, after frames were read. Audio thread, while it holds the reading side.
  @_noLocks @_noAllocation func move() {
    adopt()
    let last = unsafe mark.pointee
    heard.store(last.advance.bitPattern, ordering: .relaxed)
    // A frame that is as good as reached is reached.
    place.store(
      Int(last.place + Double(ring.readPosition - last.frame) * last.advance + 1e-6), ordering: .relaxed)
  }

  /// Says which frame of the sound the first in the ring is. The filler, while it holds the reading side, or before
  /// anybody reads.
  package func begin(at frame: Int) {
    while marks.pop() != nil {}
    // Not the pace: the audio thread may look at that one.
    unsafe mark.pointee.frame = ring.readPosition
    unsafe mark.pointee.place = Double(frame)
    place.store(frame, ordering: .relaxed)
    beginning.store(frame, ordering: .relaxed)
    beginnings.add(1, ordering: .releasing)
  }

  /// Says where in the file the next frame to be written is taken from, and how many go by in each from there on.
  /// The filler.
  ///
  /// - Returns: false where there is no room to say so yet.
  package func setMark(_ place: Double, advance: Double) -> Bool {
    marks.push(Mark(frame: ring.writePosition, place: place, advance: advance))
  }
}
