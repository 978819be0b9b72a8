// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletTimeline

/// The format, length and tags of a sound file.
public struct AudioFileInfo: Sendable, Equatable {
  /// The file's path.
  public var path: String
  /// The name of the container, such as `WAV (Microsoft)`.
  public var container: String
  /// The name of the sample encoding, such as `Signed 24 bit PCM`.
  public var encoding: String
  /// Frames per second.
  public var sampleRate: Double
  /// The number of channels.
  public var channelCount: Int
  /// The number of frames.
  public var frameCount: Int
  /// The title, artist and other tags.
  public var tags = FileTags()
  /// The loop that the file defines for samplers, in frames; nil if there is none.
  package var sampleLoop: Range<Int>?
  /// The duration of the file.
  public var duration: MediaTime { MediaTime(frames: Int64(frameCount), at: sampleRate) }
}
