// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletTimeline

/// The piece of a track that is read, as long as it can be.
final class OpenPiece {
  /// Which piece of the track it is.
  let index: Int
  /// How many channels it has; 1 until its file is open.
  private(set) var width = 1
  /// Whether its file cannot be read any more.
  private(set) var isLost = false

  private var piece: TrackPiece?
  /// The last frame that was read, and how many frames have faded away since.
  private var last: [Float], faded = 0

  init(_ index: Int, channelCount: Int) {
    self.index = index
    last = [Float](repeating: 0, count: channelCount)
  }

  /// The piece, opened where it is not.
  ///
  /// - Throws: as ``TrackPiece``.
  func piece(
    _ segment: Segment, sampleRate: Int, quality: ResamplingQuality
  ) throws(FileError) -> TrackPiece {
    if let piece { return piece }
    let opened = try TrackPiece(segment, at: segment.asset.path, sampleRate: sampleRate, quality: quality)
    (piece, width) = (opened, opened.channelCount)
    return opened
  }

  /// Keeps the last of some frames that were read.
  func note(_ channels: Channels, _ count: Int) {
    guard count > 0 else { return }
    for channel in last.indices { last[channel] = channels[channel][count - 1] }
  }

  /// Notes that it cannot be read any more.
  func lose() { (piece, isLost) = (nil, true) }

  /// Lays what is left of the last frame, which fades in a straight line, and silence behind it.
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
