// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletTimeline

/// What a sound file says of itself.
public struct AudioFileInfo: Sendable, Equatable {
  /// Where it is.
  public var path: String
  /// Its container for people, such as `WAV (Microsoft)`.
  public var container: String
  /// How its samples are stored, for people, such as `Signed 24 bit PCM`.
  public var encoding: String
  /// Frames a second.
  public var sampleRate: Double
  /// Channels of each frame.
  public var channelCount: Int
  /// How many frames it holds.
  public var frameCount: Int
  /// What it tells of its content.
  public var tags = FileTags()
  /// The frames that a sampler would loop; nil where the file names none.
  package var sampleLoop: Range<Int>?
  /// How long it plays.
  public var duration: MediaTime { MediaTime(frames: Int64(frameCount), at: sampleRate) }
}
