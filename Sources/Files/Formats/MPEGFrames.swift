// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Finds its way through MPEG sound, such as MP3, by the headers of its frames, each of which says where the next is.
struct MPEGFrames {
  /// What four bytes say of the frame that they begin.
  struct Header {
    /// How many bytes it has, these four among them, and how many frames of sound.
    let byteCount: Int, sampleCount: Int

    /// Nil where the bytes begin no frame, or one that does not say how long it is.
    init?(_ bytes: ArraySlice<UInt8>) {
      let bytes = Array(bytes)
      guard bytes.count == 4, bytes[0] == 0xFF, bytes[1] >= 0xE0 else { return nil }
      let version = Int(bytes[1] >> 3 & 3), layer = 4 - Int(bytes[1] >> 1 & 3)
      let speed = Int(bytes[2] >> 4), rate = Int(bytes[2] >> 2 & 3), padding = Int(bytes[2] >> 1 & 1)
      guard version != 1, layer < 4, 1..<15 ~= speed, rate < 3 else { return nil }
      // MPEG 2 has half the rates of MPEG 1, and what is called 2.5 a quarter.
      let isFirst = version == 3
      let bits = 1000 * (isFirst ? Self.first[layer - 1] : Self.second[min(layer, 2) - 1])[speed - 1]
      let samples = layer == 1 ? 384 : layer == 3 && !isFirst ? 576 : 1152
      let rates = [44_100, 48_000, 32_000][rate] >> (isFirst ? 0 : version == 2 ? 1 : 2)
      sampleCount = samples
      byteCount = layer == 1 ? (12 * bits / rates + padding) * 4 : samples / 8 * bits / rates + padding
    }

    /// Thousands of bits a second, by layer and number, in MPEG 1, and in what came after it.
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

  /// The most frames of sound that one has.
  static let mostSamples = 1152
  /// For so many bytes a frame is looked for where none is.
  private static let patience = 1 << 16
  /// The bytes that are kept before the place that is read: more than a frame has, so that a look at the frame behind
  /// and the way back read the file once.
  private static let margin = 4096

  private let file: ByteFile, size: Int
  /// Some bytes of the file, and where they lie in it.
  private var held: [UInt8] = [], start = 0
  /// How often the file was read.
  private(set) var readCount = 0

  /// Over a descriptor that the caller keeps open.
  init(_ descriptor: Int32) {
    file = ByteFile(descriptor)
    size = file.size
  }

  /// The frames of sound from the beginning on; not all, but more than `most`, where there are more. Tags between
  /// them are passed over, and so is what belongs to no frame, if there is little of it.
  mutating func count(upTo most: Int) -> Int {
    var place = 0, total = 0, lost = 1
    while place < size, total <= most, lost < Self.patience {
      let head = bytes(at: place, 10), tag = Self.tagSize(head)
      if tag > 0 {
        place += tag
      } else if let header = Header(head[..<4]), place + header.byteCount <= size,
        lost == 0 || isFollowed(place + header.byteCount)
      {
        place += header.byteCount
        total += header.sampleCount
        lost = 0
      } else {
        place += 1
        lost += 1
      }
    }
    return total
  }

  /// How many bytes a tag has that begins with these ten; 0 where none does. It says so in four times seven bits.
  static func tagSize(_ head: [UInt8]) -> Int {
    guard head.count == 10, head.starts(with: Array("ID3".utf8)) else { return 0 }
    return 10 + head[6...].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
  }

  /// Whether a frame, or nothing, comes there: four bytes may look like a header by chance.
  private mutating func isFollowed(_ place: Int) -> Bool {
    place == size || Header(bytes(at: place, 4)[...]) != nil
  }

  private mutating func bytes(at place: Int, _ count: Int) -> [UInt8] {
    if place < start || place + count > start + held.count {
      start = max(place - Self.margin, 0)
      held = [UInt8](file.bytes(at: start, count: 1 << 16))
      readCount += 1
    }
    return Array(held[place - start..<place - start + count])
  }
}
