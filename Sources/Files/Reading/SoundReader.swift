// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Sound that is read frame by frame at one rate, from any frame: a file, a track of a composition.
///
/// Use a reader from one thread at a time.
protocol SoundReader: AnyObject {
  /// The name of the sound in errors.
  var path: String { get }
  /// The number of channels.
  var channelCount: Int { get }
  /// Frames per second.
  var sampleRate: Int { get }
  /// The number of frames; nil for endless sound.
  var length: Int? { get }
  /// The index of the frame that is read next.
  var position: Int { get }
  /// Whether frames cost much more to read than to copy.
  var isExpensive: Bool { get }

  /// Reads the next frames. Returns fewer than `count` only at the end.
  func read(into channels: Channels, count: Int) throws(FileError) -> Int

  /// Seeks to a frame. A frame past the end is clamped to the end.
  func seek(to frame: Int) throws(FileError)
}

extension SoundReader {
  var isExpensive: Bool { false }
}

extension ConvertingReader: SoundReader {
  var path: String { info.path }
}
