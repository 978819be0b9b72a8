// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletTimeline

/// The format, length and tags of a sound file.
public struct AudioFileInfo: Sendable, Equatable {
  /// The file's path.
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
  /// The title, artist and other tags.
  public var tags = FileTags()
  /// The frames that a sampler would loop; nil where the file names none.
  package var sampleLoop: Range<Int>?
  /// How long it plays.
  public var duration: MediaTime { MediaTime(frames: Int64(frameCount), at: sampleRate) }
}
