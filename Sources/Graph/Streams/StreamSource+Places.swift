// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import Synchronization

/// Which frame of the file lies where in the ring: the filler says so wherever the speed changes.
extension StreamSource {
  /// Where in the file a frame of the ring was taken from.
  struct Mark: BitwiseCopyable {
    /// The frame of the ring, counted since it was made.
    var frame: Int
    /// The frame of the file, with its fraction, and how many go by in each from there on.
    var place: Double, advance: Double
  }

  /// Takes over what holds for the next frame to be read. Audio thread, while it has the ring.
  @_noLocks @_noAllocation func adopt() {
    if unsafe fillings.version() != audio.pointee.filling.number {
      unsafe fillings.read(into: &audio.pointee.filling)
      let filling = unsafe audio.pointee.filling
      // The pace stays: marks change it.
      unsafe audio.pointee.mark.frame = filling.ringFrame
      unsafe audio.pointee.mark.place = Double(filling.frame)
      unsafe audio.pointee.status.filling = filling.number
      unsafe audio.pointee.status.position = filling.frame
    }
    let frame = ring.readPosition
    while let next = marks.peek(), next.frame <= frame {
      unsafe audio.pointee.mark = next
      _ = marks.pop()
    }
  }

  /// Says where in the file it is, after frames were read. Audio thread, while it has the ring.
  @_noLocks @_noAllocation func move() {
    adopt()
    let last = unsafe audio.pointee.mark
    unsafe audio.pointee.status.pace = last.advance
    // A frame that is as good as reached is reached.
    unsafe audio.pointee.status.position = Int(
      last.place + Double(ring.readPosition - last.frame) * last.advance + 1e-6)
  }
}
