// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The format of an overview in a cache: words of eight bytes in the machine's byte order, the file's path, and the
/// buckets of the finest level. Coarser levels are computed from those.
///
/// The words: a mark with the version, a check sum of everything after it, size and modification time of the file,
/// rate, channel count, frame count, frames per bucket, and path length in bytes.
extension WaveformOverview {
  /// Increase the version when the format or the computation changes.
  private static let mark = UInt64(0x5357_4C57_4156_0002)
  private static let words = 9
  private static let bucketBytes = 12

  /// Returns the bytes to store for a file in a state; nil if the overview is empty.
  func kept(of path: String, _ stamp: FileStamp) -> [UInt8]? {
    guard let finest = levels.first else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 * Self.words + path.utf8.count + Self.bucketBytes * finest.buckets.count)
    let head = [
      Self.mark, 0, UInt64(bitPattern: Int64(stamp.size)), UInt64(bitPattern: Int64(stamp.changed)),
      sampleRate.bitPattern, UInt64(channelCount), UInt64(frameCount), UInt64(finest.framesPerBucket),
      UInt64(path.utf8.count),
    ]
    for word in head { withUnsafeBytes(of: word) { bytes += $0 } }
    bytes += path.utf8
    finest.buckets.withUnsafeBytes { bytes += $0 }
    let sum = WaveformCache.hash(bytes, from: 16)
    withUnsafeBytes(of: sum) { sum in
      for (index, byte) in sum.enumerated() { bytes[8 + index] = byte }
    }
    return bytes
  }

  /// Reads an overview from stored bytes. Returns nil if they are damaged, or belong to another file or state.
  init?(kept bytes: [UInt8], of path: String, _ stamp: FileStamp) {
    guard bytes.count >= 8 * Self.words, MemoryLayout<Bucket>.stride == Self.bucketBytes else { return nil }
    let head = bytes.withUnsafeBytes { bytes in
      (0..<Self.words).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
    }
    guard head[0] == Self.mark, head[1] == WaveformCache.hash(bytes, from: 16),
      head[2] == UInt64(bitPattern: Int64(stamp.size)), head[3] == UInt64(bitPattern: Int64(stamp.changed))
    else { return nil }
    let rate = Double(bitPattern: head[4])
    guard let channels = Int(exactly: head[5]), let frames = Int(exactly: head[6]),
      let width = Int(exactly: head[7]), let length = Int(exactly: head[8]),
      1...AudioFileReader.channelLimit ~= channels, 0..<Int.max / 1024 ~= frames, 1...1 << 48 ~= width,
      length == path.utf8.count, rate >= 1, rate <= Double(AudioFileReader.rates.upperBound)
    else { return nil }
    let start = 8 * Self.words + length, count = (frames + width - 1) / width
    guard count <= bytes.count, bytes.count == start + count * channels * Self.bucketBytes,
      bytes[8 * Self.words..<start].elementsEqual(path.utf8)
    else { return nil }
    let finest = bytes.withUnsafeBytes { bytes in
      (0..<count * channels).map {
        bytes.loadUnaligned(fromByteOffset: start + $0 * Self.bucketBytes, as: Bucket.self)
      }
    }
    // Values that are not finite would trap when they are drawn.
    guard finest.allSatisfy({ $0.low.isFinite && $0.high.isFinite && $0.rms.isFinite }) else { return nil }
    self.init(
      sampleRate: rate, channelCount: channels, frameCount: frames, framesPerBucket: width, finest: finest)
  }
}
