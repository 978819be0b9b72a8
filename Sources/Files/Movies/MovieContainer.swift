// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// A kind of file that holds a picture beside its sound, chosen by the file's extension.
@nonexhaustive public enum MovieContainer: String, Sendable, CaseIterable {
  /// MPEG-4, with AAC or Apple Lossless as its sound.
  case mp4
  /// QuickTime, with AAC or Apple Lossless as its sound.
  case mov
  /// Matroska, with FLAC as its sound: that of its lossy codecs would begin late.
  case mkv

  /// The container that a file's extension asks for, in upper or lower case; nil where it holds no picture.
  package init?(path: String) {
    switch (path as NSString).pathExtension.lowercased() {
    case "mp4", "m4v": self = .mp4
    case "mov", "qt": self = .mov
    case "mkv": self = .mkv
    default: return nil
    }
  }

  /// The kind of sound file that holds the same encodings.
  package var sound: AudioContainer { self == .mkv ? .flac : .m4a }

  /// What `ffmpeg` calls it.
  var format: String { self == .mkv ? "matroska" : rawValue }

  /// Whether a picture of this codec, as `ffmpeg` calls it, can be put into it as it is.
  func takes(_ codec: String) -> Bool {
    switch self {
    case .mp4: MovieContainer.usual.contains(codec) || ["av1", "vp9"].contains(codec)
    case .mov: MovieContainer.usual.contains(codec) || ["prores", "dnxhd", "qtrle", "png"].contains(codec)
    case .mkv: codec != "rawvideo"
    }
  }

  private static let usual: Set = ["h264", "hevc", "mpeg4", "mpeg2video", "mpeg1video", "mjpeg"]
}
