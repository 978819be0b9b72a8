// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// A sound file that is read from beginning to end, or from wherever one seeks to, at its own rate.
///
/// Any format that libsndfile reads; and MPEG-4, AAC, Matroska and others, where the `ffmpeg` program is
/// installed. Samples are floats between -1 and 1. One thread at a time uses a reader.
package final class AudioFileReader {
  /// What the file says of itself.
  package let info: AudioFileInfo
  /// The next frame that is read.
  package private(set) var position = 0
  /// Whether several readers of parts of the file are as good as one of the whole.
  var beginsAnywhere: Bool { decoder.beginsAnywhere }
  private let decoder: any FrameDecoder
  /// Nil where the file may be written on while it is read.
  private let watched: WatchedFile?
  /// Whether something was taken from the file since it was last found as it was.
  private var mustCheck = false

  /// The most channels, and the rates, that are believed.
  static let channelLimit = 128
  static let rates = 1000...1_536_000

  /// Opens a sound file. One without a frame is as good as any other.
  ///
  /// - Throws: ``FileError``: missing, empty of bytes, truncated, not audio, unreadable, a directory or unsupported; or
  ///   of a kind that needs a program which is not installed.
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
      throw FileError(.unsupported, path, "does not say how long it is; convert it with another program")
    }
  }

  /// What reads the file: libsndfile whatever it knows, a child process the rest.
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
  ///   - channels: one pointer a channel of the file, each to `count` floats.
  ///   - count: how many frames are wanted.
  /// - Returns: how many were there; fewer only at the end.
  /// - Throws: ``FileError`` where the file ends before its announced length, cannot be read, or was written to
  ///   since it was opened.
  package func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int
  ) throws(FileError) -> Int {
    try read(into: Channels(channels, count: info.channelCount), count: count)
  }

  /// Reads up to `count` frames as one array a channel; the arrays are empty at the end.
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
      // Afterwards: a change is known before the first of its bytes is there.
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

  /// Goes to a frame; one past the end is the end.
  ///
  /// - Throws: ``FileError`` where the file cannot be sought in.
  package func seek(to frame: Int) throws(FileError) {
    let target = max(0, min(frame, info.frameCount))
    if target == position { return }
    // Some codecs refuse to seek to the very end: nothing is read from there anyway.
    if target < info.frameCount { try decoder.seek(to: target) }
    position = target
  }
}

extension AudioFileReader {
  /// Refuses what is no file with content that can be read.
  ///
  /// - Throws: ``FileError``: missing, empty, unreadable, a directory or no regular file.
  package static func requireRegularFile(_ path: String) throws(FileError) {
    close(try openRegularFile(path))
  }

  /// A descriptor of a file that has content; a device or a pipe would make us wait for ever.
  static func openRegularFile(_ path: String) throws(FileError) -> Int32 {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw FileError(.badName, path, "is no file name") }
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
