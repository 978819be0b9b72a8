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
  /// How many frames are read before one that is sought, at another speed: those that what is made then depends on.
  private let lead: Int

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
    lead = reader.isStretching ? sampleRate / 25 + Int(Self.filterFrames / min(speed, 1)) : 0
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

  /// Goes to a frame, counted from the piece's beginning. At another speed the frames before it are made too, so that
  /// it sounds as if the piece had played up to there.
  func seek(to frame: Int) throws(FileError) {
    guard frame != position else { return }
    let start = entry(before: frame)
    try reader.seek(to: first + Int((Double(start) * speed).rounded()))
    position = start
    guard start < frame else { return }
    let memory = ChannelMemory(channelCount: channelCount, frameCount: frame - start)
    try read(into: memory.channels, count: frame - start)
  }

  /// A frame to begin at on the way to another, of which that of the file is nearly a whole number: so the frames that
  /// follow lie between those of the file as if the piece had played from its beginning.
  private func entry(before frame: Int) -> Int {
    guard lead > 0, frame > 2 * lead else { return lead > 0 ? 0 : frame }
    func distance(_ frame: Int) -> Double {
      let place = Double(frame) * speed
      return abs(place - place.rounded())
    }
    var best = frame - lead
    for other in (frame - 2 * lead)..<best where distance(other) < distance(best) { best = other }
    return best
  }

  /// How many frames on one side of a frame the filters of speeds look at.
  private static let filterFrames = 600.0

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
