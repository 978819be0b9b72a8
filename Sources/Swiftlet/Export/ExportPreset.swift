// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles

/// A file format with a short name, such as `wav24` or `mp3`.
@nonexhaustive public enum ExportPreset: Sendable, CaseIterable {
  /// WAV of 16 bits, as on a compact disc.
  case wav16
  /// WAV of 24 bits.
  case wav24
  /// WAV of 32-bit floats, which does not clip.
  case wav32f
  /// Sony Wave64 of 32-bit floats.
  case w64
  /// RF64 of 32-bit floats.
  case rf64
  /// FLAC of 24 bits.
  case flac
  /// Apple's Core Audio Format with 32-bit floats.
  case caf
  /// Apple Lossless of 24 bits, in MPEG-4.
  case alac
  /// Ogg Opus.
  case opus
  /// Ogg Vorbis.
  case vorbis
  /// MP3.
  case mp3
  /// AAC in MPEG-4.
  case m4a
  /// A movie in MPEG-4, with AAC.
  case mp4
  /// A QuickTime movie, with AAC.
  case mov
  /// A movie in Matroska, with FLAC of 24 bits.
  case mkv

  /// The name of the preset.
  package var name: String { "\(self)" }

  /// The format of a file with this preset.
  public var format: RecordingFormat { RecordingFormat(container: parts.container, encoding: parts.encoding) }

  /// The container of a movie; nil for sound alone.
  package var movie: MovieContainer? {
    switch self {
    case .mp4: .mp4
    case .mov: .mov
    case .mkv: .mkv
    case .wav16, .wav24, .wav32f, .w64, .rf64, .flac, .caf, .alac, .opus, .vorbis, .mp3, .m4a: nil
    }
  }

  /// The file extension, without the dot.
  package var fileExtension: String { movie?.rawValue ?? format.container.rawValue }

  private var parts: (container: AudioContainer, encoding: SampleEncoding) {
    switch self {
    case .wav16: (.wav, .int16)
    case .wav24: (.wav, .int24)
    case .wav32f: (.wav, .float32)
    case .w64: (.w64, .float32)
    case .rf64: (.rf64, .float32)
    case .flac: (.flac, .int24)
    case .caf: (.caf, .float32)
    case .alac: (.m4a, .alac24)
    case .opus: (.opus, .opus)
    case .vorbis: (.ogg, .vorbis)
    case .mp3: (.mp3, .mp3)
    case .m4a: (.m4a, .aac)
    case .mp4: (.m4a, .aac)
    case .mov: (.m4a, .aac)
    case .mkv: (.flac, .int24)
    }
  }

  /// Returns the preset with this name.
  ///
  /// - Throws: ``ExportError/unknownPreset(_:)``.
  package init(named name: String) throws(ExportError) {
    guard let known = ExportPreset.allCases.first(where: { $0.name == name }) else {
      throw .unknownPreset(name)
    }
    self = known
  }
}
