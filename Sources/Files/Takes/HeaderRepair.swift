// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// Makes headers say what is there, after a crash kept that from being written.
///
/// For what ``AudioFileWriter`` writes: the sound comes last in the file.
enum HeaderRepair {
  /// How many chunks are looked at: a file of zeros looks like a chunk of no bytes in every few bytes.
  private static let mostChunks = 1000

  /// Repairs a file where it needs it.
  ///
  /// - Parameter frames: how many frames of sound there are, if that is known.
  /// - Throws: ``FileError`` where it is no file of that kind, or cannot be written.
  static func repair(_ path: String, _ container: AudioContainer, frames: Int?) throws(FileError) {
    switch container {
    case .wav, .rf64, .flac, .ogg, .opus, .mp3, .m4a:
      let wave = try WaveFile(path, writable: true)
      // Marks of gaps lie behind the sound and are cut off. What is no mark is sound, whatever a journal says.
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

  /// Sony Wave64: 16 bytes of name and 8 of size, which counts both; all on multiples of 8.
  private static func wave64(_ file: ByteFile, _ path: String) throws(FileError) {
    var (place, chunks) = (40, 0)
    while place + 24 <= file.size && chunks < mostChunks {
      let size = Int(clamping: file.number(at: place + 16, as: UInt64.self))
      if file.text(at: place) == "data" {
        try put(UInt64(file.size), at: 16, file, path)
        try put(UInt64(file.size - place), at: place + 16, file, path)
        return
      }
      guard size >= 24 && size < file.size else { break }
      place += (size + 7) & ~7
      chunks += 1
    }
    throw FileError(.notAudio, path, "is a Wave64 file without sound")
  }

  /// AIFF: highest byte first; `COMM` counts the frames, `SSND` has eight bytes before the sound.
  private static func aiff(_ file: ByteFile, _ path: String) throws(FileError) {
    var (place, chunks, common, frame) = (12, 0, 0, 0)
    while file.text(at: 0) == "FORM" && place + 8 <= file.size && chunks < mostChunks {
      let size = Int(file.number(at: place + 4, as: UInt32.self).byteSwapped)
      if file.text(at: place) == "COMM" {
        let channels = Int(file.number(at: place + 8, as: UInt16.self).byteSwapped)
        let bits = Int(file.number(at: place + 14, as: UInt16.self).byteSwapped)
        (common, frame) = (place, channels * ((bits + 7) / 8))
      }
      if file.text(at: place) == "SSND" && frame > 0 {
        let bytes = max(0, file.size - place - 16)
        try put(UInt32(clamping: file.size - 8).byteSwapped, at: 4, file, path)
        try put(UInt32(clamping: bytes / frame).byteSwapped, at: common + 10, file, path)
        try put(UInt32(clamping: bytes / frame * frame + 8).byteSwapped, at: place + 4, file, path)
        return
      }
      place += 8 + size + size % 2
      chunks += 1
    }
    throw FileError(.notAudio, path, "is an AIFF file without sound")
  }

  /// CAF: highest byte first; four bytes of edit count before the sound.
  private static func caf(_ file: ByteFile, _ path: String) throws(FileError) {
    var (place, chunks) = (8, 0)
    while file.text(at: 0) == "caff" && place + 12 <= file.size && chunks < mostChunks {
      let size = Int(clamping: Int64(bitPattern: file.number(at: place + 4, as: UInt64.self).byteSwapped))
      if file.text(at: place) == "data" {
        try put(UInt64(file.size - place - 12).byteSwapped, at: place + 4, file, path)
        return
      }
      guard size >= 0 && size < file.size else { break }
      place += 12 + size
      chunks += 1
    }
    throw FileError(.notAudio, path, "is a CAF file without sound")
  }

  private static func put<Number: FixedWidthInteger>(
    _ value: Number, at place: Int, _ file: ByteFile, _ path: String
  ) throws(FileError) {
    var data = Data()
    data.add(value)
    try file.write(data, at: place, path)
  }
}
