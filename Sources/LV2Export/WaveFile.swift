// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLV2
internal import SwiftletSignal

/// A WAV file in memory: RIFF, or RF64 with 64-bit sizes; integers of 8 to 32 bits, or floats of 32 or 64 bits.
///
/// The file's data is not trusted: nothing is read beyond its end. A truncated file yields the remaining samples.
@safe struct WaveFile {
  /// The maximum size of a file in bytes, and the maximum number of samples of all channels.
  static var mostBytes: Int { 1 << 29 }
  static var mostSamples: Int { 1 << 27 }

  private var bytes: UnsafeRawBufferPointer
  private var isFloat = false
  /// The size of a sample in bytes; 0 until the format is known.
  private var width = 0
  private var channelCount = 0
  private var rate = 0

  /// Reads the sound of a file at a null-terminated path; nil if the file cannot be read or has no sound.
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

  /// The bytes, which must stay valid while this value is used.
  @unsafe init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

  /// Returns the sound in the file; nil if it cannot be read.
  mutating func sound() -> Sound? {
    let form = name(at: 0), isLong = form == "RF64" || form == "BW64"
    guard isLong || form == "RIFF", name(at: 8) == "WAVE" else { return nil }
    var chunks = unsafe RIFFChunks(fileSize: bytes.count), longSize = -1
    while let chunk = chunks.next(word: { word($0) ?? 0 }) {
      let offset = chunk.offset
      switch chunk.name {
      case "ds64":
        guard chunk.size >= 16, let low = word(offset + 8), let high = word(offset + 12) else { break }
        longSize = Int(truncatingIfNeeded: UInt64(high) << 32 | UInt64(low))
      case "fmt ":
        guard takeFormat(at: offset, size: chunk.size) else { return nil }
      case "data":
        let isUnsaid = chunk.size == UInt32.max, size = isLong && longSize >= 0 ? longSize : .max
        return samples(at: offset, size: unsafe min(isUnsaid ? size : chunk.size, bytes.count - offset))
      default: break
      }
    }
    return nil
  }

  private mutating func takeFormat(at offset: Int, size: Int) -> Bool {
    guard size >= 16, let head = word(offset), let rate = word(offset + 4), let tail = word(offset + 12)
    else {
      return false
    }
    var format = head & 0xFFFF
    // In the extensible format, the actual format code follows bit depth and channel mask.
    if format == 0xFFFE {
      guard size >= 40, let name = word(offset + 24) else { return false }
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

  private func samples(at offset: Int, size: Int) -> Sound? {
    guard width > 0, size > 0 else { return nil }
    let frame = width * channelCount, count = size / frame
    guard count > 0, count <= Self.mostSamples / channelCount else { return nil }
    var channels: [[Float]] = []
    for channel in 0..<channelCount {
      var samples = [Float](repeating: 0, count: count)
      for number in 0..<count { samples[number] = sample(at: offset + number * frame + channel * width) }
      channels.append(samples)
    }
    return Sound(channels: channels, recordedRate: Double(rate))
  }

  /// A sample whose bytes are all in the file; 0 for NaN and for values beyond the limit.
  private func sample(at offset: Int) -> Float {
    if isFloat {
      let value =
        width == 8
        ? unsafe Float(bytes.loadUnaligned(fromByteOffset: offset, as: Double.self))
        : unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Float.self)
      return abs(value) <= Samples.loudest ? value : 0
    }
    // Left-aligned in 32 bits; 8-bit samples are unsigned.
    var top: UInt32 = 0
    for byte in 0..<width { unsafe top |= UInt32(bytes[offset + byte]) << UInt32(32 - 8 * (width - byte)) }
    if width == 1 { top ^= 0x8000_0000 }
    return Float(Int32(bitPattern: top)) / 2_147_483_648
  }

  private func word(_ offset: Int) -> UInt32? {
    guard offset >= 0, unsafe offset <= bytes.count - 4 else { return nil }
    return unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
  }

  private func name(at offset: Int) -> RIFFChunks.Name { .init(word(offset) ?? 0) }
}
