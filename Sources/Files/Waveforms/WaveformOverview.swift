// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The waveform of a sound at several zoom levels: the lowest and highest sample and the RMS of every few hundred
/// frames of each channel, so that a picture of any width is drawn at once.
///
/// A value, for any thread but the audio thread.
public struct WaveformOverview: Sendable, Equatable {
  /// Consecutive frames of a channel.
  public struct Bucket: Sendable, Equatable, BitwiseCopyable {
    /// The lowest and the highest sample. Infinite values and NaN count as 0.
    public var low: Float, high: Float
    /// The root mean square.
    public var rms: Float

    /// Creates a bucket with the lowest sample, the highest sample and the root mean square.
    package init(low: Float, high: Float, rms: Float) { (self.low, self.high, self.rms) = (low, high, rms) }

    /// Silence.
    package static let silence = Bucket(low: 0, high: 0, rms: 0)
  }

  /// The whole sound at one zoom level.
  package struct Level: Sendable, Equatable {
    /// The number of frames in a bucket; the last one may have fewer.
    package let framesPerBucket: Int
    /// The buckets in order of frames, with the channels interleaved.
    package let buckets: [Bucket]
  }

  /// Frames per second.
  public let sampleRate: Double
  /// The number of channels.
  public let channelCount: Int
  /// The number of frames.
  public let frameCount: Int
  /// The levels, from the finest zoom to one that fits into any picture; empty if there are no frames.
  package let levels: [Level]

  /// The factor between the bucket widths of two levels.
  private static let zoom = 8
  /// The maximum number of buckets per channel in the last level.
  private static let fewest = 256

  /// Creates an overview from its finest level, which has `channelCount` buckets for each `framesPerBucket` frames.
  init(
    sampleRate: Double, channelCount: Int, frameCount: Int, framesPerBucket: Int, finest: [Bucket]
  ) {
    (self.sampleRate, self.channelCount, self.frameCount) = (sampleRate, channelCount, frameCount)
    var levels = [Level(framesPerBucket: framesPerBucket, buckets: finest)]
    while let last = levels.last, last.buckets.count > WaveformOverview.fewest * channelCount {
      levels.append(last.coarser(by: WaveformOverview.zoom, channelCount, frameCount))
    }
    self.levels = finest.isEmpty ? [] : levels
  }

  /// Returns the whole sound of a channel as one bucket.
  public func total(of channel: Int) -> Bucket {
    columns(of: channel, in: 0..<frameCount, count: 1).first ?? .silence
  }

  /// Returns the columns of a picture: a range of frames in `count` equal parts.
  ///
  /// A column is made from buckets that are at most a quarter as wide. A column narrower than four of the finest
  /// buckets is made from all buckets that it touches. Outside of the sound there is silence.
  public func columns(of channel: Int, in range: Range<Int>, count: Int) -> [Bucket] {
    guard count > 0, 0..<channelCount ~= channel else { return [] }
    let range = range.clamped(to: -1 << 60..<1 << 60)
    let width = range.count / count
    guard let level = levels.last(where: { 4 * $0.framesPerBucket <= width }) ?? levels.first else {
      return Array(repeating: .silence, count: count)
    }
    return (0..<count).map { column in
      let (start, end) = WaveformOverview.column(column, of: count, in: range)
      return level.merged(
        (start..<end).clamped(to: 0..<frameCount), of: channel, channelCount, frameCount)
    }
  }

  /// Returns the frames of a column of a picture; at least one.
  static func column(_ column: Int, of count: Int, in range: Range<Int>) -> (start: Int, end: Int) {
    func firstFrame(_ column: Int) -> Int {
      let (product, overflows) = range.count.multipliedReportingOverflow(by: column)
      return range.lowerBound + (overflows ? range.count / count * column : product / count)
    }
    let start = firstFrame(column)
    return (start, max(firstFrame(column + 1), start + 1))
  }
}

extension WaveformOverview.Level {
  /// Returns the same sound in buckets that are `zoom` times as wide.
  fileprivate func coarser(by zoom: Int, _ channelCount: Int, _ frameCount: Int) -> Self {
    let count = (buckets.count / channelCount + zoom - 1) / zoom
    var merged: [WaveformOverview.Bucket] = []
    merged.reserveCapacity(count * channelCount)
    for bucket in 0..<count {
      let start = bucket * zoom * framesPerBucket
      let frames = start..<min(start + zoom * framesPerBucket, frameCount)
      for channel in 0..<channelCount {
        merged.append(self.merged(frames, of: channel, channelCount, frameCount))
      }
    }
    return Self(framesPerBucket: framesPerBucket * zoom, buckets: merged)
  }

  /// Merges all buckets that overlap a range of frames.
  fileprivate func merged(
    _ frames: Range<Int>, of channel: Int, _ channelCount: Int, _ frameCount: Int
  ) -> WaveformOverview.Bucket {
    guard !frames.isEmpty else { return .silence }
    var low = Float.infinity, high = -Float.infinity, squares = 0.0, total = 0.0
    let past = (frames.upperBound - 1) / framesPerBucket + 1
    for bucket in frames.lowerBound / framesPerBucket..<past {
      let index = bucket * channelCount + channel
      guard index < buckets.count else { break }
      let one = buckets[index]
      // The last bucket has fewer frames, and less weight.
      let weight = Double(min(framesPerBucket, frameCount - bucket * framesPerBucket))
      low = min(low, one.low)
      high = max(high, one.high)
      squares += Double(one.rms) * Double(one.rms) * weight
      total += weight
    }
    guard total > 0 else { return .silence }
    return WaveformOverview.Bucket(low: low, high: high, rms: Float((squares / total).squareRoot()))
  }
}
