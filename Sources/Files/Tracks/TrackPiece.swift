// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletStretch
internal import SwiftletTimeline

/// One piece of a track, open for reading: frames of its file, at the speed that its place asks for.
final class TrackPiece {
  /// Where the file is, for errors.
  let path: String
  let channelCount: Int
  /// How many of its frames have been read.
  private(set) var position = 0

  private let reader: StretchingReader
  /// The frame of the file with which the piece begins, at the rate that is read at.
  private let first: Int
  private let speed: Double

  /// Opens a piece at its beginning.
  ///
  /// - Throws: ``FileError`` where the file cannot be read, ends too early, or cannot be played so fast.
  init(
    _ segment: Segment, at path: String, sampleRate: Int, quality: ResamplingQuality
  ) throws(FileError) {
    let rate = Double(sampleRate)
    self.path = path
    speed = segment.speed
    first = Int(segment.source.lowerBound.frames(at: rate))
    let file = try ConvertingReader(path, sampleRate: sampleRate, quality: quality)
    try TrackPiece.check(segment, of: file.info)
    channelCount = file.channelCount
    let stretch = segment.keepsPitch ? Stretch(speed: speed) : Stretch(varispeed: speed)
    reader = try StretchingReader(file, stretch, isBest: quality == .best)
    try reader.seek(to: first)
  }

  /// Sees that a file can play as a piece asks for.
  ///
  /// - Throws: ``FileError`` where it ends too early, or cannot be played so fast.
  static func check(_ segment: Segment, of file: AudioFileInfo) throws(FileError) {
    guard Stretch.speeds.contains(segment.speed) else {
      throw FileError(
        .unsupported, file.path,
        "would have to play \(segment.speed.formatted) times as fast; 0.25 to 4 times is possible")
    }
    guard segment.speed == 1 || file.channelCount <= Stretcher.mostChannels else {
      throw StretchingReader.tooManyChannels(file.path)
    }
    // A frame's rounding is no reason to refuse.
    guard segment.source.upperBound.frames(at: file.sampleRate) <= Int64(file.frameCount) + 1 else {
      throw FileError(
        .truncated, file.path,
        "is \(file.duration.seconds.formatted) s long; the timeline plays it up to "
          + "\(segment.source.upperBound.seconds.formatted) s")
    }
  }

  /// Goes to a frame, counted from the piece's beginning.
  func seek(to frame: Int) throws(FileError) {
    guard frame != position else { return }
    try reader.seek(to: first + Int((Double(frame) * speed).rounded()))
    position = frame
  }

  /// Reads frames; behind the file's end comes silence.
  func read(into channels: Channels, count: Int) throws(FileError) {
    let got = try reader.read(into: channels, count: count)
    channels.from(got).clear(count - got)
    position += count
  }
}

extension Double {
  /// With at most three places after the point.
  fileprivate var formatted: String {
    let thousandths = (self * 1000).rounded() / 1000
    return thousandths == thousandths.rounded() && abs(thousandths) < 1e15
      ? "\(Int(thousandths))" : "\(thousandths)"
  }
}
