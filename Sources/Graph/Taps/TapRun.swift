// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletSignal

/// A run of consecutive frames from a tap: sound, or a gap where sound was lost.
///
/// It is a view into the tap's ring, valid only while the drain's closure runs.
@safe package struct TapRun {
  /// The absolute frame of the stream at which the run starts.
  package let frame: Int64
  /// The run's length in frames.
  package let count: Int
  /// Whether these frames were lost: the ring was full, or the stream itself skipped them.
  package let isLost: Bool
  /// The number of lost frames that did not fit into the ring because the tap was not drained in time; the others
  /// never arrived.
  package let overrunCount: Int
  /// The number of channels.
  package let channelCount: Int
  let sink: TapSink

  /// One channel's samples, counted from 0; empty if the frames were lost or the tap has no such channel.
  package subscript(channel: Int) -> Samples {
    let isThere = 0..<channelCount ~= channel
    let run = sink.ring.samples(of: isThere ? channel : 0)
    return unsafe Samples(run.unsafeBase, count: isThere && !isLost ? count : 0)
  }
}
