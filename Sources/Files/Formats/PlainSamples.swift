// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSndFile

/// Uncompressed little-endian samples, interleaved, as in most sound files.
///
/// Converts samples to floats and deinterleaves them in one pass, which takes a fraction of the time that libsndfile
/// needs for the conversion alone; the floats are identical. Packing integers is equally fast, and passes large buffers
/// to libsndfile, which would otherwise write to the disk in pieces of 8 KiB.
enum PlainSamples {
  case int16, int24, int32, float32

  /// Returns the sample type for a libsndfile format; nil if the samples are stored in another way.
  init?(format: Int) {
    let container = format & SF_FORMAT_TYPEMASK, order = format & SF_FORMAT_ENDMASK
    // Other containers are big-endian, as are these if their header states it.
    guard [SF_FORMAT_WAV, SF_FORMAT_WAVEX, SF_FORMAT_RF64, SF_FORMAT_W64].contains(container),
      order == SF_ENDIAN_FILE || order == SF_ENDIAN_LITTLE
    else { return nil }
    switch format & SF_FORMAT_SUBMASK {
    case SF_FORMAT_PCM_16: self = .int16
    case SF_FORMAT_PCM_24: self = .int24
    case SF_FORMAT_PCM_32: self = .int32
    case SF_FORMAT_FLOAT: self = .float32
    default: return nil
    }
  }

  /// The size of a sample in bytes.
  var byteCount: Int {
    switch self {
    case .int16: 2
    case .int24: 3
    case .int32, .float32: 4
    }
  }

  /// Converts and deinterleaves `count` frames. One byte after the last frame must be readable.
  func deinterleave(_ bytes: UnsafeRawPointer, into channels: Channels, count: Int) {
    let width = channels.count
    if self == .int16, width == 2 { return deinterleavePairs(bytes, channels[0], channels[1], count) }
    for channel in 0..<width {
      let target = channels[channel], first = bytes + channel * byteCount
      // A loop of its own for mono, since the compiler makes it many times as fast.
      if width == 1 {
        convert(first, apart: 1, to: target, count)
      } else {
        convert(first, apart: width, to: target, count)
      }
    }
  }

  /// Reads a frame of two 16-bit channels as one word. Each sample becomes the upper half of a 32-bit integer.
  private func deinterleavePairs(
    _ bytes: UnsafeRawPointer, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    for frame in 0..<count {
      let pair = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * frame, as: UInt32.self))
      left[frame] = Self.float(pair << 16)
      right[frame] = Self.float(pair & 0xFFFF_0000)
    }
  }

  @inline(__always) private func convert(
    _ bytes: UnsafeRawPointer, apart: Int, to target: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    switch self {
    case .int16:
      for frame in 0..<count {
        let bits = bytes.loadUnaligned(fromByteOffset: 2 * apart * frame, as: UInt16.self)
        target[frame] = Self.float(UInt32(UInt16(littleEndian: bits)) << 16)
      }
    case .int24:
      for frame in 0..<count {
        let bits = bytes.loadUnaligned(fromByteOffset: 3 * apart * frame, as: UInt32.self)
        target[frame] = Self.float(UInt32(littleEndian: bits) << 8)
      }
    case .int32:
      for frame in 0..<count {
        let bits = bytes.loadUnaligned(fromByteOffset: 4 * apart * frame, as: UInt32.self)
        target[frame] = Self.float(UInt32(littleEndian: bits))
      }
    case .float32:
      for frame in 0..<count {
        let bits = bytes.loadUnaligned(fromByteOffset: 4 * apart * frame, as: UInt32.self)
        target[frame] = Float(bitPattern: UInt32(littleEndian: bits))
      }
    }
  }

  /// Packs integers whose significant bits are the highest of 32.
  func pack(_ whole: UnsafePointer<Int32>, into bytes: UnsafeMutableRawPointer, count: Int) {
    switch self {
    case .int16:
      let target = bytes.assumingMemoryBound(to: Int16.self)
      for index in 0..<count { target[index] = Int16(truncatingIfNeeded: whole[index] &>> 16).littleEndian }
    case .int24:
      let target = bytes.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count {
        for byte in 0..<3 {
          target[3 &* index &+ byte] = UInt8(truncatingIfNeeded: whole[index] &>> Int32(8 &* (byte &+ 1)))
        }
      }
    case .int32, .float32:
      let target = bytes.assumingMemoryBound(to: Int32.self)
      for index in 0..<count { target[index] = whole[index].littleEndian }
    }
  }

  /// Converts a 32-bit integer to a fraction of full scale.
  @inline(__always) private static func float(_ bits: UInt32) -> Float {
    Float(Int32(bitPattern: bits)) * 0x1p-31
  }
}
