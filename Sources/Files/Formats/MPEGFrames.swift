// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Walks through the frames of MPEG audio, such as MP3, by their headers. Each header determines where the next frame
/// is.
struct MPEGFrames {
  /// The properties of a frame from its four header bytes.
  struct Header {
    /// The frame's size in bytes including the header, and its number of samples per channel.
    let byteCount: Int, sampleCount: Int

    /// Returns nil if the bytes are not a frame header, or the header does not determine the frame's size.
    init?(_ bytes: ArraySlice<UInt8>) {
      let bytes = Array(bytes)
      guard bytes.count == 4, bytes[0] == 0xFF, bytes[1] >= 0xE0 else { return nil }
      let version = Int(bytes[1] >> 3 & 3), layer = 4 - Int(bytes[1] >> 1 & 3)
      let speed = Int(bytes[2] >> 4), rate = Int(bytes[2] >> 2 & 3), padding = Int(bytes[2] >> 1 & 1)
      guard version != 1, layer < 4, 1..<15 ~= speed, rate < 3 else { return nil }
      // MPEG 2 has half the rates of MPEG 1, and MPEG 2.5 a quarter.
      let isFirst = version == 3
      let bits = 1000 * (isFirst ? Self.first[layer - 1] : Self.second[min(layer, 2) - 1])[speed - 1]
      let samples = layer == 1 ? 384 : layer == 3 && !isFirst ? 576 : 1152
      let rates = [44_100, 48_000, 32_000][rate] >> (isFirst ? 0 : version == 2 ? 1 : 2)
      sampleCount = samples
      byteCount = layer == 1 ? (12 * bits / rates + padding) * 4 : samples / 8 * bits / rates + padding
    }

    /// Bit rates in kbit/s by layer and index: of MPEG 1, and of MPEG 2 and 2.5.
    private static let first = [
      Array(stride(from: 32, through: 448, by: 32)),
      [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
      [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    ]
    private static let second = [
      [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
      [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]
  }

  /// The maximum number of samples per channel in a frame.
  static let mostSamples = 1152
  /// The maximum number of bytes without a frame that are searched.
  private static let mostSkipped = 1 << 16
  /// The number of bytes kept before the read position. It exceeds the size of a frame, so that looking at the next
  /// frame and returning reads the file once.
  private static let margin = 4096

  private let file: ByteFile, size: Int
  /// Bytes of the file, and their position in it.
  private var held: [UInt8] = [], start = 0
  /// The number of times that the file was read.
  private(set) var readCount = 0

  /// Uses a descriptor that the caller keeps open.
  init(_ descriptor: Int32) {
    file = ByteFile(descriptor)
    size = file.size
  }

  /// Counts the samples per channel from the beginning. Stops once there are more than `most`. Skips tags between
  /// frames, and short runs of bytes that belong to no frame.
  mutating func count(upTo most: Int) -> Int {
    var offset = 0, total = 0, lost = 1
    while offset < size, total <= most, lost < Self.mostSkipped {
      let head = bytes(at: offset, 10), tag = Self.tagSize(head)
      if tag > 0 {
        offset += tag
      } else if let header = Header(head[..<4]), offset + header.byteCount <= size,
        lost == 0 || isFollowed(offset + header.byteCount)
      {
        offset += header.byteCount
        total += header.sampleCount
        lost = 0
      } else {
        offset += 1
        lost += 1
      }
    }
    return total
  }

  /// Returns the size of the tag that begins with these ten bytes; 0 if there is none. The size field has four times
  /// seven bits.
  static func tagSize(_ head: [UInt8]) -> Int {
    guard head.count == 10, head.starts(with: Array("ID3".utf8)) else { return 0 }
    return 10 + head[6...].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
  }

  /// Whether a frame header or the end of the file follows. Four bytes may look like a header by chance.
  private mutating func isFollowed(_ offset: Int) -> Bool {
    offset == size || Header(bytes(at: offset, 4)[...]) != nil
  }

  private mutating func bytes(at offset: Int, _ count: Int) -> [UInt8] {
    if offset < start || offset + count > start + held.count {
      start = max(offset - Self.margin, 0)
      held = [UInt8](file.bytes(at: start, count: 1 << 16))
      readCount += 1
    }
    return Array(held[offset - start..<offset - start + count])
  }
}
