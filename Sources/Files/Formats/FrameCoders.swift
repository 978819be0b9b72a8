// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Decodes the frames of a sound file, through libsndfile or a child process. Use from one thread at a time.
protocol FrameDecoder: AnyObject {
  /// The properties of the file.
  var info: AudioFileInfo { get }
  /// Whether starting in the middle is cheap and gives the same samples as reading up to there.
  var supportsRandomAccess: Bool { get }

  /// Reads up to `count` frames and at least one; returns 0 if the file ends early.
  func read(into channels: Channels, count: Int) throws(FileError) -> Int
  /// Whether the last read may have taken bytes from the file, and not only from a buffer.
  var hasTaken: Bool { get }

  /// Seeks to a frame before the end.
  func seek(to frame: Int) throws(FileError)
}

extension FrameDecoder {
  var hasTaken: Bool { true }
}

/// Encodes frames into a sound file. Use from one thread at a time.
protocol FrameEncoder: AnyObject {
  /// Writes `count` interleaved frames.
  func write(_ samples: [Float], count: Int) throws(FileError)

  /// Updates the header, if the format supports that while the file grows.
  func updateHeader() throws(FileError)

  /// Writes the end of the file. Call it once; no frames may follow.
  func finish() throws(FileError)

  /// Stops without completing the file, which is then unusable.
  func abandon()
}
