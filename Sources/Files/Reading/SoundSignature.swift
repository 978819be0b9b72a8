// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// The formats that `ffmpeg` reads, recognized by their first bytes.
///
/// `ffmpeg` is given the format and never guesses, because some formats that it knows are lists of other files.
struct SoundSignature {
  /// The name for display.
  let name: String
  /// `ffmpeg`'s name for the format.
  let format: String
  /// Whether times in the format are exact to the frame, so that reading can start anywhere.
  var isExact = false
  /// Whether libsndfile reads most files of the format.
  var isCommon = false

  /// MP3, which libsndfile usually reads and recognizes by more than the first bytes.
  static let mp3 = SoundSignature(name: "MP3", format: "mp3", isCommon: true)

  private static let known: [(offset: Int, bytes: [UInt8], kind: SoundSignature)] = [
    (4, Array("ftyp".utf8), SoundSignature(name: "MPEG-4", format: "mov", isExact: true)),
    (4, Array("moov".utf8), SoundSignature(name: "QuickTime", format: "mov", isExact: true)),
    (4, Array("mdat".utf8), SoundSignature(name: "QuickTime", format: "mov", isExact: true)),
    (4, Array("wide".utf8), SoundSignature(name: "QuickTime", format: "mov", isExact: true)),
    (0, [0x1A, 0x45, 0xDF, 0xA3], SoundSignature(name: "Matroska", format: "matroska")),
    (0, [0xFF, 0xF1], SoundSignature(name: "AAC", format: "aac")),
    (0, [0xFF, 0xF9], SoundSignature(name: "AAC", format: "aac")),
    (0, Array("wvpk".utf8), SoundSignature(name: "WavPack", format: "wv")),
    (0, Array("MAC ".utf8), SoundSignature(name: "Monkey's Audio", format: "ape")),
    (
      0, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11],
      SoundSignature(name: "Windows Media", format: "asf")
    ),
    (0, Array("#!AMR".utf8), SoundSignature(name: "AMR", format: "amr")),
    (0, Array("TTA1".utf8), SoundSignature(name: "True Audio", format: "tta")),
    (0, Array("caff".utf8), SoundSignature(name: "CAF", format: "caf", isCommon: true)),
    (0, Array("OggS".utf8), SoundSignature(name: "Ogg", format: "ogg", isCommon: true)),
    (8, Array("WAVE".utf8), SoundSignature(name: "WAV", format: "wav", isCommon: true)),
    (8, Array("AVI ".utf8), SoundSignature(name: "AVI", format: "avi")),
    (8, Array("AIFC".utf8), SoundSignature(name: "AIFF", format: "aiff", isCommon: true)),
  ]

  /// Returns the format of an open file; nil if it is none of these.
  static func of(_ descriptor: Int32) -> SoundSignature? {
    let head = Array(ByteFile(descriptor).bytes(at: 0, count: 16))
    return known.first { head[$0.offset...].starts(with: $0.bytes) }?.kind
  }
}
