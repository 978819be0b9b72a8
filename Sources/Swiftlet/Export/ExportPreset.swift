// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles

/// A kind of file that people ask for by a short name, such as `wav24` or `mp3`.
public struct ExportPreset: Sendable, Equatable {
  /// Its name.
  public let name: String
  /// What such a file is.
  public let format: RecordingFormat
  /// What kind of movie it is; nil for sound alone.
  public let movie: MovieContainer?
  /// What its name ends with, without the dot.
  package var fileExtension: String { movie?.rawValue ?? format.container.rawValue }

  /// WAV of 16 bits, as on a compact disc.
  public static let wav16 = ExportPreset("wav16", .wav, .int16)
  /// WAV of 24 bits.
  public static let wav24 = ExportPreset("wav24", .wav, .int24)
  /// WAV of 32-bit floats, in which nothing clips.
  public static let wav32f = ExportPreset("wav32f", .wav, .float32)
  /// Sony Wave64 of 32-bit floats.
  public static let w64 = ExportPreset("w64", .w64, .float32)
  /// RF64 of 32-bit floats.
  public static let rf64 = ExportPreset("rf64", .rf64, .float32)
  /// FLAC of 24 bits.
  public static let flac = ExportPreset("flac", .flac, .int24)
  /// Apple's Core Audio Format with 32-bit floats.
  public static let caf = ExportPreset("caf", .caf, .float32)
  /// Apple Lossless of 24 bits, in MPEG-4.
  public static let alac = ExportPreset("alac", .m4a, .alac24)
  /// Ogg Opus.
  public static let opus = ExportPreset("opus", .opus, .opus)
  /// Ogg Vorbis.
  public static let vorbis = ExportPreset("vorbis", .ogg, .vorbis)
  /// MP3.
  public static let mp3 = ExportPreset("mp3", .mp3, .mp3)
  /// AAC in MPEG-4.
  public static let m4a = ExportPreset("m4a", .m4a, .aac)
  /// A movie in MPEG-4, with AAC.
  public static let mp4 = ExportPreset("mp4", .m4a, .aac, .mp4)
  /// A QuickTime movie, with AAC.
  public static let mov = ExportPreset("mov", .m4a, .aac, .mov)
  /// A movie in Matroska, with FLAC of 24 bits.
  public static let mkv = ExportPreset("mkv", .flac, .int24, .mkv)

  /// All of them.
  public static let all = [
    wav16, wav24, wav32f, w64, rf64, flac, caf, alac, opus, vorbis, mp3, m4a, mp4, mov, mkv,
  ]

  private init(
    _ name: String, _ container: AudioContainer, _ encoding: SampleEncoding, _ movie: MovieContainer? = nil
  ) {
    self.name = name
    self.movie = movie
    format = RecordingFormat(container: container, encoding: encoding)
  }

  /// The preset of this name.
  ///
  /// - Throws: ``ExportError/unknownPreset(_:)``.
  public init(named name: String) throws(ExportError) {
    guard let known = ExportPreset.all.first(where: { $0.name == name }) else { throw .unknownPreset(name) }
    self = known
  }
}
