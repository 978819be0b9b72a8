// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What takes the frames out of a sound file: libsndfile, or a child process. One thread at a time.
protocol FrameDecoder: AnyObject {
  /// What the file says of itself.
  var info: AudioFileInfo { get }
  /// Whether to begin in the middle costs next to nothing, and gives the samples that one would have come to.
  var beginsAnywhere: Bool { get }

  /// Reads up to `count` frames, at least one; none where the file ends early.
  func read(into channels: Channels, count: Int) throws(FileError) -> Int
  /// Whether the last read may have taken bytes from the file, and not only what it had taken before.
  var hasTaken: Bool { get }

  /// Goes to a frame before the end.
  func seek(to frame: Int) throws(FileError)
}

extension FrameDecoder {
  var hasTaken: Bool { true }
}

/// What puts frames into a sound file. One thread at a time.
protocol FrameEncoder: AnyObject {
  /// Writes `count` frames that lie channel beside channel.
  func write(_ samples: [Float], count: Int) throws(FileError)

  /// Brings the header up to date, where that can be while the file grows.
  func updateHeader() throws(FileError)

  /// Writes the end of the file. Once only; nothing may follow.
  func finish() throws(FileError)

  /// Stops without an end. What there is of the file is of no use.
  func abandon()
}
