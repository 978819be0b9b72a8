// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSndFile
internal import Foundation

/// Detects truncated files. libsndfile opens most of them without an error.
enum Truncation {
  /// Returns what is missing, as the end of a sentence; nil if no truncation is found.
  static func of(_ path: String, file: OpaquePointer, format: SF_INFO) -> String? {
    switch Int(format.format) & SF_FORMAT_TYPEMASK {
    case SF_FORMAT_OGG: return OggTail(path)?.isWhole ?? true ? nil : "its last page is missing"
    case SF_FORMAT_FLAC, SF_FORMAT_MPEG:
      return lastFrame(file, format)
    default: return announcedBytes(file)
    }
  }

  /// Reads libsndfile's log, which lists chunks whose size exceeds the file: `data : 9000 (should be 7000)`.
  private static func announcedBytes(_ file: OpaquePointer) -> String? {
    var log = [UInt8](repeating: 0, count: 16384)
    sf_command(file, Int32(SFC_GET_LOG_INFO), &log, Int32(log.count))
    let text = String(decoding: log.prefix { $0 != 0 }, as: UTF8.self)
    for line in text.split(separator: "\n") where line.contains("should be") {
      let name = line.prefix { $0 != ":" }.trimmingCharacters(in: CharacterSet(charactersIn: " *"))
      guard ["data", "SSND", "riff", "Riff size"].contains(name) else { continue }
      let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
      guard numbers.count >= 2, let present = numbers.last else { continue }
      let announced = numbers[numbers.count - 2]
      if announced > present && !isUnknown(announced) {
        return "it announces \(announced) bytes of sound and has \(present)"
      }
    }
    return nil
  }

  /// Whether a size stands for an unknown length. Programs that write to a pipe announce nearly the maximum of the size
  /// field.
  private static func isUnknown(_ bytes: Int) -> Bool {
    (0x7FFF_0000...0x7FFF_FFFF).contains(bytes) || (0xFFFF_0000...0xFFFF_FFFF).contains(bytes)
  }

  /// Whether the file is a truncated CAF, which libsndfile does not open. Distinguishes truncation from other damage.
  static func isCutCAF(_ path: String) -> Bool {
    guard let handle = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? handle.close() }
    let file = ByteFile(handle.fileDescriptor)
    return file.text(at: 0) == "caff" && FileChunks(file, .caf).contains { $0.size > file.size - $0.offset }
  }

  /// Checks that the last compressed frames can be read.
  private static func lastFrame(_ file: OpaquePointer, _ format: SF_INFO) -> String? {
    guard format.seekable != 0, format.frames > 1 else { return nil }
    // Seeks some blocks before the end: libFLAC may take seconds to find a frame in the last block of a long file.
    let count = min(format.frames, 16_384)
    var frames = [Float](repeating: 0, count: Int(count) * Int(max(format.channels, 1)))
    let found =
      sf_seek(file, format.frames - count, SEEK_SET) >= 0 && sf_readf_float(file, &frames, count) == count
    sf_seek(file, 0, SEEK_SET)
    return found ? nil : "its last frames are missing"
  }

  /// Checks that all boxes of an MPEG-4 file fit into it. A box begins with its big-endian size and its name. Returns
  /// nil if all fit.
  static func ofBoxes(_ path: String) -> String? {
    guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? handle.close() }
    let file = ByteFile(handle.fileDescriptor)
    var (offset, count) = (0, 0)
    while offset + 8 <= file.size && count < 100_000 {
      var size = Int(file.big(at: offset, as: UInt32.self))
      if size == 1 { size = Int(clamping: file.big(at: offset + 8, as: UInt64.self)) }
      // A box of size 0 extends to the end of the file.
      guard size >= 8 else { return nil }
      if size > file.size - offset {
        return "it announces \(size) bytes behind the first \(offset) and has \(file.size - offset)"
      }
      offset += size
      count += 1
    }
    return nil
  }
}
