// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletStretch
internal import SwiftletTimeline

/// One clip of a track, open for reading: frames of its file, at the clip's speed.
final class TrackClip {
  /// The path of the file, for errors.
  let path: String
  let channelCount: Int
  /// The number of frames that have been read.
  private(set) var position = 0

  private let reader: StretchingReader
  /// The frame of the file at which the clip begins, at the reading rate.
  private let first: Int
  private let speed: Double
  /// The number of frames to read before a seek target at another speed: the stretched sound depends on them.
  private let preroll: Int

  /// Opens a clip at its beginning.
  ///
  /// - Throws: ``FileError`` if the file cannot be read, is too short, or cannot be played at the clip's speed.
  init(
    _ segment: Segment, at path: String, sampleRate: Int, quality: ResamplingQuality
  ) throws(FileError) {
    let rate = Double(sampleRate)
    self.path = path
    speed = segment.speed
    first = Int(segment.source.lowerBound.frames(at: rate))
    let file = try ConvertingReader(path, sampleRate: sampleRate, quality: quality)
    try TrackClip.check(segment, of: file.info)
    channelCount = file.channelCount
    let stretch = segment.keepsPitch ? Stretch(speed: speed) : Stretch(varispeed: speed)
    reader = try StretchingReader(file, stretch, isBest: quality == .best)
    preroll = reader.isStretching ? sampleRate / 25 + Int(Self.filterFrames / min(speed, 1)) : 0
    try reader.seek(to: first)
  }

  /// Checks that a file can be played as a clip requires.
  ///
  /// - Throws: ``FileError`` if the file is too short or cannot be played at the clip's speed.
  static func check(_ segment: Segment, of file: AudioFileInfo) throws(FileError) {
    guard Stretch.speeds.contains(segment.speed) else {
      throw FileError(
        .unsupported, file.path,
        "cannot play at \(segment.speed.formatted) times its speed; use 0.25 to 4")
    }
    guard segment.speed == 1 || file.channelCount <= Stretcher.mostChannels else {
      throw StretchingReader.tooManyChannels(file.path)
    }
    // One frame of tolerance allows for rounding.
    guard segment.source.upperBound.frames(at: file.sampleRate) <= Int64(file.frameCount) + 1 else {
      throw FileError(
        .truncated, file.path,
        "is \(file.duration.seconds.formatted) s long; the timeline plays it up to "
          + "\(segment.source.upperBound.seconds.formatted) s")
    }
  }

  /// Seeks to a frame, counted from the clip's beginning. At another speed the preceding frames are computed too, so
  /// that the result is the same as if the clip had played up to there.
  func seek(to frame: Int) throws(FileError) {
    guard frame != position else { return }
    let start = entry(before: frame)
    try reader.seek(to: first + Int((Double(start) * speed).rounded()))
    position = start
    guard start < frame else { return }
    let memory = ChannelMemory(channelCount: channelCount, frameCount: frame - start)
    try read(into: memory.channels, count: frame - start)
  }

  /// Returns a frame to start at before a seek target, chosen so that its file position is nearly a whole number. The
  /// following frames then lie between the file's frames as if the clip had played from its beginning.
  private func entry(before frame: Int) -> Int {
    guard preroll > 0, frame > 2 * preroll else { return preroll > 0 ? 0 : frame }
    func distance(_ frame: Int) -> Double {
      let position = Double(frame) * speed
      return abs(position - position.rounded())
    }
    var best = frame - preroll
    for other in (frame - 2 * preroll)..<best where distance(other) < distance(best) { best = other }
    return best
  }

  /// The half length of the stretch filters, in frames.
  private static let filterFrames = 600.0

  /// Reads frames, followed by silence after the file's end.
  func read(into channels: Channels, count: Int) throws(FileError) {
    let got = try reader.read(into: channels, count: count)
    channels.from(got).clear(count - got)
    position += count
  }
}

extension Double {
  /// The number with at most three decimals.
  fileprivate var formatted: String {
    let thousandths = (self * 1000).rounded() / 1000
    return thousandths == thousandths.rounded() && abs(thousandths) < 1e15
      ? "\(Int(thousandths))" : "\(thousandths)"
  }
}
