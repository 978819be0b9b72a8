// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// Copies the sound of a take whose file lost its name, in portions, while the take continues.
///
/// A file that was replaced or removed exists as long as a process holds it open, as the recorder does.
struct TakeRescue {
  /// The path that the take will have.
  let path: String
  let folder: OpenFolder
  let journal: TakeJournal
  /// The file that receives the sound.
  let copy: NewFile
  private var done: off_t = 0
  /// The maximum number of bytes that one call copies while the take runs. The tap's ring holds seconds of sound
  /// meanwhile.
  private static let portion = 8 << 20
  /// The size of the region that contains the header, which is rewritten while the sound grows.
  private static let headerSize = 1 << 16

  init(path: String, folder: OpenFolder, journal: TakeJournal, copy: NewFile) {
    (self.path, self.folder, self.journal, self.copy) = (path, folder, journal, copy)
  }

  /// Copies the next portion.
  ///
  /// - Returns: whether the copy holds everything that the file holds now.
  /// - Throws: ``DiskError/system(_:)``.
  mutating func advance(from descriptor: Int32, isLast: Bool) throws(DiskError) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 20), left = isLast ? Int.max : Self.portion
    while left > 0 {
      let got = pread(descriptor, &buffer, min(buffer.count, left), done)
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw .system(errno) }
      if got == 0 {
        try copyHeader(from: descriptor)
        return true
      }
      try write(buffer, got, at: done)
      done += off_t(got)
      left -= got
      if isLast { FinishingProgress.step() }
    }
    return false
  }

  private func copyHeader(from descriptor: Int32) throws(DiskError) {
    var buffer = [UInt8](repeating: 0, count: Self.headerSize)
    let got = pread(descriptor, &buffer, buffer.count, 0)
    guard got >= 0 else { throw .system(errno) }
    try write(buffer, got, at: 0)
  }

  private func write(_ bytes: [UInt8], _ count: Int, at offset: off_t) throws(DiskError) {
    var written = 0
    while written < count {
      let got = bytes.withUnsafeBytes { bytes in
        bytes.baseAddress.map {
          pwrite(copy.descriptor, $0 + written, count - written, offset + off_t(written))
        } ?? 0
      }
      if got < 0 && errno == EINTR { continue }
      guard got > 0 else { throw .system(got < 0 ? errno : EIO) }
      written += got
    }
  }

  /// Returns the path of a take if it is free, otherwise a free one beside it: `dry-001-kept.wav`, `dry-001-kept-2.wav`
  /// …
  static func freePath(beside path: String, isFree: (String) -> Bool = isFree) -> String {
    let name = FilePath.name(of: path)
    var (stem, ending) = FilePath.ending(of: name)
    while stem.utf8.count + "-kept-9999".utf8.count + ending.utf8.count > longestName, !stem.isEmpty {
      stem.removeLast()
    }
    let names = [name] + (1...9999).map { "\(stem)-kept\($0 > 1 ? "-\($0)" : "")\(ending)" }
    let paths = names.map { FilePath.path(path, renamed: $0) }
    return paths.first(where: isFree) ?? path
  }

  /// The maximum length of a take's name, in bytes: file systems allow 255, and the name of the take's gap list is
  /// longer.
  static let longestName = 255 - GapList.path(of: "").utf8.count

  /// Whether no file shows that a take of this name exists or is being recorded.
  private static func isFree(_ path: String) -> Bool {
    TakeJournal.traces(of: path).allSatisfy { !UnfinishedTake.isThere($0) }
  }
}
