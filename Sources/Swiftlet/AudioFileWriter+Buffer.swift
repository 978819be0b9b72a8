// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles

extension AudioFileWriter {
  /// Writes all frames of a buffer. A buffer has no rate of its own: its frames are at the writer's ``sampleRate``.
  ///
  /// - Throws: ``FileError``: of kind `unsupported` if the buffer's channel count is not ``channelCount``, and then
  ///   nothing is written; the disk is full, the file is closed, or writing fails otherwise.
  public func write(_ buffer: AudioBuffer) throws(FileError) {
    guard buffer.channelCount == channelCount else {
      throw FileError(
        .unsupported, path,
        "cannot take the buffer: its channel count is \(buffer.channelCount) instead of \(channelCount);"
          + " give the buffer as many channels as the file")
    }
    try write(buffer.channels)
  }
}
