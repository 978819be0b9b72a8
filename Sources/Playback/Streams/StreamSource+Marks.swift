// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import Synchronization

/// Maps ring frames to file positions: the prefetch thread records a mark wherever the playback rate changes.
extension StreamSource {
  /// The file position of a ring frame.
  struct Mark: BitwiseCopyable {
    /// The ring frame, counted since the ring was created.
    var frame: Int
    /// The file position in frames, with its fraction, and the playback rate from there on, in file frames per output
    /// frame.
    var position: Double, advance: Double
  }

  /// Applies the latest filling and the marks up to the next frame to be read. Audio thread only, while it holds the
  /// ring.
  @_noLocks @_noAllocation func adopt() {
    if unsafe fillings.version() != audio.pointee.filling.number {
      unsafe fillings.read(into: &audio.pointee.filling)
      let filling = unsafe audio.pointee.filling
      // The playback rate stays: only marks change it.
      unsafe audio.pointee.mark.frame = filling.ringFrame
      unsafe audio.pointee.mark.position = Double(filling.frame)
      unsafe audio.pointee.status.filling = filling.number
      unsafe audio.pointee.status.position = filling.frame
    }
    let frame = ring.readPosition
    while let next = marks.peek(), next.frame <= frame {
      unsafe audio.pointee.mark = next
      _ = marks.pop()
    }
  }

  /// Updates the file position after frames were read. Audio thread only, while it holds the ring.
  @_noLocks @_noAllocation func move() {
    adopt()
    let last = unsafe audio.pointee.mark
    unsafe audio.pointee.status.pace = last.advance
    // 1e-6 absorbs rounding errors, so that a frame that has practically been reached counts as reached.
    unsafe audio.pointee.status.position = Int(
      last.position + Double(ring.readPosition - last.frame) * last.advance + 1e-6)
  }
}
