// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSndFile

/// Samples as most sound files hold them: numbers one after the other, channel beside channel, lowest byte first.
///
/// They are brought to floats and sorted into channels in one go, which takes a fraction of the time that
/// libsndfile takes for the first alone. The floats are the same. To lay whole numbers down takes it as little, and
/// hands libsndfile much at once, which would go to the disk in pieces of 8 KiB.
enum PlainSamples {
  case int16, int24, int32, float32

  /// How samples lie in a file of libsndfile's format; nil where they lie otherwise.
  init?(format: Int) {
    let container = format & SF_FORMAT_TYPEMASK, order = format & SF_FORMAT_ENDMASK
    // The highest byte comes first in other containers, and in these where their header says so.
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

  /// How many bytes a sample has.
  var byteCount: Int {
    switch self {
    case .int16: 2
    case .int24: 3
    case .int32, .float32: 4
    }
  }

  /// Sorts so many frames into channels. Behind the last there is a byte that may be read.
  func lay(_ bytes: UnsafeRawPointer, into channels: Channels, count: Int) {
    let width = channels.count
    if self == .int16, width == 2 { return layPairs(bytes, channels[0], channels[1], count) }
    for channel in 0..<width {
      let target = channels[channel], first = bytes + channel * byteCount
      // A loop for one channel by itself, since that one goes many times as fast.
      if width == 1 {
        lay(first, apart: 1, to: target, count)
      } else {
        lay(first, apart: width, to: target, count)
      }
    }
  }

  /// A frame of two channels of 16 bits is one word: the upper half of it, and what is left when that is cut off.
  private func layPairs(
    _ bytes: UnsafeRawPointer, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    for frame in 0..<count {
      let pair = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * frame, as: UInt32.self))
      left[frame] = Self.float(pair << 16)
      right[frame] = Self.float(pair & 0xFFFF_0000)
    }
  }

  @inline(__always) private func lay(
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

  /// Lays whole numbers down, whose bits are the highest of 32.
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

  /// A whole number of 32 bits as a part of full scale.
  @inline(__always) private static func float(_ bits: UInt32) -> Float {
    Float(Int32(bitPattern: bits)) * 0x1p-31
  }
}
