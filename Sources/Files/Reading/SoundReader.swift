// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Sound that is read frame after frame at one rate, from any frame on: a file, a track of a composition.
///
/// One thread at a time uses a reader.
protocol SoundReader: AnyObject {
  /// What errors name.
  var path: String { get }
  /// Channels of each frame.
  var channelCount: Int { get }
  /// Frames a second.
  var sampleRate: Int { get }
  /// How many frames there are; nil where there is no end.
  var length: Int? { get }
  /// The next frame that is read.
  var position: Int { get }
  /// Whether frames cost much more to read than to copy.
  var isExpensive: Bool { get }

  /// Reads the next frames; fewer than `count` only at the end.
  func read(into channels: Channels, count: Int) throws(FileError) -> Int

  /// Goes to a frame; one past the end is the end.
  func seek(to frame: Int) throws(FileError)
}

extension SoundReader {
  var isExpensive: Bool { false }
}

extension ConvertingReader: SoundReader {
  var path: String { info.path }
}
