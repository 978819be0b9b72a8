// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletSignal

/// A run of frames that a tap hands over: sound, or a place where sound was lost.
///
/// A view into the tap's ring, valid while the drain's closure runs.
@safe package struct TapPiece {
  /// The absolute frame of the stream that it starts at.
  package let frame: Int64
  /// How many frames it is long.
  package let count: Int
  /// Whether these frames were lost: the ring had no room for them, or the stream itself left them out.
  package let isLost: Bool
  /// How many of the lost frames found no room, since nobody drained the tap; the others never came.
  package let overrunCount: Int
  /// How many channels it has.
  package let channelCount: Int
  let sink: TapSink

  /// One channel of the sound, counted from 0; empty where the frames were lost, and for a channel that the
  /// tap does not have.
  package subscript(channel: Int) -> Samples {
    let isThere = 0..<channelCount ~= channel
    let run = sink.ring.samples(of: isThere ? channel : 0)
    return unsafe Samples(run.unsafeBase, count: isThere && !isLost ? count : 0)
  }
}
