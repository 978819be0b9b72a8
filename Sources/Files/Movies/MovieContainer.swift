// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// A container for a picture with sound, selected by the file's extension.
@nonexhaustive public enum MovieContainer: String, Sendable, CaseIterable {
  /// MPEG-4 with AAC or Apple Lossless sound.
  case mp4
  /// QuickTime with AAC or Apple Lossless sound.
  case mov
  /// Matroska with FLAC sound. With its lossy codecs, the sound would start late.
  case mkv

  /// Returns the container for a file's extension, in upper or lower case; nil if the extension is not one of a movie.
  package init?(path: String) {
    switch (path as NSString).pathExtension.lowercased() {
    case "mp4", "m4v": self = .mp4
    case "mov", "qt": self = .mov
    case "mkv": self = .mkv
    default: return nil
    }
  }

  /// The audio container that supports the same encodings.
  package var sound: AudioContainer { self == .mkv ? .flac : .m4a }

  /// `ffmpeg`'s name for the container.
  var format: String { self == .mkv ? "matroska" : rawValue }

  /// Whether the container supports a picture with this codec, by `ffmpeg`'s name, without re-encoding.
  func takes(_ codec: String) -> Bool {
    switch self {
    case .mp4: MovieContainer.usual.contains(codec) || ["av1", "vp9"].contains(codec)
    case .mov: MovieContainer.usual.contains(codec) || ["prores", "dnxhd", "qtrle", "png"].contains(codec)
    case .mkv: codec != "rawvideo"
    }
  }

  private static let usual: Set = ["h264", "hevc", "mpeg4", "mpeg2video", "mpeg1video", "mjpeg"]
}
