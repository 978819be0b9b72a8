// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// A container that sound files are written in, selected by the file's extension.
@nonexhaustive public enum AudioContainer: String, Sendable, CaseIterable {
  /// WAV, which becomes RF64 automatically above 4 GiB.
  case wav
  /// RF64 from the first byte.
  case rf64
  /// Sony Wave64.
  case w64
  /// FLAC: lossless, about half the size of uncompressed sound.
  case flac
  /// Ogg with Vorbis or Opus.
  case ogg
  /// Ogg Opus.
  case opus
  /// MP3.
  case mp3
  /// AIFF, up to 2 GiB.
  case aiff
  /// Apple's Core Audio Format.
  case caf
  /// MPEG-4 audio, with Apple's extension.
  case m4a

  /// Returns the container for a file's extension, in upper or lower case; nil if the extension is unknown.
  package init?(path: String) {
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
    case "m4a", "mp4", "m4b": self = .m4a
    default: return nil
    }
  }

  /// The encodings that the container supports. The first is the default.
  public var encodings: [SampleEncoding] {
    switch self {
    case .wav, .aiff: AudioContainer.plain + [.ima4]
    case .rf64, .w64: AudioContainer.plain
    case .caf: AudioContainer.plain + [.alac24, .alac16, .ima4]
    case .flac: [.int24, .int16, .int8]
    case .ogg: [.vorbis, .opus]
    case .opus: [.opus]
    case .mp3: [.mp3]
    case .m4a: [.aac, .alac24, .alac16]
    }
  }

  /// The encodings that store samples uncompressed, one after the other.
  static let plain: [SampleEncoding] = [.float32, .float64, .int32, .int24, .int16, .int8]

  /// Returns the extensions of the containers that support an encoding, as a list for display.
  static func names(taking encoding: SampleEncoding) -> String {
    allCases.filter { $0.encodings.contains(encoding) }.map { "." + $0.rawValue }.joined(separator: ", ")
  }

  /// The maximum number of channels, for any encoding.
  var channelLimit: Int { self == .flac ? 8 : AudioFileReader.channelLimit }

  /// Whether the header can be updated while the file grows.
  var growsReadable: Bool {
    switch self {
    case .wav, .rf64, .w64, .aiff, .caf: true
    case .flac, .ogg, .opus, .mp3, .m4a: false
    }
  }

  /// The maximum file size in bytes.
  var byteLimit: Int { self == .aiff ? Int(Int32.max) - 65536 : .max }
}
