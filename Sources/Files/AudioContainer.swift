// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSndFile
internal import Foundation

/// A kind of sound file that is written, chosen by the file's extension.
public enum AudioContainer: String, Sendable, CaseIterable {
  /// WAV, which becomes RF64 by itself where it grows over 4 GiB.
  case wav
  /// RF64 from the first byte.
  case rf64
  /// Sony Wave64.
  case w64
  /// FLAC: lossless, about half the size.
  case flac
  /// Ogg Vorbis.
  case ogg
  /// Ogg Opus.
  case opus
  /// MP3.
  case mp3
  /// AIFF, up to 2 GiB.
  case aiff
  /// Apple's Core Audio Format.
  case caf

  /// The container that a file's extension asks for, in upper or lower case; nil where it is not known.
  public init?(path: String) {
    switch (path as NSString).pathExtension.lowercased() {
    case "wav", "wave", "bwf": self = .wav
    case "rf64": self = .rf64
    case "w64": self = .w64
    case "flac": self = .flac
    case "ogg", "oga": self = .ogg
    case "opus": self = .opus
    case "mp3": self = .mp3
    case "aiff", "aif", "aifc": self = .aiff
    case "caf": self = .caf
    default: return nil
    }
  }

  /// The encodings it takes, best first; the first is used where none is asked for.
  public var encodings: [SampleEncoding] {
    switch self {
    case .wav, .rf64, .w64, .aiff, .caf: [.float32, .int24, .int16]
    case .flac: [.int24, .int16]
    case .ogg, .opus, .mp3: [.lossy]
    }
  }

  /// How many channels it holds at most.
  public var channelLimit: Int {
    switch self {
    case .flac: 8
    case .mp3: 2
    case .wav, .rf64, .w64, .ogg, .opus, .aiff, .caf: AudioFileReader.channelLimit
    }
  }

  /// Whether its header can be brought up to date while it grows, so that a crash leaves a readable file.
  ///
  /// The others are journaled while they are recorded, and encoded when the take ends.
  public var survivesCrash: Bool {
    switch self {
    case .wav, .rf64, .w64, .aiff, .caf: true
    case .flac, .ogg, .opus, .mp3: false
    }
  }

  /// The rate it is written at where the sound has `rate`: the same, but for
  /// codecs that know only some rates.
  public func writtenRate(for rate: Int) -> Int {
    switch self {
    case .opus: [8000, 12000, 16000, 24000, 48000].contains(rate) ? rate : 48000
    case .mp3: [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000].contains(rate) ? rate : 48000
    case .ogg: min(rate, 192_000)
    case .flac: min(rate, 655_350)
    case .wav, .rf64, .w64, .aiff, .caf: rate
    }
  }

  /// The most bytes a file of this kind can have.
  var byteLimit: Int { self == .aiff ? Int(Int32.max) - 65536 : .max }

  /// How hard a lossy codec squeezes, 0 least to 1 most: about 200 kbit a second in stereo, where few ears
  /// find a difference. Nil for lossless ones, whose own choice is good.
  var compressionLevel: Double? {
    switch self {
    case .mp3: 0
    case .ogg: 0.25
    case .opus: 0.6
    case .wav, .rf64, .w64, .flac, .aiff, .caf: nil
    }
  }

  /// libsndfile's number for the container and its encoding.
  func format(_ encoding: SampleEncoding) -> Int32 {
    let container =
      switch self {
      case .wav, .rf64: SF_FORMAT_RF64
      case .w64: SF_FORMAT_W64
      case .flac: SF_FORMAT_FLAC
      case .ogg, .opus: SF_FORMAT_OGG
      case .mp3: SF_FORMAT_MPEG
      case .aiff: SF_FORMAT_AIFF
      case .caf: SF_FORMAT_CAF
      }
    let subtype =
      switch encoding {
      case .int16: SF_FORMAT_PCM_16
      case .int24: SF_FORMAT_PCM_24
      case .float32: SF_FORMAT_FLOAT
      case .lossy:
        switch self {
        case .opus: SF_FORMAT_OPUS
        case .mp3: SF_FORMAT_MPEG_LAYER_III
        case .ogg, .wav, .rf64, .w64, .flac, .aiff, .caf: SF_FORMAT_VORBIS
        }
      }
    return Int32(container | subtype)
  }
}
