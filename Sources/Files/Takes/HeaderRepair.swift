// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// Corrects the sizes in file headers after a crash.
///
/// Supports files of ``AudioFileWriter`` only: their sound is the last chunk of the file.
enum HeaderRepair {
  /// Repairs the header of a file if it is wrong.
  ///
  /// - Parameter frames: the number of frames of sound, if known.
  /// - Throws: ``FileError`` if the file is not of that container or cannot be written.
  static func repair(_ path: String, _ container: AudioContainer, frames: Int?) throws(FileError) {
    switch container {
    case .wav, .rf64, .flac, .ogg, .opus, .mp3, .m4a:
      let wave = try WaveFile(path, writable: true)
      // Cue points come after the sound and are cut off. Bytes after `frames` that are not cue points count as sound,
      // even if the journal states a smaller number.
      let frames = frames.flatMap { wave.hasMarks(behind: $0) ? $0 : nil }
      if !wave.isConsistent || (frames.map { $0 < wave.presentFrames } ?? false) {
        try wave.repair(frames: frames)
      }
    case .w64, .aiff, .caf:
      let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      guard descriptor >= 0 else { throw .opening(path, errno: errno) }
      defer { close(descriptor) }
      let file = ByteFile(descriptor)
      switch container {
      case .w64: try wave64(file, path)
      case .aiff: try aiff(file, path)
      default: try caf(file, path)
      }
    }
  }

  private static func wave64(_ file: ByteFile, _ path: String) throws(FileError) {
    for chunk in FileChunks(file, .wave64) where chunk.name == "data" {
      try file.write(UInt64(file.size), at: 16, path)
      try file.write(UInt64(file.size - chunk.offset + 24), at: chunk.offset - 8, path)
      return
    }
    throw FileError(.notAudio, path, "is a Wave64 file without a data chunk")
  }

  /// `COMM` holds the frame count; the `SSND` chunk has eight bytes before the sound.
  private static func aiff(_ file: ByteFile, _ path: String) throws(FileError) {
    var common = 0, frame = 0
    for chunk in FileChunks(file, .aiff) where file.text(at: 0) == "FORM" {
      if chunk.name == "COMM" {
        let channels = Int(file.big(at: chunk.offset, as: UInt16.self))
        let bits = Int(file.big(at: chunk.offset + 6, as: UInt16.self))
        (common, frame) = (chunk.offset, channels * ((bits + 7) / 8))
      }
      guard chunk.name == "SSND", frame > 0 else { continue }
      let bytes = max(0, file.size - chunk.offset - 8)
      try file.write(UInt32(clamping: file.size - 8).byteSwapped, at: 4, path)
      try file.write(UInt32(clamping: bytes / frame).byteSwapped, at: common + 2, path)
      try file.write(UInt32(clamping: bytes / frame * frame + 8).byteSwapped, at: chunk.offset - 4, path)
      return
    }
    throw FileError(.notAudio, path, "is an AIFF file without a sound chunk")
  }

  private static func caf(_ file: ByteFile, _ path: String) throws(FileError) {
    for chunk in FileChunks(file, .caf) where file.text(at: 0) == "caff" && chunk.name == "data" {
      try file.write(UInt64(file.size - chunk.offset).byteSwapped, at: chunk.offset - 8, path)
      return
    }
    throw FileError(.notAudio, path, "is a CAF file without a data chunk")
  }
}
