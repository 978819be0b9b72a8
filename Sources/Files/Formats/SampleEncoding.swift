// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// How samples are stored in a file.
@nonexhaustive public enum SampleEncoding: String, Sendable, CaseIterable {
  /// Whole numbers of 8 bits.
  case int8 = "8-bit"
  /// Whole numbers of 16 bits.
  case int16 = "16-bit"
  /// Whole numbers of 24 bits.
  case int24 = "24-bit"
  /// Whole numbers of 32 bits.
  case int32 = "32-bit"
  /// Floating point of 32 bits: nothing clips.
  case float32 = "32-float"
  /// Floating point of 64 bits, for programs that want it: a sample has no more than 32 to fill them with.
  case float64 = "64-float"
  /// Apple Lossless of 24 bits.
  case alac24 = "alac"
  /// Apple Lossless of 16 bits.
  case alac16 = "alac-16"
  /// IMA 4:1, four bits a sample, in blocks: in AIFF a file's length is rounded up to whole ones, of 64 frames.
  case ima4
  /// Ogg Vorbis.
  case vorbis
  /// Opus.
  case opus
  /// MPEG-1 and 2, layer III.
  case mp3
  /// MPEG-4 AAC, low complexity.
  case aac

  /// How many bits a whole number has; nil for what is no whole number before it is coded.
  var bits: Int? {
    switch self {
    case .int8: 8
    case .int16, .alac16: 16
    case .int24, .alac24: 24
    case .int32: 32
    case .float32, .float64, .ima4, .vorbis, .opus, .mp3, .aac: nil
    }
  }

  /// Whether samples lie in the file one after the other: then a file that is cut off holds all until there.
  var isPlain: Bool { AudioContainer.plain.contains(self) }

  /// How many bytes a sample takes while it is recorded.
  var byteCount: Int { self == .float64 ? 8 : bits.map { $0 / 8 } ?? 4 }

  /// The encoding that a take is journaled in until it gets this one: it keeps all that this one will.
  var journaled: SampleEncoding {
    switch bits {
    case 8: .int8
    case 16: .int16
    case 24: .int24
    case 32: .int32
    default: .float32
    }
  }

  /// How hard it may be squeezed.
  var squeezes: Bool {
    switch self {
    case .vorbis, .opus, .mp3, .aac: true
    case .int8, .int16, .int24, .int32, .float32, .float64, .alac24, .alac16, .ima4: false
    }
  }

  /// The quality where none is asked for: 64 to 128 kbit a second and channel, where few ears find a
  /// difference.
  var usualQuality: Double {
    switch self {
    case .mp3: 1
    case .vorbis: 0.75
    case .opus: 0.4
    case .aac: 0.6
    case .int8, .int16, .int24, .int32, .float32, .float64, .alac24, .alac16, .ima4: 1
    }
  }

  /// Bits a second for so many channels, least and most; nil where it cannot be told one.
  func bitRates(channelCount: Int, sampleRate: Int) -> ClosedRange<Int>? {
    switch self {
    case .opus: 6000 * channelCount...256_000 * channelCount
    case .mp3:
      sampleRate >= 32_000 ? 32_000...320_000 : sampleRate >= 16_000 ? 8000...160_000 : 8000...64_000
    // Six bits a sample are the most that a frame of AAC holds.
    case .aac: sampleRate / 4 * channelCount...min(sampleRate * 6, 288_000) * channelCount
    case .int8, .int16, .int24, .int32, .float32, .float64, .alac24, .alac16, .ima4, .vorbis: nil
    }
  }

  /// The only rates that it knows; nil where it knows all from ``AudioFileReader/rates``.
  var knownRates: [Int]? {
    switch self {
    case .opus: [8000, 12_000, 16_000, 24_000, 48_000]
    case .mp3: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
    case .aac:
      [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000]
    case .int8, .int16, .int24, .int32, .float32, .float64, .alac24, .alac16, .ima4, .vorbis: nil
    }
  }

  /// The highest rate that it knows.
  func highestRate(in container: AudioContainer) -> Int {
    switch self {
    case .alac24, .alac16: 384_000
    case .vorbis: 192_000
    case .int8, .int16, .int24, .int32, .float32, .float64, .ima4, .opus, .mp3, .aac:
      container == .flac ? 655_350 : AudioFileReader.rates.upperBound
    }
  }

  /// How many channels it takes at most.
  var channelLimit: Int {
    switch self {
    case .ima4, .mp3: 2
    case .alac24, .alac16, .aac: 8
    case .int8, .int16, .int24, .int32, .float32, .float64, .vorbis, .opus: AudioFileReader.channelLimit
    }
  }
}
