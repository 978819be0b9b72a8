// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension RecordingFormat {
  /// Returns the encoder of a sound file in this format, without pictures.
  func makeEncoder(
    _ sink: FileSink, rate: Int, channelCount: Int, _ origin: TakeOrigin?, _ comment: String?,
    _ tags: FileTags
  ) throws(FileError) -> any FrameEncoder {
    if needsFFmpeg {
      try FFmpegEncoder(
        sink: sink, format: self, rate: rate, channelCount: channelCount, origin: origin, comment: comment,
        tags: tags)
    } else if encoding == .ima4 && container != .wav {
      try IMA4Encoder(
        sink: sink, format: self, rate: rate, channelCount: channelCount, origin: origin, comment: comment,
        tags: tags)
    } else {
      try SndFileEncoder(
        sink: sink, format: self, rate: rate, channelCount: channelCount, origin: origin, comment: comment,
        tags: tags)
    }
  }
}
