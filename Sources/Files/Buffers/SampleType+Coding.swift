// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension AudioFormat.SampleType {
  /// The size of a sample in bytes.
  var byteCount: Int {
    switch self {
    case .float64: 8
    case .float32, .int32: 4
    case .int24: 3
    case .int16: 2
    }
  }

  /// The number of bits of an integer type; nil for floats.
  var bits: Int? {
    switch self {
    case .float32, .float64: nil
    case .int16: 16
    case .int24: 24
    case .int32: 32
    }
  }

  /// Decodes interleaved samples: `count` samples from sample `start` on, as fractions of full scale.
  func decode(_ bytes: [UInt8], from start: Int, count: Int) -> [Double] {
    let size = byteCount
    return bytes.withUnsafeBytes { bytes in
      (start..<start + count).map { index in
        let offset = index * size
        switch self {
        case .float32:
          return Double(
            Float(
              bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))))
        case .float64:
          return Double(
            bitPattern: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        case .int16:
          return Double(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self)))
            * 0x1p-15
        case .int24:
          let low = Int32(bytes[offset]) | Int32(bytes[offset + 1]) << 8
          return Double(low | Int32(Int8(bitPattern: bytes[offset + 2])) << 16) * 0x1p-23
        case .int32:
          return Double(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
            * 0x1p-31
        }
      }
    }
  }

  /// Appends a sample: a fraction of full scale for floats, a whole number of quantization steps for integers.
  func encode(_ sample: Double, to bytes: inout [UInt8]) {
    switch self {
    case .float32: append(UInt64(Float(sample).bitPattern), to: &bytes)
    case .float64: append(sample.bitPattern, to: &bytes)
    case .int16, .int24, .int32: append(UInt64(bitPattern: Int64(sample)), to: &bytes)
    }
  }

  private func append(_ word: UInt64, to bytes: inout [UInt8]) {
    for byte in 0..<byteCount { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * byte))) }
  }

  /// Converts fractions of full scale to whole quantization steps: dithers, rounds to the nearest step with ties to
  /// even, and clips at full scale. NaN becomes 0. Does nothing for floats.
  func quantize(_ samples: inout [Double], with dither: inout Dither?) {
    guard let bits else { return }
    let scale = Double(1 << (bits - 1))
    for index in samples.indices { samples[index] = samples[index].isNaN ? 0 : samples[index] * scale }
    samples.withUnsafeMutableBufferPointer { dither?.addNoise(to: $0) }
    for index in samples.indices {
      samples[index] = min(max(samples[index].rounded(.toNearestOrEven), -scale), scale - 1)
    }
  }
}
