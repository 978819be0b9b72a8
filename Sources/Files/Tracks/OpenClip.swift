// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletTimeline

/// The clip of a track that is being read, until its file can no longer be read.
final class OpenClip {
  /// The index of the clip in the track.
  let index: Int
  /// The channel count; 1 until the file is open.
  private(set) var width = 1
  /// Whether the file can no longer be read.
  private(set) var isLost = false

  private var clip: TrackClip?
  /// The last frame that was read, and the number of frames of its fade-out so far.
  private var last: [Float], faded = 0

  init(_ index: Int, channelCount: Int) {
    self.index = index
    last = [Float](repeating: 0, count: channelCount)
  }

  /// Returns the clip, opening it if necessary.
  ///
  /// - Throws: the errors of ``TrackClip``.
  func clip(
    _ segment: Segment, sampleRate: Int, quality: ResamplingQuality
  ) throws(FileError) -> TrackClip {
    if let clip { return clip }
    let opened = try TrackClip(segment, at: segment.asset.path, sampleRate: sampleRate, quality: quality)
    (clip, width) = (opened, opened.channelCount)
    return opened
  }

  /// Stores the last of some frames that were read.
  func note(_ channels: Channels, _ count: Int) {
    guard count > 0 else { return }
    for channel in last.indices { last[channel] = channels[channel][count - 1] }
  }

  /// Marks the clip as no longer readable.
  func markLost() { (clip, isLost) = (nil, true) }

  /// Writes a linear fade-out of the last frame, followed by silence.
  func fadeAway(_ channels: Channels, _ count: Int, over frames: Int) {
    for channel in last.indices {
      for frame in 0..<count {
        let left = Float(max(frames - faded - frame - 1, 0)) / Float(frames)
        channels[channel][frame] = last[channel] * left
      }
    }
    faded = min(faded + count, frames)
  }
}
