// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// Reads a sound file at its own rate, from the beginning or from any frame.
///
/// Supports any format that libsndfile reads, and MPEG-4, AAC, Matroska and others if the `ffmpeg` program is
/// installed. Samples are floats between -1 and 1. Use a reader from one thread at a time.
package final class AudioFileReader {
  /// The properties of the file.
  package let info: AudioFileInfo
  /// The index of the frame that is read next.
  package private(set) var position = 0
  /// Whether several readers of parts of the file give the same samples as one of the whole, at little extra cost.
  var supportsRandomAccess: Bool { decoder.supportsRandomAccess }
  private let decoder: any FrameDecoder
  /// The state of the file when it was opened; nil if the file may be written to while it is read.
  private let watched: WatchedFile?
  /// Whether bytes were taken from the file since the last check for changes.
  private var mustCheck = false

  /// The maximum channel count, and the range of rates in frames per second.
  static let channelLimit = 128
  static let rates = 1000...1_536_000

  /// Opens a sound file, which may have 0 frames.
  ///
  /// - Throws: ``FileError``: missing, empty of bytes, truncated, not audio, unreadable, a directory or unsupported; or
  ///   in a format that needs a program that is not installed.
  package convenience init(_ path: String) throws(FileError) {
    try self.init(path, acceptsTruncated: false)
  }

  init(_ path: String, acceptsTruncated: Bool) throws(FileError) {
    watched = acceptsTruncated ? nil : WatchedFile(path)
    decoder = try AudioFileReader.decoder(of: path, acceptsTruncated: acceptsTruncated)
    info = decoder.info
    guard 1...AudioFileReader.channelLimit ~= info.channelCount else {
      throw FileError(
        .unsupported, path,
        "claims \(info.channelCount) channels; 1 to \(AudioFileReader.channelLimit) are supported")
    }
    guard AudioFileReader.rates.contains(Int(info.sampleRate)) else {
      throw FileError(
        .unsupported, path, "claims a rate of \(Int(info.sampleRate)) Hz; 1000 to 1536000 Hz are supported")
    }
    guard !acceptsTruncated else { return }
    guard info.frameCount < Int.max / 1024 else {
      throw FileError(.unsupported, path, "does not announce its length; convert it with another program")
    }
  }

  /// Returns the decoder of a file: libsndfile for all formats that it supports, `ffmpeg` in a child process for the
  /// others.
  private static func decoder(of path: String, acceptsTruncated: Bool) throws(FileError) -> any FrameDecoder {
    let descriptor = try openRegularFile(path)
    let kind = SoundSignature.of(descriptor)
    if let kind, !kind.isCommon {
      close(descriptor)
      return try FFmpegDecoder(path, kind)
    }
    if let layout = IMA4Decoder.Layout(descriptor) { return try IMA4Decoder(path, descriptor, layout) }
    do throws(SndFileDecoder.Refusal) {
      return try SndFileDecoder(path, descriptor, acceptsTruncated: acceptsTruncated)
    } catch {
      if let kind = error.kind ?? kind, error.isUnknownEncoding { return try FFmpegDecoder(path, kind) }
      throw error.error
    }
  }

  /// Reads the next frames, channel by channel.
  ///
  /// - Parameters:
  ///   - channels: one pointer per channel of the file, each to `count` floats.
  ///   - count: the number of frames to read.
  /// - Returns: the number of frames that were read; fewer than `count` only at the end.
  /// - Throws: ``FileError`` if the file ends before its announced length, cannot be read, or was written to since it
  ///   was opened.
  package func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int
  ) throws(FileError) -> Int {
    try read(into: Channels(channels, count: info.channelCount), count: count)
  }

  /// Reads up to `count` frames as one array per channel. The arrays are empty at the end.
  ///
  /// - Throws: ``FileError``, as ``read(into:count:)``.
  package func read(_ count: Int) throws(FileError) -> [[Float]] {
    let wanted = max(0, min(count, info.frameCount - position))
    let memory = ChannelMemory(channelCount: info.channelCount, frameCount: wanted)
    return try memory.channels.arrays(read(into: memory.channels, count: wanted))
  }

  func read(into channels: Channels, count: Int) throws(FileError) -> Int {
    var total = 0
    while total < count && position < info.frameCount {
      let wanted = min(count - total, info.frameCount - position)
      let got = try decoder.read(into: channels.from(total), count: wanted)
      // Checked after reading, so that a change is reported before any changed bytes are returned.
      mustCheck = mustCheck || decoder.hasTaken
      if mustCheck { try watched?.check(reopens: decoder is FFmpegDecoder) }
      mustCheck = false
      guard got > 0 else {
        throw FileError(
          .truncated, info.path,
          "ends after \(position) of \(info.frameCount) frames; get a whole copy, or recover it",
          mayBeUnfinishedTake: true)
      }
      total += got
      position += got
    }
    return total
  }

  /// Seeks to a frame. Frames outside the file are clamped to its range.
  ///
  /// - Throws: ``FileError`` if the file does not support seeking.
  package func seek(to frame: Int) throws(FileError) {
    let target = max(0, min(frame, info.frameCount))
    if target == position { return }
    // Some codecs refuse to seek to the very end, where nothing is read anyway.
    if target < info.frameCount { try decoder.seek(to: target) }
    position = target
  }
}

extension AudioFileReader {
  /// Throws unless the path leads to a readable regular file with content.
  ///
  /// - Throws: ``FileError``: missing, empty, unreadable, a directory or not a regular file.
  package static func requireRegularFile(_ path: String) throws(FileError) {
    close(try openRegularFile(path))
  }

  /// Opens a file that has content. Refuses devices and pipes, which could block forever.
  static func openRegularFile(_ path: String) throws(FileError) -> Int32 {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw FileError(.badName, path, "is not a valid file name; choose another name")
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw .opening(path, errno: errno) }
    let type = status.st_mode & S_IFMT
    guard type != S_IFDIR else { throw .opening(path, errno: EISDIR) }
    guard type == S_IFREG else {
      throw FileError(.unsupported, path, "is not a regular file; record it to a file first")
    }
    guard status.st_size > 0 else { throw FileError(.empty, path, "is empty: it has no bytes") }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .opening(path, errno: errno) }
    return descriptor
  }
}
