// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLV2
internal import SwiftletSignal

/// A WAV file in memory: RIFF, or RF64 with its sizes of 64 bits; whole numbers of 8 to 32 bits, or floats of 32 or 64.
///
/// What the file says is not believed: nothing is read beyond its end, and one that was cut short gives what is left.
@safe struct WaveFile {
  /// The most bytes that a file may have, and the most samples of all its channels.
  static var mostBytes: Int { 1 << 29 }
  static var mostSamples: Int { 1 << 27 }

  private var bytes: UnsafeRawBufferPointer
  private var isFloat = false
  /// Bytes of a sample; 0 where the format is not known yet.
  private var width = 0
  private var channelCount = 0
  private var rate = 0

  /// The sound of a file at a path that ends with a zero; nil where that cannot be read, or is no sound.
  static func read(_ path: [CChar]) -> Sound? {
    var count = 0
    guard
      let memory = unsafe path.withUnsafeBufferPointer({ path in
        unsafe swiftlet_read_file(path.baseAddress, mostBytes, &count)
      })
    else { return nil }
    defer { unsafe swiftlet_free(memory) }
    var file = unsafe WaveFile(UnsafeRawBufferPointer(start: memory, count: count))
    return file.sound()
  }

  /// Bytes that stay for as long as this is used.
  @unsafe init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

  /// What is in it; nil where that is no sound that can be read.
  mutating func sound() -> Sound? {
    let form = name(at: 0), isLong = form == "RF64" || form == "BW64"
    guard isLong || form == "RIFF", name(at: 8) == "WAVE" else { return nil }
    var chunks = unsafe RIFFChunks(fileSize: bytes.count), longSize = -1
    while let chunk = chunks.next(word: { word($0) ?? 0 }) {
      let place = chunk.place
      switch chunk.name {
      case "ds64":
        guard chunk.size >= 16, let low = word(place + 8), let high = word(place + 12) else { break }
        longSize = Int(truncatingIfNeeded: UInt64(high) << 32 | UInt64(low))
      case "fmt ":
        guard takeFormat(at: place, size: chunk.size) else { return nil }
      case "data":
        let isUnsaid = chunk.size == UInt32.max, size = isLong && longSize >= 0 ? longSize : .max
        return samples(at: place, size: unsafe min(isUnsaid ? size : chunk.size, bytes.count - place))
      default: break
      }
    }
    return nil
  }

  private mutating func takeFormat(at place: Int, size: Int) -> Bool {
    guard size >= 16, let head = word(place), let rate = word(place + 4), let tail = word(place + 12) else {
      return false
    }
    var format = head & 0xFFFF
    // The format's own name stands behind what an extended one adds: bits, speakers.
    if format == 0xFFFE {
      guard size >= 40, let name = word(place + 24) else { return false }
      format = name & 0xFFFF
    }
    channelCount = Int(head >> 16)
    self.rate = Int(rate)
    let frame = Int(tail & 0xFFFF)
    guard format == 1 || format == 3, (1...64).contains(channelCount), (1000...1_000_000).contains(self.rate),
      frame % channelCount == 0
    else { return false }
    width = frame / channelCount
    isFloat = format == 3
    return isFloat ? width == 4 || width == 8 : (1...4).contains(width)
  }

  private func samples(at place: Int, size: Int) -> Sound? {
    guard width > 0, size > 0 else { return nil }
    let frame = width * channelCount, count = size / frame
    guard count > 0, count <= Self.mostSamples / channelCount else { return nil }
    var channels: [[Float]] = []
    for channel in 0..<channelCount {
      var samples = [Float](repeating: 0, count: count)
      for number in 0..<count { samples[number] = sample(at: place + number * frame + channel * width) }
      channels.append(samples)
    }
    return Sound(channels: channels, recordedRate: Double(rate))
  }

  /// One sample, all of whose bytes are there; 0 for what is no number.
  private func sample(at place: Int) -> Float {
    if isFloat {
      let value =
        width == 8
        ? unsafe Float(bytes.loadUnaligned(fromByteOffset: place, as: Double.self))
        : unsafe bytes.loadUnaligned(fromByteOffset: place, as: Float.self)
      return abs(value) <= Samples.loudest ? value : 0
    }
    // The top bits of 32; those of 8 bits count from their middle.
    var top: UInt32 = 0
    for byte in 0..<width { unsafe top |= UInt32(bytes[place + byte]) << UInt32(32 - 8 * (width - byte)) }
    if width == 1 { top ^= 0x8000_0000 }
    return Float(Int32(bitPattern: top)) / 2_147_483_648
  }

  private func word(_ place: Int) -> UInt32? {
    guard place >= 0, unsafe place <= bytes.count - 4 else { return nil }
    return unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
  }

  private func name(at place: Int) -> RIFFChunks.Name { .init(word(place) ?? 0) }
}
