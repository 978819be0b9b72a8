// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Computes the lowest sample, the highest sample and the RMS of incoming frames, bucket by bucket.
struct WaveformScan {
  /// The running values of an incomplete bucket.
  private struct Sum {
    var low = Float.infinity, high = -Float.infinity
    var squares = 0.0

    /// Adds up to one block of a channel's samples, eight at a time.
    mutating func add(_ samples: UnsafePointer<Float>, _ count: Int) {
      let whole = count / 8 * 8
      if whole > 0 { addEights(samples, whole) }
      for index in whole..<count {
        let sample = abs(samples[index]) <= .greatestFiniteMagnitude ? samples[index] : 0
        low = min(low, sample)
        high = max(high, sample)
        squares += Double(sample) * Double(sample)
      }
    }

    private mutating func addEights(_ samples: UnsafePointer<Float>, _ count: Int) {
      let raw = UnsafeRawPointer(samples)
      let most = SIMD8<Float>(repeating: .greatestFiniteMagnitude)
      var lows = SIMD8<Float>(repeating: low), highs = SIMD8<Float>(repeating: high)
      // A block has few enough samples for a float to sum them accurately.
      var sum = SIMD8<Float>()
      for index in stride(from: 0, to: count, by: 8) {
        var eight = raw.loadUnaligned(fromByteOffset: index * 4, as: SIMD8<Float>.self)
        eight.replace(with: 0, where: .!((eight .<= most) .& (eight .>= -most)))
        lows.replace(with: eight, where: eight .< lows)
        highs.replace(with: eight, where: eight .> highs)
        sum += eight * eight
      }
      low = lows.min()
      high = highs.max()
      for lane in 0..<8 { squares += Double(sum[lane]) }
    }
  }

  let channelCount: Int
  let framesPerBucket: Int
  private(set) var buckets: [WaveformOverview.Bucket] = []
  private var sums: [Sum]
  /// The number of frames in the incomplete bucket.
  private var filled = 0

  /// The minimum number of frames per bucket; the actual number is this times a power of two.
  static let block = 256
  /// The maximum number of buckets in an overview over all channels: 12 MiB of memory and disk.
  private static let most = 1 << 20

  /// Returns the width of the finest buckets for a sound, in frames.
  static func framesPerBucket(_ frameCount: Int, _ channelCount: Int) -> Int {
    var width = block
    while (frameCount / width + 1).multipliedReportingOverflow(by: channelCount).partialValue > most {
      width *= 2
    }
    return width
  }

  init(channelCount: Int, framesPerBucket: Int) {
    self.channelCount = channelCount
    self.framesPerBucket = framesPerBucket
    sums = Array(repeating: Sum(), count: channelCount)
  }

  /// Adds the next frames.
  mutating func add(_ channels: Channels, count: Int) {
    var done = 0
    while done < count {
      let run = min(count - done, WaveformScan.block, framesPerBucket - filled)
      for channel in 0..<channelCount { sums[channel].add(channels[channel] + done, run) }
      done += run
      filled += run
      if filled == framesPerBucket { close() }
    }
  }

  /// Completes the last bucket, which may have fewer frames.
  mutating func finish() { if filled > 0 { close() } }

  private mutating func close() {
    for channel in 0..<channelCount {
      let sum = sums[channel]
      // If samples are so large that their squares overflow, the RMS is limited to the peak.
      let rms = min(Float((sum.squares / Double(filled)).squareRoot()), max(abs(sum.low), abs(sum.high)))
      buckets.append(WaveformOverview.Bucket(low: sum.low, high: sum.high, rms: rms))
      sums[channel] = Sum()
    }
    filled = 0
  }
}
