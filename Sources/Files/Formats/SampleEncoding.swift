// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The encoding of samples in a file.
@nonexhaustive public enum SampleEncoding: String, Sendable, CaseIterable {
  /// 8-bit integers.
  case int8 = "8-bit"
  /// 16-bit integers.
  case int16 = "16-bit"
  /// 24-bit integers.
  case int24 = "24-bit"
  /// 32-bit integers.
  case int32 = "32-bit"
  /// 32-bit floating point, which does not clip.
  case float32 = "32-float"
  /// 64-bit floating point, for programs that require it. Samples have at most 32-bit precision.
  case float64 = "64-float"
  /// 24-bit Apple Lossless.
  case alac24 = "alac"
  /// 16-bit Apple Lossless.
  case alac16 = "alac-16"
  /// IMA 4:1 with four bits per sample, in blocks. In AIFF, a file's length is rounded up to whole blocks of 64 frames.
  case ima4
  /// Ogg Vorbis.
  case vorbis
  /// Opus.
  case opus
  /// MPEG-1 and MPEG-2 audio layer III.
  case mp3
  /// MPEG-4 AAC, low complexity.
  case aac

  /// The number of bits of an integer encoding; nil for encodings that do not start from integers.
  var bits: Int? {
    switch self {
    case .int8: 8
    case .int16, .alac16: 16
    case .int24, .alac24: 24
    case .int32: 32
    case .float32, .float64, .ima4, .vorbis, .opus, .mp3, .aac: nil
    }
  }

  /// Whether samples are stored uncompressed, one after the other. A truncated file then holds all samples up to its
  /// end.
  var isPlain: Bool { AudioContainer.plain.contains(self) }

  /// The size of a sample in bytes during the recording.
  var byteCount: Int { self == .float64 ? 8 : bits.map { $0 / 8 } ?? 4 }

  /// The encoding of the journal of a take, which keeps everything that this encoding keeps.
  var journaled: SampleEncoding {
    switch bits {
    case 8: .int8
    case 16: .int16
    case 24: .int24
    case 32: .int32
    default: .float32
    }
  }

  /// Whether the encoding is lossy with a selectable quality.
  var isLossy: Bool {
    switch self {
    case .vorbis, .opus, .mp3, .aac: true
    case .int8, .int16, .int24, .int32, .float32, .float64, .alac24, .alac16, .ima4: false
    }
  }

  /// The default quality: 64 to 128 kbit/s per channel, at which few listeners hear a difference.
  var defaultQuality: Double {
    switch self {
    case .mp3: 1
    case .vorbis: 0.75
    case .opus: 0.4
    case .aac: 0.6
    case .int8, .int16, .int24, .int32, .float32, .float64, .alac24, .alac16, .ima4: 1
    }
  }

  /// Returns the range of bit rates in bits per second; nil if the encoding has no selectable bit rate.
  func bitRates(channelCount: Int, sampleRate: Int) -> ClosedRange<Int>? {
    switch self {
    case .opus: 6000 * channelCount...256_000 * channelCount
    case .mp3:
      sampleRate >= 32_000 ? 32_000...320_000 : sampleRate >= 16_000 ? 8000...160_000 : 8000...64_000
    // A frame of AAC holds at most six bits per sample.
    case .aac: sampleRate / 4 * channelCount...min(sampleRate * 6, 288_000) * channelCount
    case .int8, .int16, .int24, .int32, .float32, .float64, .alac24, .alac16, .ima4, .vorbis: nil
    }
  }

  /// The supported rates, in frames per second; nil if all of ``AudioFileReader/rates`` are supported.
  var knownRates: [Int]? {
    switch self {
    case .opus: [8000, 12_000, 16_000, 24_000, 48_000]
    case .mp3: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
    case .aac:
      [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000]
    case .int8, .int16, .int24, .int32, .float32, .float64, .alac24, .alac16, .ima4, .vorbis: nil
    }
  }

  /// Returns the highest supported rate, in frames per second.
  func highestRate(in container: AudioContainer) -> Int {
    switch self {
    case .alac24, .alac16: 384_000
    case .vorbis: 192_000
    case .int8, .int16, .int24, .int32, .float32, .float64, .ima4, .opus, .mp3, .aac:
      container == .flac ? 655_350 : AudioFileReader.rates.upperBound
    }
  }

  /// The maximum number of channels.
  var channelLimit: Int {
    switch self {
    case .ima4, .mp3: 2
    case .alac24, .alac16, .aac: 8
    case .int8, .int16, .int24, .int32, .float32, .float64, .vorbis, .opus: AudioFileReader.channelLimit
    }
  }
}
